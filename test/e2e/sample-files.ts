import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRowSchema, recordBatchFromRows } from "../../src/data/arrow/rows-to-arrow.ts";
import { createArrowWriter } from "../../src/data/arrow/write-arrow.ts";
import type { ByteSink } from "../../src/data/byte-sink.ts";
import { createParquetWriter } from "../../src/data/parquet/write-parquet.ts";
import { SAMPLE } from "./run-cli.ts";

export type Row = Record<string, unknown>;

/** The rows of a JSON Lines text. */
export function rowsOf(text: string): Row[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

/** A sink that keeps what it is given. */
export function memorySink(): ByteSink & { bytes(): Buffer } {
  const pieces: Uint8Array[] = [];
  let position = 0;
  return {
    get position() {
      return position;
    },
    async write(bytes) {
      pieces.push(bytes);
      position += bytes.length;
    },
    bytes: () => Buffer.concat(pieces),
  };
}

/** Writes the bundled sample as sample.arrow, .arrows and .parquet, in batches and row groups that cut groups in two. */
export async function writeSampleFiles(folder: string): Promise<void> {
  const rows = rowsOf(readFileSync(SAMPLE, "utf8"));
  const accumulated = createRowSchema();
  accumulated.add(rows, "sample");
  const schema = accumulated.finish();
  const arrow = memorySink();
  const stream = memorySink();
  const parquet = memorySink();
  const writers = [
    createArrowWriter(arrow, schema, "file"),
    createArrowWriter(stream, schema, "stream"),
    await createParquetWriter(parquet, schema, { maxRowGroupRows: 20 }),
  ];
  for (let start = 0; start < rows.length; start += 20) {
    const batch = recordBatchFromRows(rows.slice(start, start + 20), schema);
    for (const writer of writers) await writer.write(batch);
  }
  for (const writer of writers) await writer.close();
  writeFileSync(join(folder, "sample.arrow"), arrow.bytes());
  writeFileSync(join(folder, "sample.arrows"), stream.bytes());
  writeFileSync(join(folder, "sample.parquet"), parquet.bytes());
}
