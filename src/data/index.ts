export { ADAPTERS, adaptRecords, loadAdapter } from "./adapters/adapters.ts";
export type { RolloutRow, RowAdapter } from "./adapters/row-adapter.ts";
export { type AppendedColumn, appendArrowColumns, appendedSchema } from "./arrow/append-arrow-columns.ts";
export { appendTableColumns } from "./arrow/append-table-columns.ts";
export { batchFromArrow } from "./arrow/arrow-columns.ts";
export { arrowJsonRows } from "./arrow/arrow-json-rows.ts";
export { type ArrowChunk, arrowChunks, readArrowSchema } from "./arrow/arrow-messages.ts";
export { describeArrowType, foundArrowColumns } from "./arrow/arrow-types.ts";
export { decodeArrowChunk } from "./arrow/decode-arrow-chunk.ts";
export type { ArrowReadOptions } from "./arrow/open-arrow.ts";
export { type ArrowBatches, readArrowBatches } from "./arrow/read-arrow-batches.ts";
export { createRowSchema, type RowSchemaBuilder, recordBatchFromRows } from "./arrow/rows-to-arrow.ts";
export { type ArrowWriter, createArrowWriter } from "./arrow/write-arrow.ts";
export { type AtomicFile, openAtomicFile } from "./atomic-file.ts";
export type { ByteSink } from "./byte-sink.ts";
export { actionFromLetter, parseAction, sameCoarsePair } from "./calls/action.ts";
export { callKey } from "./calls/call-key.ts";
export { canonicalJson } from "./calls/canonical-json.ts";
export { readGoldActions, readMessages, readToolCalls } from "./calls/messages.ts";
export { type ParsedPythonCall, type PythonCallOptions, parsePythonCalls } from "./calls/python-calls.ts";
export { type ToolExchange, toolExchanges } from "./calls/tool-exchanges.ts";
export { type TurnRange, userTurns } from "./calls/user-turns.ts";
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
  ListResult,
  NumberColumn,
  ResultColumn,
  RolloutBatch,
  TextColumn,
} from "./columns.ts";
export { expandInputs } from "./expand-inputs.ts";
export { fileBytes } from "./file-bytes.ts";
export { detectFormat, type FileFormat, formatFromName } from "./file-format.ts";
export { appendToLines } from "./jsonl/append-jsonl.ts";
export { type JsonDocument, jsonDocuments } from "./jsonl/json-documents.ts";
export { type JsonlChunkOptions, jsonlChunks } from "./jsonl/jsonl-chunks.ts";
export { type LineRanges, lineRanges } from "./jsonl/line-ranges.ts";
export { type ParsedJson, type ParseJsonOptions, parseJsonLine } from "./jsonl/parse-json-line.ts";
export { type ParsedChunk, parseJsonlChunk } from "./jsonl/parse-jsonl-chunk.ts";
export type { Row } from "./jsonl/row-value.ts";
export { batchFromRows, foundRowColumns } from "./jsonl/rows-columns.ts";
export type { JsonPieceOptions } from "./jsonl/split-json.ts";
export { createGroupIndex, type GroupIndex } from "./keys/group-index.ts";
export { foundParquetColumns } from "./parquet/parquet-schema.ts";
export { type ReadColumnsOptions, readParquetColumns } from "./parquet/read-parquet-duckdb.ts";
export {
  type ReadBatchesOptions,
  readParquetArrowSchema,
  readParquetBatches,
} from "./parquet/read-parquet-wasm.ts";
export { type SpliceOptions, spliceParquet } from "./parquet/splice-parquet.ts";
export {
  createParquetWriter,
  type ParquetWriter,
  type ParquetWriterOptions,
} from "./parquet/write-parquet.ts";
export {
  type ClassifiedResult,
  classifyToolResult,
  RESULT_SIGNS,
  type ResultSign,
} from "./tool-results/classify-tool-result.ts";
export type { ResultFacts, ToolResult } from "./tool-results/result-facts.ts";
