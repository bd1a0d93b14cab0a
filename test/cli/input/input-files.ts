import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRowSchema, recordBatchFromRows } from "../../../src/data/arrow/rows-to-arrow.ts";
import { createArrowWriter } from "../../../src/data/arrow/write-arrow.ts";
import type { ByteSink } from "../../../src/data/byte-sink.ts";
import { createParquetWriter } from "../../../src/data/parquet/write-parquet.ts";
import { temporaryFolder } from "../../e2e/run-cli.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Puts bytes into files of a folder of its own, and gives their paths. */
export function fileMaker(): (name: string, content: string | Uint8Array) => string {
  const folder = temporaryFolder();
  return (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
}

/** Rows in a binary format, `batchRows` a record batch. */
export async function encoded(
  format: "file" | "stream" | "parquet",
  rows: readonly Row[],
  batchRows: number = rows.length,
): Promise<Uint8Array> {
  const builder = createRowSchema();
  builder.add(rows, "rows");
  const schema = builder.finish();
  const pieces: Uint8Array[] = [];
  let position = 0;
  const sink: ByteSink = {
    get position() {
      return position;
    },
    async write(bytes) {
      pieces.push(bytes.slice());
      position += bytes.length;
    },
  };
  const writer =
    format === "parquet" ? await createParquetWriter(sink, schema) : createArrowWriter(sink, schema, format);
  for (let at = 0; at < rows.length; at += batchRows)
    await writer.write(recordBatchFromRows(rows.slice(at, at + batchRows), schema));
  await writer.close();
  return Buffer.concat(pieces);
}
