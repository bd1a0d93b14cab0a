import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonlChunks } from "../../../src/data/jsonl/jsonl-chunks.ts";

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** The source cut after every given number of bytes, in one buffer that is used again, as some readers do. */
async function* cutInto(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(bytes.length);
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = Math.max(1, sizes[i % sizes.length] ?? bytes.length);
    const piece = bytes.subarray(at, at + size);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0);
    at += size;
  }
}

async function chunkTexts(
  text: string | Uint8Array,
  chunkBytes: number,
  sizes: readonly number[] = [],
): Promise<string[]> {
  const bytes = typeof text === "string" ? bytesOf(text) : text;
  const chunks: string[] = [];
  for await (const chunk of jsonlChunks(cutInto(bytes, sizes), "a.jsonl", { chunkBytes })) {
    chunks.push(Buffer.from(chunk).toString("latin1"));
  }
  return chunks;
}

describe("jsonlChunks", () => {
  it("ends a chunk after the last newline that fits", async () => {
    expect(await chunkTexts("{}\n{}\n{}\n", 7)).toEqual(["{}\n{}\n", "{}\n"]);
    expect(await chunkTexts("{}\n{}\n{}\n", 6)).toEqual(["{}\n{}\n", "{}\n"]);
    expect(await chunkTexts("{}\n{}\n{}\n", 100)).toEqual(["{}\n{}\n{}\n"]);
  });

  it("keeps a line that is longer than a chunk whole, and what follows apart", async () => {
    expect(await chunkTexts('{"a":"0123456789"}\n{}\n', 4, [3])).toEqual(['{"a":"0123456789"}\n', "{}\n"]);
    expect(await chunkTexts('{}\n{"a":"0123456789"}', 4, [5])).toEqual(["{}\n", '{"a":"0123456789"}']);
  });

  it("accepts CRLF, blank lines and a last line without a newline", async () => {
    expect(await chunkTexts('{"a":1}\r\n\r\n\n{"a":2}', 12)).toEqual(['{"a":1}\r\n\r\n\n', '{"a":2}']);
  });

  it("drops a byte order mark however it is cut, and only at the start", async () => {
    const marked = bytesOf("\ufeff{}\n\ufeff{}\n");
    const rest = Buffer.from("{}\n\ufeff{}\n").toString("latin1");
    for (const size of [1, 2, 3, 4, 99]) expect((await chunkTexts(marked, 99, [size])).join("")).toBe(rest);
  });

  it("refuses input without a row", async () => {
    for (const empty of ["", "\n", "\r\n \t\n", "\ufeff", "\ufeff\n", "\n".repeat(50)]) {
      await expect(chunkTexts(empty, 10)).rejects.toMatchObject({
        code: "data",
        message: "a.jsonl is empty",
      });
    }
    expect(await chunkTexts(`${"\n".repeat(10)}{}`, 10)).toEqual(["\n".repeat(10), "{}"]);
  });

  it("refuses chunks of no bytes", async () => {
    await expect(chunkTexts("{}", 0)).rejects.toThrow("chunkBytes must be at least 1, got 0");
  });

  it("gives each chunk its own buffer", async () => {
    const buffers = new Set<ArrayBufferLike>();
    for await (const chunk of jsonlChunks(cutInto(bytesOf("{}\n{}\n{}"), []), "a", { chunkBytes: 3 })) {
      expect(chunk.byteOffset).toBe(0);
      buffers.add(chunk.buffer);
    }
    expect(buffers.size).toBe(3);
  });

  it("cuts by the bytes alone and loses none (law)", async () => {
    const text = fc.array(
      fc.constantFrom("{}", '{"a":"x"}', "\n", "\r\n", " ", "é", "\ufeff", '{"long":"0123456789abcdef"}'),
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.nat(9)),
        async (parts, chunkBytes, sizes) => {
          const bytes = bytesOf(`{}${parts.join("")}`);
          const whole = await chunkTexts(bytes, chunkBytes);
          expect(await chunkTexts(bytes, chunkBytes, sizes)).toEqual(whole);
          expect(whole.join("")).toBe(Buffer.from(bytes).toString("latin1"));
          for (const chunk of whole.slice(0, -1)) expect(chunk.endsWith("\n")).toBe(true);
          for (const chunk of whole.slice(0, -1)) {
            expect(chunk.length <= chunkBytes || chunk.indexOf("\n") === chunk.length - 1).toBe(true);
          }
        },
      ),
    );
  });
});
