import type { RecordBatch, Schema } from "apache-arrow";
import type { AppendedColumn } from "../../data/arrow/append-arrow-columns.ts";
import type { ByteSink } from "../../data/byte-sink.ts";
import type { ResultColumn } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import type { OutputFormat } from "./score-options.ts";

/** A piece of the input on its way to the output, with the columns to add to it. */
export type PassItem =
  | { readonly kind: "lines"; readonly bytes: Uint8Array; readonly name: string; readonly firstLine: number }
  | { readonly kind: "batch"; readonly batch: RecordBatch; readonly name?: string };

/** Where scored rows go: one output in one format. */
export interface ScoredTarget {
  /** Rows of an item, so that as many results can be fetched. */
  rowsOf(item: PassItem): Promise<number>;
  write(item: PassItem, columns: readonly ResultColumn[]): Promise<void>;
  close(): Promise<void>;
}

/** What every target is told: names and types of the added columns, and a note for the file's metadata. */
export interface TargetPlan {
  readonly outputs: readonly AppendedColumn[];
  readonly note: string;
}

/**
 * Opens a target.
 *
 * @param schema - the schema of the input's rows; needed by every format but JSONL.
 */
export async function openScoredTarget(
  format: OutputFormat,
  sink: ByteSink,
  plan: TargetPlan,
  schema: Schema | null,
): Promise<ScoredTarget> {
  if (format === "jsonl") return jsonlTarget(sink);
  return batchTarget(format, sink, plan, schema as Schema);
}

async function jsonlTarget(sink: ByteSink): Promise<ScoredTarget> {
  const { appendToLines } = await import("../../data/jsonl/append-jsonl.ts");
  const { lineRanges } = await import("../../data/jsonl/line-ranges.ts");
  const linesOf = async (item: PassItem): Promise<Uint8Array> => {
    if (item.kind === "lines") return item.bytes;
    const { arrowJsonRows } = await import("../../data/arrow/arrow-json-rows.ts");
    return Buffer.from(arrowJsonRows(item.batch).join("\n"));
  };
  return {
    rowsOf: async (item) =>
      item.kind === "batch" ? item.batch.numRows : lineRanges(item.bytes).starts.length,
    async write(item, columns) {
      const bytes = await linesOf(item);
      const ranges = lineRanges(bytes);
      if (ranges.starts.length > 0)
        await sink.write(appendToLines(bytes, ranges.starts, ranges.ends, columns));
    },
    close: async () => undefined,
  };
}

async function batchTarget(
  format: Exclude<OutputFormat, "jsonl">,
  sink: ByteSink,
  plan: TargetPlan,
  schema: Schema,
): Promise<ScoredTarget> {
  const { appendArrowColumns, appendedSchema } = await import("../../data/arrow/append-arrow-columns.ts");
  const { lineRanges } = await import("../../data/jsonl/line-ranges.ts");
  const outSchema = appendedSchema(schema, plan.outputs, new Map([["calibrant", plan.note]]));
  const writer = await openBatchWriter(format, sink, outSchema, plan.note);
  return {
    rowsOf: async (item) =>
      item.kind === "batch" ? item.batch.numRows : lineRanges(item.bytes).starts.length,
    async write(item, columns) {
      const batch = item.kind === "batch" ? item.batch : await batchOfLines(item, schema);
      if (batch.numRows === 0) return;
      await writer.write(appendArrowColumns(batch, columns, outSchema)).catch((error: unknown) => {
        throw withInputName(error, item.name);
      });
    },
    close: () => writer.close(),
  };
}

/** A writer knows the column that it cannot hold, but not the input that it came from. */
function withInputName(error: unknown, name: string | undefined): unknown {
  if (!(error instanceof CalibrantError) || error.details.column === undefined || name === undefined)
    return error;
  return new CalibrantError(
    error.code,
    `${name}: ${error.message}`,
    { ...error.details, name },
    { cause: error },
  );
}

interface BatchWriter {
  write(batch: RecordBatch): Promise<void>;
  close(): Promise<void>;
}

async function openBatchWriter(
  format: Exclude<OutputFormat, "jsonl">,
  sink: ByteSink,
  schema: Schema,
  note: string,
): Promise<BatchWriter> {
  if (format === "parquet") {
    const { createParquetWriter } = await import("../../data/parquet/write-parquet.ts");
    return createParquetWriter(sink, schema, { note });
  }
  const { createArrowWriter } = await import("../../data/arrow/write-arrow.ts");
  return createArrowWriter(sink, schema, format === "arrow" ? "file" : "stream");
}

async function batchOfLines(
  item: Extract<PassItem, { kind: "lines" }>,
  schema: Schema,
): Promise<RecordBatch> {
  const { parseJsonlChunk } = await import("../../data/jsonl/parse-jsonl-chunk.ts");
  const { recordBatchFromRows } = await import("../../data/arrow/rows-to-arrow.ts");
  const chunk = parseJsonlChunk(item.bytes, item.name, item.firstLine, { exactIntegers: true });
  return recordBatchFromRows(chunk.rows, schema, item.name, chunk.lineNumbers);
}
