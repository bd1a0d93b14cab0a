import { RecordBatchFileWriter } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { arrowJsonRows } from "../../../src/data/arrow/arrow-json-rows.ts";
import { arrowChunks, readArrowSchema } from "../../../src/data/arrow/arrow-messages.ts";
import { readArrowBatches } from "../../../src/data/arrow/read-arrow-batches.ts";
import { collect, goldenArrow, inPieces } from "../../golden/arrow-files.ts";

/** A file as apache-arrow for JavaScript writes it: the schema stands in the footer only. */
async function withoutSchema(file: string): Promise<{ bytes: Uint8Array; rows: string[] }> {
  const batches = await collect((await readArrowBatches(inPieces(goldenArrow(file)), file)).batches);
  const writer = new RecordBatchFileWriter();
  for (const batch of batches) writer.write(batch);
  writer.close();
  return { bytes: writer.toUint8Array(true), rows: batches.flatMap(arrowJsonRows) };
}

/** A source that counts what is taken from it. */
function counted(bytes: Uint8Array): {
  source: AsyncGenerator<Uint8Array>;
  taken: () => number;
  closed: () => boolean;
} {
  let taken = 0;
  let closed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of inPieces(bytes, 64)) {
        taken += piece.length;
        yield piece;
      }
    } finally {
      closed = true;
    }
  }
  return { source: source(), taken: () => taken, closed: () => closed };
}

describe("openArrow with a schema in the footer only", () => {
  const FILES = ["rollouts.arrow", "nested.arrows", "delta.arrows"];

  it.each(FILES)("reads %s with and without reopening", async (file) => {
    const { bytes, rows } = await withoutSchema(file);
    for (const options of [{}, { reopen: () => inPieces(bytes, 100) }]) {
      const { batches } = await readArrowBatches(inPieces(bytes, 100), "x", options);
      expect((await collect(batches)).flatMap(arrowJsonRows)).toEqual(rows);
      const chunks = await collect(arrowChunks(inPieces(bytes, 100), "x", options));
      expect(chunks.reduce((sum, chunk) => sum + chunk.rows, 0)).toBe(rows.length);
    }
  });

  it("leaves the first source at once and closes all it opened", async () => {
    const { bytes } = await withoutSchema("rollouts.arrow");
    const first = counted(bytes);
    const opened: ReturnType<typeof counted>[] = [];
    const reopen = (): AsyncIterable<Uint8Array> => {
      const next = counted(bytes);
      opened.push(next);
      return next.source;
    };
    const schema = await readArrowSchema(first.source, "x", { reopen });
    expect(schema.fields.map((field) => field.name)).toEqual(["group_id", "logprobs", "action"]);
    expect(first.taken()).toBeLessThan(bytes.length / 2);
    expect(opened.map((source) => source.taken())).toEqual([bytes.length, 64]);
    expect([first, ...opened].map((source) => source.closed())).toEqual([true, true, true]);
  });

  it("says where the file is cut off, and closes", async () => {
    const { bytes } = await withoutSchema("rollouts.arrow");
    const cut = bytes.subarray(0, bytes.length - 3);
    const last = counted(cut);
    await expect(readArrowSchema(inPieces(cut), "x", { reopen: () => last.source })).rejects.toThrow(
      "x is cut off: it ends without the closing footer after 2 record batches (8 rows)",
    );
    expect(last.closed()).toBe(true);
  });
});
