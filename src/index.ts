export { ADAPTERS, adaptRecords, loadAdapter } from "./data/adapters/adapters.ts";
export type { RolloutRow, RowAdapter } from "./data/adapters/row-adapter.ts";
export {
  type AppendedColumn,
  appendArrowColumns,
  appendedSchema,
} from "./data/arrow/append-arrow-columns.ts";
export { appendTableColumns } from "./data/arrow/append-table-columns.ts";
export { batchFromArrow } from "./data/arrow/arrow-columns.ts";
export { arrowJsonRows } from "./data/arrow/arrow-json-rows.ts";
export { type ArrowChunk, arrowChunks, readArrowSchema } from "./data/arrow/arrow-messages.ts";
export { describeArrowType, foundArrowColumns } from "./data/arrow/arrow-types.ts";
export { decodeArrowChunk } from "./data/arrow/decode-arrow-chunk.ts";
export type { ArrowReadOptions } from "./data/arrow/open-arrow.ts";
export { type ArrowBatches, readArrowBatches } from "./data/arrow/read-arrow-batches.ts";
export { createRowSchema, type RowSchemaBuilder, recordBatchFromRows } from "./data/arrow/rows-to-arrow.ts";
export { type ArrowWriter, createArrowWriter } from "./data/arrow/write-arrow.ts";
export { type AtomicFile, openAtomicFile } from "./data/atomic-file.ts";
export type { ByteSink } from "./data/byte-sink.ts";
export { actionFromLetter, parseAction, sameCoarsePair } from "./data/calls/action.ts";
export { callKey } from "./data/calls/call-key.ts";
export { canonicalJson } from "./data/calls/canonical-json.ts";
export { readGoldActions, readMessages, readToolCalls } from "./data/calls/messages.ts";
export {
  type ParsedPythonCall,
  type PythonCallOptions,
  parsePythonCalls,
} from "./data/calls/python-calls.ts";
export { type ColumnRenames, checkColumns } from "./data/check-columns.ts";
export { COLUMN_TYPES } from "./data/column-types.ts";
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
} from "./data/columns.ts";
export { expandInputs } from "./data/expand-inputs.ts";
export { fileBytes } from "./data/file-bytes.ts";
export { detectFormat, type FileFormat, formatFromName } from "./data/file-format.ts";
export { appendToLines } from "./data/jsonl/append-jsonl.ts";
export { type JsonDocument, jsonDocuments } from "./data/jsonl/json-documents.ts";
export { type JsonlChunkOptions, jsonlChunks } from "./data/jsonl/jsonl-chunks.ts";
export { type LineRanges, lineRanges } from "./data/jsonl/line-ranges.ts";
export { type ParsedJson, type ParseJsonOptions, parseJsonLine } from "./data/jsonl/parse-json-line.ts";
export { type ParsedChunk, parseJsonlChunk } from "./data/jsonl/parse-jsonl-chunk.ts";
export type { Row } from "./data/jsonl/row-value.ts";
export { batchFromRows, foundRowColumns } from "./data/jsonl/rows-columns.ts";
export type { JsonPieceOptions } from "./data/jsonl/split-json.ts";
export { foundParquetColumns } from "./data/parquet/parquet-schema.ts";
export { type ReadColumnsOptions, readParquetColumns } from "./data/parquet/read-parquet-duckdb.ts";
export {
  type ReadBatchesOptions,
  readParquetArrowSchema,
  readParquetBatches,
} from "./data/parquet/read-parquet-wasm.ts";
export { type SpliceOptions, spliceParquet } from "./data/parquet/splice-parquet.ts";
export {
  createParquetWriter,
  type ParquetWriter,
  type ParquetWriterOptions,
} from "./data/parquet/write-parquet.ts";
export { CalibrantError, ERROR_STATUS, type ErrorCode } from "./errors.ts";
export {
  type AdvantageOptions,
  type AdvantageStats,
  type Advantages,
  createAdvantageStats,
  type GroupStats,
  groupAdvantages,
} from "./rewards/advantage.ts";
export {
  type AgreementFunction,
  type AgreementMethod,
  type AnswerAgreementInput,
  type AnswerAgreementOptions,
  answerAgreement,
} from "./rewards/answer-agreement.ts";
export {
  type Bench2RobustOptions,
  type Bench2RobustTerms,
  bench2robustJob,
  bench2robustReward,
  efficiency,
  largestRepetition,
  partialCredit,
  type RepetitionCounting,
  repetition,
} from "./rewards/bench2robust.ts";
export type { TurnCounting } from "./rewards/bench2robust-rows.ts";
export { callAgreement, callPairAgreement } from "./rewards/call-agreement.ts";
export { type ClipOptions, type ClippedRatios, clipRatio } from "./rewards/clip.ts";
export { type CompiledExpression, compileExpression, type ExpressionOptions } from "./rewards/expression.ts";
export { createGroupIndex, type GroupIndex } from "./rewards/group-index.ts";
export { lowVarKl } from "./rewards/kl.ts";
export { matchActions } from "./rewards/match-actions.ts";
export { parseCalls } from "./rewards/parse-calls.ts";
export {
  type ParsedResponse,
  parseLastMessage,
  parseResponse,
  type ResponseReason,
} from "./rewards/parse-response.ts";
export type { PlanOutput } from "./rewards/plan-outputs.ts";
export type { PlanParts, PlanState } from "./rewards/plan-state.ts";
export type { FinishedRows, GroupState, RewardJob, RowParts } from "./rewards/reward-job.ts";
export {
  planRewards,
  REWARD_NAMES,
  type RewardName,
  type RewardPlan,
  type RewardPlanOptions,
} from "./rewards/reward-plan.ts";
export { scoreBatches } from "./rewards/score-batches.ts";
export {
  type Bench2RobustRollout,
  type Bench2RobustScores,
  scoreBench2Robust,
} from "./rewards/score-bench2robust.ts";
export { scoreBench2RobustTable, scoreTable, scoreTrustTable } from "./rewards/score-table.ts";
export {
  type LogprobList,
  type ScoreTrustOptions,
  scoreTrust,
  type TrustRollout,
  type TrustScores,
} from "./rewards/score-trust.ts";
export { tokenF1 } from "./rewards/token-f1.ts";
export { type TrustOptions, type TrustWeights, trustJob } from "./rewards/trust.ts";
export { TRUST_STATUSES } from "./rewards/trust-status.ts";
export {
  ACTIONS,
  type Action,
  type GoldAction,
  type Message,
  type NumericArray,
  type ToolCall,
} from "./types.ts";
export { type CertaintyOptions, certainty } from "./uq/certainty.ts";
export {
  type CorpusPerplexity,
  type CorpusPerplexityOptions,
  corpusPerplexity,
} from "./uq/corpus-perplexity.ts";
export {
  type GroupMargin,
  type GroupMarginOptions,
  groupMargin,
  MARGIN_STATUSES,
  type MarginRules,
  type MarginStatus,
} from "./uq/margin.ts";
export { confidenceFromNll, nllFromPpl, pplFromNll } from "./uq/nll.ts";
export {
  DEFAULT_SENTINELS,
  type PerplexityColumns,
  type PerplexityOptions,
  perplexity,
  type RaggedMask,
} from "./uq/perplexity.ts";
export { PERPLEXITY_FLAGS, type PerplexityFlag, perplexityFlags } from "./uq/perplexity-flags.ts";
export { type SequencePerplexity, sequencePerplexity } from "./uq/sequence-perplexity.ts";
