export { actionFromLetter, parseAction, sameCoarsePair } from "./data/action.ts";
export { ADAPTERS, adaptRecords, loadAdapter } from "./data/adapters.ts";
export { type AppendedColumn, appendArrowColumns, appendedSchema } from "./data/append-arrow-columns.ts";
export { appendToLines, lineRanges } from "./data/append-jsonl.ts";
export { appendTableColumns } from "./data/append-table-columns.ts";
export { batchFromArrow } from "./data/arrow-columns.ts";
export { arrowJsonRows } from "./data/arrow-json-rows.ts";
export { type ArrowChunk, arrowChunks, readArrowSchema } from "./data/arrow-messages.ts";
export { describeArrowType, foundArrowColumns } from "./data/arrow-types.ts";
export { type AtomicFile, openAtomicFile } from "./data/atomic-file.ts";
export type { ByteSink } from "./data/byte-sink.ts";
export { callKey } from "./data/call-key.ts";
export { canonicalJson } from "./data/canonical-json.ts";
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
export { decodeArrowChunk } from "./data/decode-arrow-chunk.ts";
export { expandInputs } from "./data/expand-inputs.ts";
export { fileBytes } from "./data/file-bytes.ts";
export { detectFormat, type FileFormat, formatFromName } from "./data/file-format.ts";
export { type JsonDocument, jsonDocuments } from "./data/json-documents.ts";
export { jsonlChunks } from "./data/jsonl-chunks.ts";
export { readGoldActions, readMessages, readToolCalls } from "./data/messages.ts";
export { foundParquetColumns } from "./data/parquet-schema.ts";
export { parseJsonLine } from "./data/parse-json-line.ts";
export { type ParsedChunk, parseJsonlChunk } from "./data/parse-jsonl-chunk.ts";
export { type ParsedPythonCall, parsePythonCalls } from "./data/python-calls.ts";
export { type ArrowBatches, readArrowBatches } from "./data/read-arrow-batches.ts";
export { type ReadColumnsOptions, readParquetColumns } from "./data/read-parquet-duckdb.ts";
export {
  type ReadBatchesOptions,
  readParquetArrowSchema,
  readParquetBatches,
} from "./data/read-parquet-wasm.ts";
export type { RolloutRow, RowAdapter } from "./data/row-adapter.ts";
export { batchFromRows, foundRowColumns } from "./data/rows-columns.ts";
export { createRowSchema, recordBatchFromRows } from "./data/rows-to-arrow.ts";
export { type SpliceOptions, spliceParquet } from "./data/splice-parquet.ts";
export { type ArrowWriter, createArrowWriter } from "./data/write-arrow.ts";
export { createParquetWriter, type ParquetWriter, type ParquetWriterOptions } from "./data/write-parquet.ts";
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
export type { FinishedRows, GroupState, RewardJob, RowParts } from "./rewards/reward-job.ts";
export {
  type PlanParts,
  type PlanState,
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
