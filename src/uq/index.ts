export type { RetryDelays } from "../inference/retry-delay.ts";
export { applyCalibrator } from "./calibrators/apply-calibrator.ts";
export type {
  Calibrator,
  CalibratorFit,
  CalibratorFlag,
  CalibratorKind,
  IsotonicCalibrator,
  PlattCalibrator,
  TemperatureCalibrator,
} from "./calibrators/calibrator.ts";
export { CALIBRATOR_SCHEMA, calibratorFromJson, calibratorToJson } from "./calibrators/calibrator-json.ts";
export {
  type CrossFit,
  type CrossFitFlag,
  type CrossFitOptions,
  crossFitCalibrator,
} from "./calibrators/cross-fit.ts";
export {
  type CalibratorEvaluation,
  type EvaluateOptions,
  evaluateCalibrator,
} from "./calibrators/evaluate-calibrator.ts";
export { fitIsotonic, type IsotonicOptions } from "./calibrators/fit-isotonic.ts";
export { fitPlatt, type PlattOptions } from "./calibrators/fit-platt.ts";
export { fitTemperature, type TemperatureOptions } from "./calibrators/fit-temperature.ts";
export { type CertaintyOptions, certainty } from "./certainty.ts";
export {
  type ConformalCoverage,
  type ConformalOptions,
  type ConformalThreshold,
  conformalCoverage,
  conformalThreshold,
  type GroupThreshold,
} from "./conformal.ts";
export {
  type CorpusPerplexity,
  type CorpusPerplexityOptions,
  corpusPerplexity,
} from "./corpus-perplexity.ts";
export {
  type CalibrationIou,
  type CalibrationIouOptions,
  calibrationIou,
  type IouResamplingOptions,
  type PerClass,
} from "./iou/calibration-iou.ts";
export {
  type CompareIouOptions,
  compareCalibrationIou,
  type IouComparison,
  type IouRun,
} from "./iou/compare-iou.ts";
export type { IouMethod } from "./iou/iou-cells.ts";
export { type CountsIou, countBins, type IouNormalize, iouFromCounts } from "./iou/iou-counts.ts";
export { type IouEdges, type IouEdgesOptions, iouEdges, riceBins } from "./iou/iou-edges.ts";
export { IOU_FLAGS, type IouFlag, type IouMethodOptions } from "./iou/iou-estimate.ts";
export type { IouScale } from "./iou/iou-rows.ts";
export {
  createLogProbEngine,
  LOG_PROB_BACKENDS,
  type LogProbBackendName,
  type LogProbEngine,
  type LogProbEngineOptions,
  type LogProbWork,
} from "./logprobs/create-log-prob-engine.ts";
export { type CudaBackend, type CudaOptions, createCudaBackend } from "./logprobs/cuda-backend.ts";
export { createJsBackend } from "./logprobs/js-backend.ts";
export {
  type BackendInfo,
  type DeviceArray,
  type HiddenBlock,
  type LogitsBlock,
  type LogitType,
  type LogProbBackend,
  type LogProbColumns,
  type OutputHead,
  ROW_STATUS,
  type Want,
} from "./logprobs/log-prob-backend.ts";
export {
  createPromptScorer,
  type PromptScorer,
  type PromptScorerOptions,
  type ScoredText,
  type ScoringServer,
} from "./logprobs/server/create-prompt-scorer.ts";
export { ROW_REASONS, type RowReason, rowReasonOf } from "./logprobs/server/row-failure.ts";
export type { Boundary, PromptParts, TextToScore } from "./logprobs/server/sequence-ids.ts";
export {
  LOGPROBS_MODES,
  type LogprobsMode,
  SERVER_KINDS,
  type ServerKind,
} from "./logprobs/server/server-kinds.ts";
export type { SharedLogits } from "./logprobs/shared-logits.ts";
export type {
  TensorFlow,
  TensorFlowFunction,
  TfKernelBackend,
  TfTensor,
} from "./logprobs/tfjs/tensor-flow.ts";
export { createTfjsBackend, type TfjsOptions } from "./logprobs/tfjs-backend.ts";
export {
  createWasmBackend,
  type WasmBackend,
  type WasmBackendOptions,
  type WasmSimd,
  wasmSimd,
} from "./logprobs/wasm-backend.ts";
export {
  type GroupMargin,
  type GroupMarginOptions,
  groupMargin,
  MARGIN_STATUSES,
  type MarginRules,
  type MarginStatus,
} from "./margin.ts";
export { confidenceFromNll, nllFromPpl, pplFromNll } from "./nll.ts";
export {
  DEFAULT_SENTINELS,
  type PerplexityColumns,
  type PerplexityOptions,
  perplexity,
  type RaggedMask,
} from "./perplexity.ts";
export { PERPLEXITY_FLAGS, type PerplexityFlag, perplexityFlags } from "./perplexity-flags.ts";
export { agreementConfidence, type SampleAgreement, sampleAgreement } from "./sample-agreement.ts";
export { type SequencePerplexity, sequencePerplexity } from "./sequence-perplexity.ts";
export { type WrongButLow, type WrongButLowOptions, wrongButLowUncertainty } from "./wrong-but-low.ts";
