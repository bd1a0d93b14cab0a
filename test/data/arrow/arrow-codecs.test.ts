import { CompressionType, compressionRegistry } from "apache-arrow";
import { describe, expect, it, vi } from "vitest";
import { ensureArrowCodec } from "../../../src/data/arrow/arrow-codecs.ts";
import { arrowChunks } from "../../../src/data/arrow/arrow-messages.ts";
import { decodeArrowChunk } from "../../../src/data/arrow/decode-arrow-chunk.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect, goldenArrow, inPieces } from "../../golden/arrow-files.ts";

vi.mock("lz4-napi", () => {
  throw new Error("Cannot find package 'lz4-napi'");
});

/** ZSTD frame of "0123456789" written ten times, by the reference library. */
const FRAME = Buffer.from("KLUv/SBkjQAAUDAxMjM0NTY3ODkBANepIAE=", "base64");

/** A compressed Arrow buffer: the size it unpacks to, then the frame. */
function buffer(size: bigint): Uint8Array {
  const bytes = new Uint8Array(8 + FRAME.length);
  new DataView(bytes.buffer).setBigInt64(0, size, true);
  bytes.set(FRAME, 8);
  return bytes.subarray(8);
}

describe("ensureArrowCodec", () => {
  it("says how to get LZ4 when its package is missing", async () => {
    const [chunk] = await collect(arrowChunks(inPieces(goldenArrow("lz4.arrow")), "runs.arrow"));
    const decoded = decodeArrowChunk(
      chunk?.prefix ?? new Uint8Array(0),
      chunk?.batch ?? new Uint8Array(0),
      "runs.arrow",
    );
    const error = await decoded.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CalibrantError);
    expect((error as CalibrantError).code).toBe("missing-package");
    expect((error as CalibrantError).message).toBe(
      "runs.arrow is compressed with LZ4, which needs an optional package: npm install lz4-napi",
    );
  });

  it("refuses a compression that it does not know", async () => {
    await expect(ensureArrowCodec(7, "x")).rejects.toThrow(
      "x: unknown Arrow compression, expected LZ4 or ZSTD: 7",
    );
  });

  it("unpacks ZSTD into memory of its own and checks the size", async () => {
    await ensureArrowCodec(CompressionType.ZSTD, "x");
    const codec = compressionRegistry.get(CompressionType.ZSTD);
    const unpacked = codec?.decode?.(buffer(100n));
    expect(Buffer.from(unpacked ?? []).toString()).toBe("0123456789".repeat(10));
    expect(unpacked?.byteOffset).toBe(0);
    expect(() => codec?.decode?.(buffer(99n))).toThrow();
    expect(() => codec?.decode?.(buffer(101n))).toThrow("unpacks to 100 bytes instead of 101");
    expect(() => codec?.decode?.(buffer(-5n))).toThrow("impossible size of a compressed buffer: -5");
  });

  it("leaves a codec alone that is registered already", async () => {
    const mine = { decode: (bytes: Uint8Array) => bytes };
    compressionRegistry.set(CompressionType.LZ4_FRAME, mine);
    await ensureArrowCodec(CompressionType.LZ4_FRAME, "x");
    expect(compressionRegistry.get(CompressionType.LZ4_FRAME)).toBe(mine);
  });
});
