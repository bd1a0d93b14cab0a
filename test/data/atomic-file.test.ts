import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openAtomicFile } from "../../src/data/atomic-file.ts";
import { temporaryFolder } from "../e2e/run-cli.ts";

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const leftovers = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".tmp"));

/** What all file handles inherit from, so that a test can make their writes misbehave. */
async function handlePrototype(): Promise<Record<"write" | "writev", (...args: never[]) => unknown>> {
  const handle = await open(at("probe"), "w");
  await handle.close();
  return Object.getPrototypeOf(handle);
}

afterEach(() => {
  vi.restoreAllMocks();
  expect(leftovers()).toEqual([]);
});

describe("openAtomicFile", () => {
  it("shows nothing under the name before commit, and everything after", async () => {
    const path = at("new.bin");
    const file = await openAtomicFile(path, "u1");
    expect(leftovers()).toEqual([".new.bin.u1.tmp"]);
    await file.write(Buffer.from("one "));
    await file.write(Buffer.from("two"));
    expect(file.position).toBe(7);
    expect(existsSync(path)).toBe(false);
    await file.commit();
    expect(readFileSync(path, "utf8")).toBe("one two");
  });

  it("writes the bytes in order, however they are cut", async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const file = await openAtomicFile(at("law.bin"), 1);
        for (const piece of all) await file.write(piece);
        await file.commit();
        const written = readFileSync(at("law.bin"));
        expect(written.equals(Buffer.concat(all))).toBe(true);
        expect(file.position).toBe(written.length);
      }),
      { numRuns: 30 },
    );
  });

  it("takes many small pieces and large ones", async () => {
    const file = await openAtomicFile(at("many.bin"), 1);
    for (let i = 0; i < 5000; i += 1) await file.write(Uint8Array.of(i & 255));
    await file.write(new Uint8Array(3 << 20).fill(7));
    await file.write(Uint8Array.of(1, 2));
    await file.commit();
    const written = readFileSync(at("many.bin"));
    expect(written.length).toBe(5000 + (3 << 20) + 2);
    expect(written.subarray(0, 5000).every((byte, i) => byte === (i & 255))).toBe(true);
    expect(written.subarray(5000, -2).every((byte) => byte === 7)).toBe(true);
    expect([...written.subarray(-2)]).toEqual([1, 2]);
  });

  it("hands pieces on once there is a mebibyte of them, so that memory stays flat", async () => {
    const file = await openAtomicFile(at("flat.bin"), 1);
    await file.write(new Uint8Array((1 << 20) - 1));
    expect(statSync(at(".flat.bin.1.tmp")).size).toBe(0);
    await file.write(new Uint8Array(1));
    expect(statSync(at(".flat.bin.1.tmp")).size).toBe(1 << 20);
    await file.discard();
  });

  it("replaces an old file on commit only, and keeps its permissions", async () => {
    writeFileSync(at("old.bin"), "old");
    chmodSync(at("old.bin"), 0o600);
    const discarded = await openAtomicFile(at("old.bin"), 1);
    await discarded.write(Buffer.from("lost"));
    await discarded.discard();
    await discarded.discard();
    expect(readFileSync(at("old.bin"), "utf8")).toBe("old");
    const file = await openAtomicFile(at("old.bin"), 2);
    await file.write(Buffer.from("new"));
    expect(readFileSync(at("old.bin"), "utf8")).toBe("old");
    await file.commit();
    expect(readFileSync(at("old.bin"), "utf8")).toBe("new");
    if (process.platform !== "win32") expect(statSync(at("old.bin")).mode & 0o777).toBe(0o600);
  });

  it("makes an empty file when nothing was written", async () => {
    const file = await openAtomicFile(at("none.bin"), 1);
    await file.commit();
    expect(statSync(at("none.bin")).size).toBe(0);
  });

  it("writes the file that a symbolic link leads to", async () => {
    mkdirSync(at("elsewhere"));
    writeFileSync(join(at("elsewhere"), "real.bin"), "old");
    symlinkSync(join(at("elsewhere"), "real.bin"), at("link.bin"));
    const file = await openAtomicFile(at("link.bin"), 1);
    await file.write(Buffer.from("new"));
    await file.commit();
    expect(lstatSync(at("link.bin")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(at("elsewhere"), "real.bin"), "utf8")).toBe("new");
    expect(readdirSync(at("elsewhere"))).toEqual(["real.bin"]);
  });

  it("goes on where a write stopped short", async () => {
    const prototype = await handlePrototype();
    vi.spyOn(prototype, "writev").mockImplementationOnce(async function (
      this: { write(bytes: Uint8Array): Promise<unknown> },
      pieces: readonly Uint8Array[],
    ) {
      const bytes = Buffer.concat(pieces).subarray(0, 4);
      await this.write(bytes);
      return { bytesWritten: bytes.length, buffers: pieces };
    } as never);
    const file = await openAtomicFile(at("short.bin"), 1);
    for (const piece of ["ab", "cde", "", "fghi"]) await file.write(Buffer.from(piece));
    await file.commit();
    expect(readFileSync(at("short.bin"), "utf8")).toBe("abcdefghi");
  });

  it("says which file cannot be written to, and keeps the old one", async () => {
    const prototype = await handlePrototype();
    writeFileSync(at("full.bin"), "old");
    const file = await openAtomicFile(at("full.bin"), 1);
    vi.spyOn(prototype, "writev").mockRejectedValue(
      new Error("ENOSPC: no space left on device, writev") as never,
    );
    await file.write(Buffer.from("x"));
    const failure = {
      code: "io",
      message: `cannot write ${at("full.bin")}: ENOSPC: no space left on device, writev`,
      details: { path: at("full.bin") },
    };
    await expect(file.commit()).rejects.toMatchObject(failure);
    await expect(file.write(new Uint8Array(1 << 20))).rejects.toMatchObject(failure);
    await file.discard();
    expect(readFileSync(at("full.bin"), "utf8")).toBe("old");
  });

  it("says so when the name was taken by a folder in the meantime", async () => {
    const file = await openAtomicFile(at("taken.bin"), 1);
    await file.write(Buffer.from("x"));
    mkdirSync(at("taken.bin"));
    await expect(file.commit()).rejects.toMatchObject({
      code: "io",
      message: expect.stringMatching(/^cannot write .*taken\.bin: /),
    });
    await file.discard();
  });

  it("says so when the temporary file is gone", async () => {
    const file = await openAtomicFile(at("gone.bin"), 1);
    rmSync(at(".gone.bin.1.tmp"));
    await expect(file.commit()).rejects.toMatchObject({ code: "io" });
    await file.discard();
    expect(existsSync(at("gone.bin"))).toBe(false);
  });

  it("refuses a folder, and a folder that is missing", async () => {
    await expect(openAtomicFile(folder, 1)).rejects.toMatchObject({
      code: "io",
      message: `cannot write ${folder}: it is a folder`,
    });
    await expect(openAtomicFile(at("no/such/file"), 1)).rejects.toMatchObject({
      code: "io",
      message: expect.stringMatching(/^cannot write .*no\/such\/file: there is no folder /),
    });
  });

  it.skipIf(process.platform === "win32")("never puts a file in the place of a device or pipe", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
    try {
      await expect(openAtomicFile(at("socket"), 1)).rejects.toMatchObject({
        code: "io",
        message: `cannot write ${at("socket")}: it is a device or pipe; - is standard output`,
      });
      expect(statSync(at("socket")).isSocket()).toBe(true);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
