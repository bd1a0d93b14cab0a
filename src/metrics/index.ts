export { type AurocOptions, type AurocResult, auroc } from "./auroc.ts";
export {
  type AveragePrecisionOptions,
  type AveragePrecisionResult,
  averagePrecision,
} from "./average-precision.ts";
export {
  type BootstrapMethod,
  type BootstrapOptions,
  type BootstrapResult,
  bootstrap,
  type PairedBootstrapResult,
  pairedBootstrap,
  type RowStatistic,
} from "./bootstrap.ts";
export { type BootstrapAurocOptions, type BootstrapAurocResult, bootstrapAuroc } from "./bootstrap-auroc.ts";
export {
  type BrierMulticlassOptions,
  type BrierMulticlassResult,
  type BrierResult,
  brierScore,
  brierScoreMulticlass,
} from "./brier.ts";
export {
  type BinStrategy,
  type CalibrationBins,
  type CalibrationErrorOptions,
  type CalibrationErrorResult,
  type CalibrationNorm,
  calibrationError,
} from "./calibration-error.ts";
export {
  type ClasswiseCalibrationErrorResult,
  classwiseCalibrationError,
  topLabelCalibrationError,
} from "./classwise-calibration-error.ts";
export type { NanPolicy } from "./confidence-rows.ts";
export { type ConfusionMatrix, type ConfusionOptions, confusionMatrix } from "./confusion.ts";
export {
  confidenceFromPositive,
  type DecisionConfidence,
  topLabelConfidence,
} from "./decision-confidence.ts";
export { type AbsentClass, type F1Options, type F1Scores, f1Scores } from "./f1-scores.ts";
export { type LogLossOptions, type LogLossResult, negativeLogLikelihood } from "./log-loss.ts";
export { mcnemarExact } from "./mcnemar.ts";
export type { MeanLossOptions } from "./mean-loss.ts";
export {
  type PermutationNullOptions,
  type PermutationNullResult,
  type PermutationTail,
  permutationNull,
} from "./permutation-null.ts";
export {
  type BetaPosterior,
  type BetaPosteriorOptions,
  betaPosterior,
  betaPosteriorQuantile,
  clopperPearsonInterval,
  type LevelOptions,
  type ProportionEstimate,
  type ProportionMethod,
  type ProportionOptions,
  proportionInterval,
  wilsonInterval,
} from "./proportions.ts";
export { emptyRate, type Rate, rateOf, withInterval } from "./rate.ts";
export { type ReliabilityDiagram, type ReliabilityOptions, reliabilityDiagram } from "./reliability.ts";
export {
  type RiskCoverageCurve,
  type RiskCoverageOptions,
  type RiskCoverageResult,
  riskCoverage,
} from "./risk-coverage.ts";
export { createRobustness, type RobustnessAccumulator } from "./robustness/create-robustness.ts";
export {
  deltasFromRates,
  type PublishedDelta,
  type PublishedDeltas,
  type PublishedRates,
} from "./robustness/deltas-from-rates.ts";
export type { FaultGroup } from "./robustness/fault-types.ts";
export {
  type RobustnessColumns,
  type RobustnessRow,
  robustness,
  robustnessFromTable,
} from "./robustness/robustness.ts";
export type { RobustnessColumn, RobustnessOptions } from "./robustness/robustness-options.ts";
export type {
  CostRow,
  DegradedPairs,
  FaultTypeRow,
  GapRow,
  InjectionSetting,
  McNemarTest,
  NamedDelta,
  PassRate,
  PassRateDelta,
  PassRateInterval,
  RobustnessCondition,
  RobustnessResult,
  RobustnessSystem,
  SeedRow,
  Sensitivity,
  SensitivityRow,
  UnpairedTasks,
} from "./robustness/robustness-result.ts";
export type { ScoreDirection } from "./score-direction.ts";
export {
  type SmoothCalibrationErrorOptions,
  type SmoothCalibrationErrorResult,
  type SmoothError,
  smoothCalibrationError,
} from "./smooth-calibration-error.ts";
export { TOOLFAULT_BASELINES, type ToolFaultBaseline, toolFaultBaseline } from "./toolfault/baselines.ts";
export type { SliceColumns } from "./toolfault/compile-gold.ts";
export { type LabelLogprobs, labelLogprobs, type TokenLogprob } from "./toolfault/label-logprobs.ts";
export {
  ACTION_DEFINITIONS,
  FAULT_DEFINITIONS,
  FAULT_TYPES,
  type FaultType,
  faultTypeCode,
  NEXT_ACTIONS,
  type NextAction,
  nextActionCode,
} from "./toolfault/labels.ts";
export {
  type FoundToolFaultAnswer,
  findToolFaultAnswer,
  parseToolFaultAnswer,
  type TextSpan,
} from "./toolfault/parse-answer.ts";
export {
  type PromptMessage,
  TOOLFAULT_PROMPT_VERSION,
  toolFaultPrompt,
  toolFaultPromptHash,
} from "./toolfault/prompt.ts";
export { toolFaultItems, toolFaultItemsFromTable } from "./toolfault/read-items.ts";
export type {
  ToolFaultAnswer,
  ToolFaultGold,
  ToolFaultItem,
  ToolFaultPrediction,
  ToolFaultPredictionColumns,
} from "./toolfault/tool-fault-item.ts";
export { toolFaultMetrics, toolFaultMetricsFromTable } from "./toolfault/tool-fault-metrics.ts";
export type { ToolFaultOptions } from "./toolfault/tool-fault-options.ts";
export {
  type ShareInterval,
  TOOLFAULT_METRICS,
  type ToolFaultClass,
  type ToolFaultComparison,
  type ToolFaultDifference,
  type ToolFaultMetricName,
  type ToolFaultResult,
  type ToolFaultRun,
  type ToolFaultSlice,
} from "./toolfault/tool-fault-result.ts";
export { WHEN2CALL_STATUSES, type When2CallStatus } from "./when2call/choice-outcome.ts";
export type { When2CallPrediction } from "./when2call/prediction-reader.ts";
export { WHEN2CALL_CHOICES, type When2CallChoice, type When2CallItem } from "./when2call/when2call-item.ts";
export { when2callItems, when2callItemsFromTable } from "./when2call/when2call-items.ts";
export {
  type When2CallPredictionColumns,
  type When2CallRows,
  when2callMetrics,
  when2callMetricsFromTable,
} from "./when2call/when2call-metrics.ts";
export type { When2CallOptions, When2CallSettings } from "./when2call/when2call-options.ts";
export {
  createWhen2CallReader,
  type When2CallReader,
  type When2CallReaderOptions,
} from "./when2call/when2call-reader.ts";
export type {
  When2CallClass,
  When2CallConfusion,
  When2CallMetrics,
  When2CallResult,
  When2CallSlice,
} from "./when2call/when2call-result.ts";
export { createWhen2CallScorer, type When2CallScorer } from "./when2call/when2call-scorer.ts";
