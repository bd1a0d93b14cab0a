import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrowMetadata } from "../../../src/data/arrow/arrow-framing.ts";
import { arrowMessageHead } from "../../../src/data/arrow/arrow-message-head.ts";
import { arrowChunks } from "../../../src/data/arrow/arrow-messages.ts";
import { collect, goldenArrow, inPieces } from "../../golden/arrow-files.ts";

async function metadataOf(file: string): Promise<Uint8Array> {
  const [chunk] = await collect(arrowChunks(inPieces(goldenArrow(file)), file));
  return arrowMetadata(chunk?.batch ?? new Uint8Array(0));
}

describe("arrowMessageHead", () => {
  it("reads a record batch", async () => {
    const head = arrowMessageHead(await metadataOf("rollouts.arrows"));
    expect(head).toMatchObject({ kind: "batch", rows: 3, codec: null });
    // group_id, logprobs, its items (0 + 1 + 2), action.
    expect([...head.nodeLengths]).toEqual([3, 3, 3, 3]);
  });

  it.each([
    ["lz4.arrow", 0],
    ["zstd.arrows", 1],
    ["polars-lz4.arrow", 0],
    ["polars-zstd.arrows", 1],
  ])("finds the compression of %s", async (file, codec) => {
    expect(arrowMessageHead(await metadataOf(file)).codec).toBe(codec);
  });

  it("throws nothing but RangeErrors on damaged bytes, and never runs away", async () => {
    const metadata = await metadataOf("rollouts.arrows");
    const changes = fc.array(fc.tuple(fc.nat(metadata.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(changes, (list) => {
        const bytes = metadata.slice();
        for (const [at, value] of list) bytes[at] = value;
        try {
          const head = arrowMessageHead(bytes);
          expect(head.nodeLengths.length).toBeLessThanOrEqual(bytes.length / 16);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
