import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SpooledRows } from "../../../src/cli/score/part-spool.ts";
import { createRowCursor } from "../../../src/cli/score/row-cursor.ts";

/** Rows `from … to - 1`: row i has the parts i and i / 2 and the group i - 1. */
function rows(from: number, to: number): SpooledRows {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  return {
    kept: [Float64Array.from(numbers), Float64Array.from(numbers, (row) => row / 2)],
    groups: Int32Array.from(numbers, (row) => row - 1),
  };
}

async function* blocksOf(...sizes: readonly number[]): AsyncGenerator<SpooledRows> {
  let from = 0;
  for (const size of sizes) {
    yield rows(from, from + size);
    from += size;
  }
}

const CHANGED = {
  code: "data",
  message:
    "the input changed while it was read: its second reading holds another number of rows than its first",
};

describe("createRowCursor", () => {
  it("gives rows in order, however blocks and pieces are cut", async () => {
    const sizes = fc.array(fc.nat(9), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, sizes, async (blocks, takes) => {
        const total = blocks.reduce((sum, size) => sum + size, 0);
        const cursor = createRowCursor(blocksOf(...blocks), 2);
        let at = 0;
        for (const size of takes) {
          const count = Math.min(size, total - at);
          expect(await cursor.take(count)).toEqual(rows(at, at + count));
          at += count;
        }
        expect(await cursor.take(total - at)).toEqual(rows(at, total));
        await cursor.end();
      }),
    );
  });

  it("copies no block that is asked for whole", async () => {
    const block = rows(0, 3);
    async function* one(): AsyncGenerator<SpooledRows> {
      yield block;
    }
    expect(await createRowCursor(one(), 2).take(3)).toBe(block);
  });

  it("does not change its blocks when pieces are written to", async () => {
    const block = rows(0, 3);
    async function* one(): AsyncGenerator<SpooledRows> {
      yield block;
    }
    const piece = await createRowCursor(one(), 2).take(2);
    piece.groups.fill(9);
    piece.kept[0]?.fill(9);
    expect(block).toEqual(rows(0, 3));
  });

  it("counts the rows of plans without kept columns", async () => {
    const cursor = createRowCursor(blocksOf(2, 2), 0);
    expect(await cursor.take(3)).toEqual({ kept: [], groups: Int32Array.of(-1, 0, 1) });
    await expect(cursor.end()).rejects.toMatchObject(CHANGED);
  });

  it("says that the input changed when rows are missing", async () => {
    const cursor = createRowCursor(blocksOf(2, 0), 2);
    await cursor.take(1);
    await expect(cursor.take(2)).rejects.toMatchObject(CHANGED);
    await expect(createRowCursor(blocksOf(), 2).take(1)).rejects.toMatchObject(CHANGED);
  });

  it("says that the input changed when rows are left", async () => {
    const within = createRowCursor(blocksOf(3), 2);
    await within.take(2);
    await expect(within.end()).rejects.toMatchObject(CHANGED);
    const behind = createRowCursor(blocksOf(3, 0, 1), 2);
    await behind.take(3);
    await expect(behind.end()).rejects.toMatchObject(CHANGED);
    await expect(createRowCursor(blocksOf(1), 2).end()).rejects.toMatchObject(CHANGED);
  });

  it("ends when only blocks without rows are left, such as an empty last record batch", async () => {
    const cursor = createRowCursor(blocksOf(3, 0, 0), 2);
    await cursor.take(3);
    await cursor.end();
    await createRowCursor(blocksOf(0), 2).end();
    await createRowCursor(blocksOf(), 2).end();
  });
});
