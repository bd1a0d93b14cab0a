import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileBytes } from "../../src/data/file-bytes.ts";
import { temporaryFolder } from "../e2e/run-cli.ts";
import { collect } from "../golden/arrow-files.ts";

const folder = temporaryFolder();

describe("fileBytes", () => {
  it("gives all bytes in order, in pieces of the size asked for, each with a buffer of its own", async () => {
    const path = join(folder, "any.bin");
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 1, max: 64 }),
        async (bytes, size) => {
          writeFileSync(path, bytes);
          const pieces = await collect(fileBytes(path, size));
          expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
          expect(pieces.map((piece) => piece.length)).toEqual(
            Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
              Math.min(size, bytes.length - index * size),
            ),
          );
          for (const piece of pieces) expect(piece.buffer.byteLength).toBe(piece.length);
        },
      ),
    );
  });

  it("has no piece for an empty file", async () => {
    const path = join(folder, "empty.bin");
    writeFileSync(path, "");
    expect(await collect(fileBytes(path))).toEqual([]);
  });

  it("begins at the first byte every time", async () => {
    const path = join(folder, "twice.bin");
    writeFileSync(path, "abc");
    for await (const piece of fileBytes(path, 1)) {
      expect(String.fromCharCode(...piece)).toBe("a");
      break;
    }
    expect(Buffer.concat(await collect(fileBytes(path, 2))).toString()).toBe("abc");
  });

  it("names a file that is not there", async () => {
    const path = join(folder, "none.bin");
    await expect(collect(fileBytes(path))).rejects.toMatchObject({
      code: "io",
      message: expect.stringContaining(`cannot read ${path}: ENOENT`),
      details: { path },
    });
  });

  it("names what opens but cannot be read", async () => {
    await expect(collect(fileBytes(folder))).rejects.toMatchObject({
      code: "io",
      message: expect.stringContaining(`cannot read ${folder}: EISDIR`),
    });
  });
});
