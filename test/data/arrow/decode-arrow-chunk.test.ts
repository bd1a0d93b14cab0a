import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrowJsonRows } from "../../../src/data/arrow/arrow-json-rows.ts";
import { type ArrowChunk, arrowChunks } from "../../../src/data/arrow/arrow-messages.ts";
import { decodeArrowChunk } from "../../../src/data/arrow/decode-arrow-chunk.ts";
import { CalibrantError } from "../../../src/errors.ts";
import { collect, EXPECTED_ARROW, goldenArrow, inPieces, keptRows } from "../../golden/arrow-files.ts";

describe("decodeArrowChunk", () => {
  it.each(Object.entries(EXPECTED_ARROW))("decodes every batch of %s alone", async (file, expected) => {
    const rows: string[] = [];
    for (const { prefix, batch } of await collect(arrowChunks(inPieces(goldenArrow(file)), file))) {
      rows.push(...arrowJsonRows(await decodeArrowChunk(prefix, batch, file)));
    }
    expect(keptRows(rows, expected)).toEqual(expected.rows);
  });

  it("decodes after both parts went to another thread and back", async () => {
    const chunks = await collect(arrowChunks(inPieces(goldenArrow("delta.arrows")), "x"));
    const sent = structuredClone(chunks);
    const last = sent.at(-1);
    const batch = await decodeArrowChunk(last?.prefix ?? new Uint8Array(0), last?.batch ?? new Uint8Array(0));
    expect(arrowJsonRows(batch).at(-1)).toBe('{"k":"e"}');
  });

  it("leaves uncompressed values where they are", async () => {
    const [chunk] = await collect(arrowChunks(inPieces(goldenArrow("rollouts.arrow")), "x"));
    const batch = await decodeArrowChunk(
      chunk?.prefix ?? new Uint8Array(0),
      chunk?.batch ?? new Uint8Array(0),
    );
    expect(batch.data.children[0]?.values.buffer).toBe(chunk?.batch.buffer);
  });

  it("reads a batch without rows whose texts come without offsets", async () => {
    const { prefix, batch } = (
      await collect(arrowChunks(inPieces(goldenArrow("nested.arrows")), "x"))
    )[1] as ArrowChunk;
    const emptied = batch.slice();
    // Found by the test below: the batch then says that it has no rows.
    emptied[3385] = 2;
    emptied[2504] = 5;
    const decoded = await decodeArrowChunk(prefix, emptied, "x");
    expect([decoded.numRows, arrowJsonRows(decoded)]).toEqual([0, []]);
  });

  it.each(["rollouts.arrow", "nested.arrows", "lz4.arrow", "zstd.arrows", "polars.arrows"])(
    "fails by a CalibrantError or reads on, whatever bytes of %s change",
    async (file) => {
      const chunks = await collect(arrowChunks(inPieces(goldenArrow(file)), file));
      const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(fc.nat(chunks.length - 1), changes, async (index, list) => {
          const { prefix, batch } = chunks[index] as ArrowChunk;
          const damaged = batch.slice();
          for (const [at, value] of list) damaged[8 + (at % (batch.length - 8))] = value;
          try {
            const decoded = await decodeArrowChunk(prefix, damaged, "x");
            try {
              arrowJsonRows(decoded);
            } catch (error) {
              expect((error as Error).message).toBe("text is not UTF-8");
            }
          } catch (error) {
            expect(error).toBeInstanceOf(CalibrantError);
            expect((error as CalibrantError).code).toBe("data");
            expect((error as CalibrantError).message).toMatch(/^x\b.*$/);
          }
        }),
        { numRuns: 200 },
      );
    },
  );
});
