import { readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPartSpool, type PartSpool, type SpooledRows } from "../../../src/cli/score/part-spool.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";
import { collect } from "../../golden/arrow-files.ts";

const folder = temporaryFolder();

beforeAll(() => vi.stubEnv("TMPDIR", folder));
afterAll(() => vi.unstubAllEnvs());
afterEach(() => {
  vi.restoreAllMocks();
  expect(readdirSync(folder).filter((name) => name !== "probe")).toEqual([]);
});

/** What all file handles inherit from, so that a test can make their writes misbehave. */
async function handlePrototype(): Promise<Record<"write", (...args: never[]) => unknown>> {
  const handle = await open(join(folder, "probe"), "w");
  await handle.close();
  return Object.getPrototypeOf(handle);
}

const block = (groups: readonly number[], ...kept: readonly (readonly number[])[]): SpooledRows => ({
  kept: kept.map((column) => Float64Array.from(column)),
  groups: Int32Array.from(groups),
});

async function spooled(spool: PartSpool, blocks: readonly SpooledRows[]): Promise<SpooledRows[]> {
  for (const rows of blocks) await spool.append(rows);
  return collect(spool.read());
}

/** Blocks of three columns, some without rows. */
const blocksOfThree: fc.Arbitrary<SpooledRows[]> = fc.array(
  fc.integer({ min: 0, max: 12 }).chain((rows) => {
    const column = fc.array(fc.double(), { minLength: rows, maxLength: rows });
    const groups = fc.array(fc.integer({ min: -1, max: 2 ** 31 - 1 }), { minLength: rows, maxLength: rows });
    return fc.tuple(groups, column, column, column).map(([g, ...columns]) => block(g, ...columns));
  }),
  { maxLength: 10 },
);

describe("createPartSpool", () => {
  it("gives back the same blocks, whatever fits in memory", async () => {
    await fc.assert(
      fc.asyncProperty(blocksOfThree, fc.integer({ min: 0, max: 1500 }), async (blocks, memoryLimit) => {
        const spool = createPartSpool(3, "law", memoryLimit);
        try {
          expect(await spooled(spool, blocks)).toEqual(blocks);
          expect(await collect(spool.read())).toEqual(blocks);
        } finally {
          await spool.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it("keeps NaN, infinities and -0, in memory and on disk", async () => {
    const rows = block([-1, 0, 7], [Number.NaN, Number.NEGATIVE_INFINITY, -0]);
    for (const memoryLimit of [0, 1000]) {
      const spool = createPartSpool(1, "odd", memoryLimit);
      const [read] = await spooled(spool, [rows]);
      expect(read?.kept[0]).toEqual(rows.kept[0]);
      expect(Object.is(read?.kept[0]?.[2], -0)).toBe(true);
      expect(read?.groups).toEqual(rows.groups);
      await spool.close();
    }
  });

  it("writes the rows of a view, not of its buffer", async () => {
    const spool = createPartSpool(1, "view", 0);
    const rows = {
      kept: [Float64Array.of(9, 9, 1, 2, 9).subarray(2, 4)],
      groups: Int32Array.of(9, 3, 4, 9).subarray(1, 3),
    };
    expect(await spooled(spool, [rows])).toEqual([block([3, 4], [1, 2])]);
    await spool.close();
  });

  it("goes on in memory after it went to disk, and again to disk", async () => {
    const spool = createPartSpool(1, "mixed", 30);
    const blocks = Array.from({ length: 9 }, (_, index) => block([index, -1], [index, index / 2]));
    expect(await spooled(spool, blocks)).toEqual(blocks);
    await spool.append(block([8], [8]));
    expect((await collect(spool.read())).slice(-1)).toEqual([block([8], [8])]);
    await spool.close();
  });

  it("keeps groups alone when there is nothing else", async () => {
    const spool = createPartSpool(0, "groups", 0);
    expect(await spooled(spool, [block([1, 2]), block([]), block([3])])).toEqual([
      block([1, 2]),
      block([]),
      block([3]),
    ]);
    await spool.close();
  });

  it("is empty before the first rows, and closes without a file and twice", async () => {
    const spool = createPartSpool(2, "none");
    expect(await collect(spool.read())).toEqual([]);
    await spool.close();
    const onDisk = createPartSpool(1, "twice", 0);
    await onDisk.append(block([1], [1]));
    await onDisk.close();
    await onDisk.close();
  });

  it("leaves no name in the temporary folder while the file is open", async () => {
    const spool = createPartSpool(1, "hidden", 0);
    await spool.append(block([1], [1]));
    expect(readdirSync(folder).filter((name) => name !== "probe")).toEqual([]);
    await spool.close();
  });

  it("keeps the rows of two spools of one name apart", async () => {
    const [one, other] = [createPartSpool(1, "same", 0), createPartSpool(1, "same", 0)];
    await Promise.all([one.append(block([1], [1])), other.append(block([2], [2]))]);
    expect(await collect(one.read())).toEqual([block([1], [1])]);
    expect(await collect(other.read())).toEqual([block([2], [2])]);
    await Promise.all([one.close(), other.close()]);
  });

  it("goes on where a write stopped short", async () => {
    const prototype = await handlePrototype();
    const write = prototype.write;
    vi.spyOn(prototype, "write").mockImplementation(function (
      this: unknown,
      ...[bytes, offset, length, position]: [Uint8Array, number, number, number]
    ) {
      return write.call(this, ...([bytes, offset, Math.min(length, 7), position] as never[]));
    } as never);
    const spool = createPartSpool(2, "short", 0);
    const blocks = [block([1, 2], [1, 2], [3, 4]), block([3], [5], [6])];
    expect(await spooled(spool, blocks)).toEqual(blocks);
    await spool.close();
  });

  it("says that the disk is full, and what to do", async () => {
    const prototype = await handlePrototype();
    vi.spyOn(prototype, "write").mockRejectedValue(
      new Error("ENOSPC: no space left on device, write") as never,
    );
    const spool = createPartSpool(1, "full", 0);
    await expect(spool.append(block([1], [1]))).rejects.toMatchObject({
      code: "io",
      message: `cannot write the temporary file of parts in ${folder}: ENOSPC: no space left on device, write; set TMPDIR to a folder with room`,
    });
    await spool.close();
  });

  it("says that there is no folder for temporary files", async () => {
    vi.stubEnv("TMPDIR", join(folder, "none"));
    const spool = createPartSpool(1, "lost", 0);
    await expect(spool.append(block([1], [1]))).rejects.toMatchObject({
      code: "io",
      message: expect.stringContaining("cannot write the temporary file of parts in"),
    });
    await spool.close();
    vi.stubEnv("TMPDIR", folder);
  });
});
