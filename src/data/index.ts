export { actionFromLetter, parseAction, sameCoarsePair } from "./action.ts";
export { ADAPTERS, adaptRecords, loadAdapter } from "./adapters.ts";
export { type AppendedColumn, appendArrowColumns, appendedSchema } from "./append-arrow-columns.ts";
export { appendToLines, lineRanges } from "./append-jsonl.ts";
export { appendTableColumns } from "./append-table-columns.ts";
export { batchFromArrow } from "./arrow-columns.ts";
export { arrowJsonRows } from "./arrow-json-rows.ts";
export { type ArrowChunk, arrowChunks, readArrowSchema } from "./arrow-messages.ts";
export { describeArrowType, foundArrowColumns } from "./arrow-types.ts";
export { type AtomicFile, openAtomicFile } from "./atomic-file.ts";
export type { ByteSink } from "./byte-sink.ts";
export { callKey } from "./call-key.ts";
export { canonicalJson } from "./canonical-json.ts";
export { type ColumnRenames, checkColumns } from "./check-columns.ts";
export { COLUMN_TYPES } from "./column-types.ts";
export type {
  Column,
  ColumnKind,
  ColumnNeeds,
  ColumnRequest,
  FoundColumn,
  JsonColumn,
  KeyColumn,
  ListColumn,
  NumberColumn,
  ResultColumn,
  RolloutBatch,
  TextColumn,
} from "./columns.ts";
export { decodeArrowChunk } from "./decode-arrow-chunk.ts";
export { expandInputs } from "./expand-inputs.ts";
export { fileBytes } from "./file-bytes.ts";
export { detectFormat, type FileFormat, formatFromName } from "./file-format.ts";
export { type JsonDocument, jsonDocuments } from "./json-documents.ts";
export { jsonlChunks } from "./jsonl-chunks.ts";
export { readGoldActions, readMessages, readToolCalls } from "./messages.ts";
export { foundParquetColumns } from "./parquet-schema.ts";
export { parseJsonLine } from "./parse-json-line.ts";
export { type ParsedChunk, parseJsonlChunk } from "./parse-jsonl-chunk.ts";
export { type ParsedPythonCall, parsePythonCalls } from "./python-calls.ts";
export { type ArrowBatches, readArrowBatches } from "./read-arrow-batches.ts";
export { type ReadColumnsOptions, readParquetColumns } from "./read-parquet-duckdb.ts";
export { type ReadBatchesOptions, readParquetArrowSchema, readParquetBatches } from "./read-parquet-wasm.ts";
export type { RolloutRow, RowAdapter } from "./row-adapter.ts";
export { batchFromRows, foundRowColumns } from "./rows-columns.ts";
export { createRowSchema, recordBatchFromRows } from "./rows-to-arrow.ts";
export { type SpliceOptions, spliceParquet } from "./splice-parquet.ts";
export { type ArrowWriter, createArrowWriter } from "./write-arrow.ts";
export { createParquetWriter, type ParquetWriter, type ParquetWriterOptions } from "./write-parquet.ts";
