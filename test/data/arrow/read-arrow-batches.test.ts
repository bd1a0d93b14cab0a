import { describe, expect, it } from "vitest";
import { arrowJsonRows } from "../../../src/data/arrow/arrow-json-rows.ts";
import { readArrowBatches } from "../../../src/data/arrow/read-arrow-batches.ts";
import { collect, EXPECTED_ARROW, goldenArrow, inPieces, keptRows } from "../../golden/arrow-files.ts";

async function batchesOf(file: string) {
  return collect((await readArrowBatches(inPieces(goldenArrow(file), 1000), file)).batches);
}

describe("readArrowBatches", () => {
  it.each(Object.entries(EXPECTED_ARROW))("reads %s", async (file, expected) => {
    const { schema, batches } = await readArrowBatches(inPieces(goldenArrow(file)), file);
    expect(schema.fields.map((field) => field.name)).toEqual(Object.keys(expected.types));
    const all = await collect(batches);
    expect(all.map((batch) => batch.numRows)).toEqual(expected.batches);
    expect(keptRows(all.flatMap(arrowJsonRows), expected)).toEqual(expected.rows);
  });

  it("gives batches the same dictionary object until it changes", async () => {
    const [first, second] = (await batchesOf("rollouts.arrow")).map(
      (batch) => batch.getChild("action")?.data[0],
    );
    expect(first?.dictionary).toBe(second?.dictionary);
    const replaced = (await batchesOf("replaced.arrows")).map(
      (batch) => batch.getChild("k")?.data[0]?.dictionary,
    );
    expect(new Set(replaced.map((dictionary) => dictionary?.data[0])).size).toBe(3);
  });

  it("lets a dictionary grow without losing its first part", async () => {
    const grown = (await batchesOf("delta.arrows")).map((batch) => batch.getChild("k")?.data[0]?.dictionary);
    expect(grown.map((dictionary) => dictionary?.length)).toEqual([2, 3, 5]);
    expect(new Set(grown.map((dictionary) => dictionary?.data[0])).size).toBe(1);
  });

  it("decodes no batch before it is asked for", async () => {
    let pulled = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      for await (const piece of inPieces(goldenArrow("rollouts.arrows"), 64)) {
        pulled += piece.length;
        yield piece;
      }
    }
    const { batches } = await readArrowBatches(source(), "x");
    const first = await batches.next();
    expect(first.value.numRows).toBe(3);
    expect(pulled).toBeLessThan(goldenArrow("rollouts.arrows").length - 400);
    await batches.return(undefined);
  });

  it("fails where the data is cut off, after the batches before it", async () => {
    const bytes = goldenArrow("rollouts.arrows");
    const { batches } = await readArrowBatches(inPieces(bytes.slice(0, -8)), "x");
    const rows: number[] = [];
    await expect(async () => {
      for await (const batch of batches) rows.push(batch.numRows);
    }).rejects.toThrow(
      "x is cut off: it ends without the end-of-stream marker after 2 record batches (8 rows)",
    );
    expect(rows).toEqual([3, 5]);
  });

  it("closes the source when it is left early", async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* inPieces(goldenArrow("rollouts.arrows"), 100);
      } finally {
        closed = true;
      }
    }
    const { close } = await readArrowBatches(source(), "x");
    await close();
    expect(closed).toBe(true);
  });
});
