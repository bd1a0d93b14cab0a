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
export { largestRepetition, type RepetitionCounting } from "./data/calls/largest-repetition.ts";
export { readGoldActions, readMessages, readToolCalls } from "./data/calls/messages.ts";
export {
  type ParsedPythonCall,
  type PythonCallOptions,
  parsePythonCalls,
} from "./data/calls/python-calls.ts";
export { type ToolExchange, toolExchanges } from "./data/calls/tool-exchanges.ts";
export { type TurnRange, userTurns } from "./data/calls/user-turns.ts";
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
  ListResult,
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
export { createGroupIndex, type GroupIndex } from "./data/keys/group-index.ts";
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
export {
  type ClassifiedResult,
  classifyToolResult,
  RESULT_SIGNS,
  type ResultSign,
} from "./data/tool-results/classify-tool-result.ts";
export type { ResultFacts, ToolResult } from "./data/tool-results/result-facts.ts";
export { CalibrantError, CalibrantRangeError, ERROR_STATUS, type ErrorCode } from "./errors.ts";
export type { AnswerToken, ChatAnswer } from "./inference/chat-answer.ts";
export type { ChatMessage } from "./inference/chat-client.ts";
export type { RetryDelays } from "./inference/retry-delay.ts";
export {
  type Annotator,
  createAnnotator,
} from "./judge/annotate-trajectory.ts";
export type { KeyTurnAnnotation, TurnJudgement } from "./judge/annotation.ts";
export {
  type AskUntilValidOptions,
  askUntilValid,
  type EarlierAttempt,
  type JudgeAttempt,
  type JudgeQuestion,
  type StructuredSchema,
} from "./judge/ask-until-valid.ts";
export {
  createTurnJudge,
  judgedWithoutModel,
  type TurnJudge,
  type WithoutModel,
} from "./judge/judge-turn.ts";
export { type LabelBalance, type LabelCounts, labelBalance } from "./judge/label-balance.ts";
export {
  ANNOTATOR_PROMPT_VERSION,
  annotatorPromptHash,
  JUDGE_PROMPT_VERSION,
  judgePromptHash,
} from "./judge/prompt-version.ts";
export type { TextLimits } from "./judge/quoted-part.ts";
export type { TrajectoryToAnnotate } from "./judge/trajectory-to-annotate.ts";
export type { TurnToJudge } from "./judge/turn-to-judge.ts";
export { deriveSeed } from "./math/derive-seed.ts";
export { seededRandom } from "./math/seeded-random.ts";
export { type AurocOptions, type AurocResult, auroc } from "./metrics/auroc.ts";
export {
  type AveragePrecisionOptions,
  type AveragePrecisionResult,
  averagePrecision,
} from "./metrics/average-precision.ts";
export {
  type BootstrapMethod,
  type BootstrapOptions,
  type BootstrapResult,
  bootstrap,
  type PairedBootstrapResult,
  pairedBootstrap,
  type RowStatistic,
} from "./metrics/bootstrap.ts";
export {
  type BootstrapAurocOptions,
  type BootstrapAurocResult,
  bootstrapAuroc,
} from "./metrics/bootstrap-auroc.ts";
export {
  type BrierMulticlassOptions,
  type BrierMulticlassResult,
  type BrierResult,
  brierScore,
  brierScoreMulticlass,
} from "./metrics/brier.ts";
export {
  type BinStrategy,
  type CalibrationBins,
  type CalibrationErrorOptions,
  type CalibrationErrorResult,
  type CalibrationNorm,
  calibrationError,
} from "./metrics/calibration-error.ts";
export {
  type ClasswiseCalibrationErrorResult,
  classwiseCalibrationError,
  topLabelCalibrationError,
} from "./metrics/classwise-calibration-error.ts";
export type { NanPolicy } from "./metrics/confidence-rows.ts";
export { type ConfusionMatrix, type ConfusionOptions, confusionMatrix } from "./metrics/confusion.ts";
export {
  confidenceFromPositive,
  type DecisionConfidence,
  topLabelConfidence,
} from "./metrics/decision-confidence.ts";
export { type AbsentClass, type F1Options, type F1Scores, f1Scores } from "./metrics/f1-scores.ts";
export { type LogLossOptions, type LogLossResult, negativeLogLikelihood } from "./metrics/log-loss.ts";
export { mcnemarExact } from "./metrics/mcnemar.ts";
export type { MeanLossOptions } from "./metrics/mean-loss.ts";
export {
  type PermutationNullOptions,
  type PermutationNullResult,
  type PermutationTail,
  permutationNull,
} from "./metrics/permutation-null.ts";
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
} from "./metrics/proportions.ts";
export { emptyRate, type Rate, rateOf, withInterval } from "./metrics/rate.ts";
export {
  type ReliabilityDiagram,
  type ReliabilityOptions,
  reliabilityDiagram,
} from "./metrics/reliability.ts";
export {
  type RiskCoverageCurve,
  type RiskCoverageOptions,
  type RiskCoverageResult,
  riskCoverage,
} from "./metrics/risk-coverage.ts";
export { createRobustness, type RobustnessAccumulator } from "./metrics/robustness/create-robustness.ts";
export {
  deltasFromRates,
  type PublishedDelta,
  type PublishedDeltas,
  type PublishedRates,
} from "./metrics/robustness/deltas-from-rates.ts";
export type { FaultGroup } from "./metrics/robustness/fault-types.ts";
export {
  type RobustnessColumns,
  type RobustnessRow,
  robustness,
  robustnessFromTable,
} from "./metrics/robustness/robustness.ts";
export type { RobustnessColumn, RobustnessOptions } from "./metrics/robustness/robustness-options.ts";
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
} from "./metrics/robustness/robustness-result.ts";
export type { ScoreDirection } from "./metrics/score-direction.ts";
export {
  type SmoothCalibrationErrorOptions,
  type SmoothCalibrationErrorResult,
  type SmoothError,
  smoothCalibrationError,
} from "./metrics/smooth-calibration-error.ts";
export {
  TOOLFAULT_BASELINES,
  type ToolFaultBaseline,
  toolFaultBaseline,
} from "./metrics/toolfault/baselines.ts";
export type { SliceColumns } from "./metrics/toolfault/compile-gold.ts";
export { type LabelLogprobs, labelLogprobs, type TokenLogprob } from "./metrics/toolfault/label-logprobs.ts";
export {
  ACTION_DEFINITIONS,
  FAULT_DEFINITIONS,
  FAULT_TYPES,
  type FaultType,
  faultTypeCode,
  NEXT_ACTIONS,
  type NextAction,
  nextActionCode,
} from "./metrics/toolfault/labels.ts";
export {
  type FoundToolFaultAnswer,
  findToolFaultAnswer,
  parseToolFaultAnswer,
  type TextSpan,
} from "./metrics/toolfault/parse-answer.ts";
export {
  type PromptMessage,
  TOOLFAULT_PROMPT_VERSION,
  toolFaultPrompt,
  toolFaultPromptHash,
} from "./metrics/toolfault/prompt.ts";
export { toolFaultItems, toolFaultItemsFromTable } from "./metrics/toolfault/read-items.ts";
export type {
  ToolFaultAnswer,
  ToolFaultGold,
  ToolFaultItem,
  ToolFaultPrediction,
  ToolFaultPredictionColumns,
} from "./metrics/toolfault/tool-fault-item.ts";
export { toolFaultMetrics, toolFaultMetricsFromTable } from "./metrics/toolfault/tool-fault-metrics.ts";
export type { ToolFaultOptions } from "./metrics/toolfault/tool-fault-options.ts";
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
} from "./metrics/toolfault/tool-fault-result.ts";
export { WHEN2CALL_STATUSES, type When2CallStatus } from "./metrics/when2call/choice-outcome.ts";
export type { When2CallPrediction } from "./metrics/when2call/prediction-reader.ts";
export {
  WHEN2CALL_CHOICES,
  type When2CallChoice,
  type When2CallItem,
} from "./metrics/when2call/when2call-item.ts";
export { when2callItems, when2callItemsFromTable } from "./metrics/when2call/when2call-items.ts";
export {
  type When2CallPredictionColumns,
  type When2CallRows,
  when2callMetrics,
  when2callMetricsFromTable,
} from "./metrics/when2call/when2call-metrics.ts";
export type { When2CallOptions, When2CallSettings } from "./metrics/when2call/when2call-options.ts";
export {
  createWhen2CallReader,
  type When2CallReader,
  type When2CallReaderOptions,
} from "./metrics/when2call/when2call-reader.ts";
export type {
  When2CallClass,
  When2CallConfusion,
  When2CallMetrics,
  When2CallResult,
  When2CallSlice,
} from "./metrics/when2call/when2call-result.ts";
export { createWhen2CallScorer, type When2CallScorer } from "./metrics/when2call/when2call-scorer.ts";
export { type CorruptedResult, corruptResult } from "./recovery/corrupt/corrupt-result.ts";
export {
  type CorruptionRules,
  checkCorruptionRules,
  type Lifecycles,
  readCorruptionRules,
} from "./recovery/corrupt/corruption-rules.ts";
export {
  type CurriculumCondition,
  curriculumConditions,
  type DecidingDiagnostics,
  type DecidingName,
} from "./recovery/curriculum/curriculum-conditions.ts";
export {
  type CurriculumDiagnostics,
  createCurriculumDiagnostics,
  curriculumDiagnostics,
  type DiagnosticsAccumulator,
} from "./recovery/curriculum/curriculum-diagnostics.ts";
export {
  type CurriculumOptions,
  type CurriculumThresholds,
  DEFAULT_THRESHOLDS,
} from "./recovery/curriculum/curriculum-options.ts";
export {
  CURRICULUM_PHASES,
  type CurriculumPhase,
  type PhaseNumber,
  phaseRow,
} from "./recovery/curriculum/curriculum-phases.ts";
export {
  type CurriculumState,
  checkCurriculumState,
  initialCurriculum,
} from "./recovery/curriculum/curriculum-state.ts";
export { nextPhase } from "./recovery/curriculum/next-phase.ts";
export {
  type Episode,
  type EpisodeFault,
  type EpisodeOptions,
  type EpisodeRow,
  ESCALATION_TOOLS,
  type RecoveryOutcome,
  type ToolSwitch,
} from "./recovery/episodes/episode.ts";
export { EPISODE_NEEDS, episodeReader, readEpisode } from "./recovery/episodes/read-episode.ts";
export { toolResultFault } from "./recovery/episodes/tool-result-fault.ts";
export {
  type CallInjection,
  FaultInjector,
  type FaultInjectorOptions,
  type InjectionCounts,
} from "./recovery/fault-injector.ts";
export {
  EXPLICIT_FAULTS,
  type ExplicitFault,
  isSilentFault,
  MET_FAULTS,
  SILENT_FAULTS,
  type SilentFault,
} from "./recovery/fault-kinds.ts";
export {
  type AnsweredFault,
  FAULT_MESSAGES,
  type FaultMessage,
  faultResponse,
} from "./recovery/fault-messages.ts";
export type { FaultResponse, InjectionRecord, ResultChange } from "./recovery/injection-record.ts";
export { FaultProxy, type FaultProxyOptions, type ProxyEnd } from "./recovery/mcp/fault-proxy.ts";
export type { CallDecider, McpCall, McpCallResult } from "./recovery/mcp/mcp-call.ts";
export type {
  McpError,
  McpId,
  McpMessage,
  McpSendOptions,
  McpTransport,
} from "./recovery/mcp/mcp-message.ts";
export {
  BayesianToolMemory,
  type MemoryBeliefs,
  type Observation,
} from "./recovery/memory/bayesian-tool-memory.ts";
export type { Belief, BeliefOptions, RecoveryBelief, SwitchBelief } from "./recovery/memory/belief.ts";
export {
  createMemoryLearner,
  type LearnedMemory,
  type LearnMemoryOptions,
  type MemoryLearner,
} from "./recovery/memory/create-memory-learner.ts";
export type { EpisodeOutcome } from "./recovery/memory/episode-outcome.ts";
export { learnMemory } from "./recovery/memory/learn-memory.ts";
export { learnMemoryFromTable } from "./recovery/memory/learn-memory-from-table.ts";
export type {
  BetaPrior,
  CountsApart,
  EpisodeCounts,
  FallbackMap,
  FallbackTool,
  MemoryData,
  MemorySource,
  MemoryUpdate,
  OutcomeCounts,
  RecoveryCounts,
  SerialisableMemory,
  SwitchCounts,
} from "./recovery/memory/memory-data.ts";
export {
  DEFAULT_CONSTRAINTS,
  type MemoryOptions,
  type MemoryStatics,
  type ReadMemoryOptions,
} from "./recovery/memory/memory-options.ts";
export { mergeMemories } from "./recovery/memory/merge-memories.ts";
export { readMemory } from "./recovery/memory/read-memory.ts";
export type { RenderMemoryOptions } from "./recovery/memory/render-memory.ts";
export {
  checkNoiseProfile,
  DEFAULT_NOISE,
  drawFault,
  NOISE_NAMES,
  type NoiseName,
  type NoiseOptions,
  type NoiseProfile,
  noiseProfile,
} from "./recovery/noise-profile.ts";
export { BFCL, BFCL_DOMAIN_NAMES, BFCL_DOMAINS, type BfclDomain } from "./recovery/registries/bfcl.ts";
export { type BfclTaskOptions, bfclTasks } from "./recovery/registries/bfcl-tasks.ts";
export { TAU2_RETAIL } from "./recovery/registries/tau2-retail.ts";
export { type RetailTaskOptions, tau2RetailTasks } from "./recovery/registries/tau2-retail-tasks.ts";
export {
  type AssignOptions,
  assignScenario,
  type ScenarioAssignment,
  supportedScenarios,
} from "./recovery/scenario/assign-scenario.ts";
export { checkRegistry } from "./recovery/scenario/check-registry.ts";
export { checkScenarioTask } from "./recovery/scenario/check-scenario-task.ts";
export {
  checkScenarioMix,
  type DrawOptions,
  drawScenario,
  type ScenarioMix,
  type ScenarioShares,
  scenarioShares,
} from "./recovery/scenario/draw-scenario.ts";
export { type Fallback, fallbackMap } from "./recovery/scenario/fallback-map.ts";
export {
  type PlannedEpisode,
  type PlanOptions,
  planEpisodes,
  plannedEpisodeRow,
} from "./recovery/scenario/plan-episodes.ts";
export { type ReadRegistryOptions, readRegistry } from "./recovery/scenario/read-registry.ts";
export {
  pathName,
  SCENARIOS,
  type Scenario,
  type ScenarioTask,
  type ToolPath,
} from "./recovery/scenario/scenario.ts";
export { type AlternativeOptions, type TaskPathOptions, taskPaths } from "./recovery/scenario/task-paths.ts";
export type { ToolAlternative, ToolEquivalence, ToolRegistry } from "./recovery/scenario/tool-registry.ts";
export { ToolFaultError } from "./recovery/tool-fault-error.ts";
export { type AiSdkTool, withAiSdkFaults } from "./recovery/with-ai-sdk-faults.ts";
export {
  type FaultDelivery,
  type InjectedTools,
  type ToolFunction,
  type ToolsWithFaults,
  withFaults,
} from "./recovery/with-faults.ts";
export { type RetailWorld, retailWorld } from "./recovery/world/build-retail-tasks.ts";
export { REPLAY_POLICIES, type ReplayPolicyName } from "./recovery/world/replay-policies.ts";
export {
  type ReplayOptions,
  type ReplayOutcome,
  type ReplayResult,
  replayRetail,
} from "./recovery/world/replay-retail.ts";
export type { InjectionSeverity } from "./recovery/world/retail-conditions.ts";
export { RETAIL_REGISTRY } from "./recovery/world/retail-registry.ts";
export type { KnownFacts, RetailNeed } from "./recovery/world/retail-steps.ts";
export type {
  RetailAnswer,
  RetailGoldAction,
  RetailStep,
  RetailTask,
  RetailTaskKind,
} from "./recovery/world/retail-task.ts";
export type {
  Address as RetailAddress,
  Customer as RetailCustomer,
  Order as RetailOrder,
  OrderItem as RetailOrderItem,
  OrderStatus as RetailOrderStatus,
  Payment as RetailPayment,
  Product as RetailProduct,
  RetailDatabase,
  Transaction as RetailTransaction,
  Variant as RetailVariant,
} from "./recovery/world/retail-types.ts";
export { evaluateBatches, evaluateTable } from "./report/evaluate/evaluate-table.ts";
export { createEvaluator, type Evaluator } from "./report/evaluate/evaluator.ts";
export {
  type CertaintyMargin,
  type Comparison,
  type Delta,
  type Estimate,
  EVALUATION_SCHEMA,
  type Evaluation,
  type EvaluationColumns,
  type EvaluationFlag,
  type EvaluationIou,
  type EvaluationSlice,
  type ExcludedRows,
  type IouNull,
  type Reliability,
  type RiskCurve,
  type SliceHistogram,
} from "./report/evaluation.ts";
export type { BaselineOption, EvaluationOptions } from "./report/evaluation-options.ts";
export { METRIC_NAMES, METRICS, type MetricInfo, type MetricName } from "./report/metric-info.ts";
export type { Plot } from "./report/plot.ts";
export { buildPlots, PICTURED_SLICES } from "./report/plots/build-plots.ts";
export { DARK, LIGHT, type Palette, type PlotTheme, paletteCss } from "./report/plots/plot-theme.ts";
export { type RenderPngOptions, renderPng } from "./report/plots/render-png.ts";
export { type RenderSvgOptions, renderSvg } from "./report/plots/render-svg.ts";
export {
  type EvaluationJsonOptions,
  evaluationJson,
  evaluationJsonSchema,
  parseEvaluation,
} from "./report/render/evaluation-json.ts";
export { type RenderHtmlOptions, renderHtml } from "./report/render/render-html.ts";
export { type RenderMarkdownOptions, renderMarkdown } from "./report/render/render-markdown.ts";
export { renderTerminal } from "./report/render/render-terminal.ts";
export { formatPercentage, formatPoints, formatShare } from "./report/tables/format-share.ts";
export { mergeToolFaultResults } from "./report/tables/merge-toolfault-results.ts";
export { renderTablesHtml } from "./report/tables/render-tables-html.ts";
export { renderTablesMarkdown } from "./report/tables/render-tables-markdown.ts";
export {
  type RenderTablesTerminalOptions,
  renderTablesTerminal,
} from "./report/tables/render-tables-terminal.ts";
export { robustnessDocument } from "./report/tables/robustness-document.ts";
export type {
  DocumentTable,
  TableCell,
  TableColumn,
  TableDocument,
  TableRow,
} from "./report/tables/table-document.ts";
export { type ToolFaultDocumentOptions, toolFaultDocument } from "./report/tables/toolfault-document.ts";
export { when2callDocument } from "./report/tables/when2call-document.ts";
export type { ReleasedLetter } from "./rewards/action-letters.ts";
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
  partialCredit,
  repetition,
} from "./rewards/bench2robust.ts";
export type { TurnCounting } from "./rewards/bench2robust-rows.ts";
export { callAgreement, callPairAgreement } from "./rewards/call-agreement.ts";
export { type ClipOptions, type ClippedRatios, clipRatio } from "./rewards/clip.ts";
export { type CompiledExpression, compileExpression, type ExpressionOptions } from "./rewards/expression.ts";
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
export type { PythonJson } from "./rewards/released/python-json.ts";
export { createReleasedAligner, type ReleasedAligner } from "./rewards/released/released-alignment.ts";
export {
  type ReleasedGroupMargin,
  type ReleasedPair,
  type ReleasedSample,
  releasedGroup,
} from "./rewards/released/released-group.ts";
export {
  normaliseReleased,
  type RenderableCall,
  releasedTurnText,
  renderReleasedCalls,
} from "./rewards/released/released-normalise.ts";
export {
  type ReleasedPlacement,
  type ReleasedTrajectory,
  type ReleasedTrajectoryInput,
  releasedTrajectory,
} from "./rewards/released/released-trajectory.ts";
export {
  type ReleasedEvidence,
  type ReleasedTerms,
  type ReleasedTurn,
  type ReleasedTurnReward,
  releasedScore,
  releasedTerms,
  releasedTurnReward,
} from "./rewards/released/released-turn.ts";
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
export {
  scoreBench2RobustTable,
  scoreTable,
  scoreTrustReleasedTable,
  scoreTrustTable,
} from "./rewards/score-table.ts";
export {
  type LogprobList,
  type ScoreTrustOptions,
  scoreTrust,
  type TrustRollout,
  type TrustScores,
} from "./rewards/score-trust.ts";
export {
  type ScoreTrustReleasedOptions,
  scoreTrustReleased,
  type TrustReleasedRollout,
  type TrustReleasedScores,
} from "./rewards/score-trust-released.ts";
export { tokenF1 } from "./rewards/token-f1.ts";
export { checklistReward } from "./rewards/trajectory/checklist-reward.ts";
export type { ScoredDecision, TurnPlacement } from "./rewards/trajectory/placements.ts";
export {
  type ScoredTrajectories,
  type ScoreTrajectoriesOptions,
  scoreTrajectories,
  type TrajectoryRollout,
} from "./rewards/trajectory/score-trajectories.ts";
export { scoreTrajectoriesTable } from "./rewards/trajectory/score-trajectories-table.ts";
export type { TrajectoryRewards } from "./rewards/trajectory/trajectory-scorer.ts";
export type { TrajectoryOptions, TrajectoryWeights } from "./rewards/trajectory/trajectory-settings.ts";
export { TRAJECTORY_WORDS } from "./rewards/trajectory/trajectory-status.ts";
export { type TurnDecision, turnDecision } from "./rewards/trajectory/turn-decision.ts";
export { type TrustOptions, type TrustWeights, trustJob } from "./rewards/trust.ts";
export {
  type PaperGroupScores,
  type ReleasedGroupScores,
  type TrustGroupInput,
  type TrustGroupOptions,
  type TrustGroupRollout,
  type TrustGroupScores,
  trustGroup,
} from "./rewards/trust-group.ts";
export { type TrustReleasedOptions, trustReleasedJob } from "./rewards/trust-released.ts";
export { TRUST_STATUSES } from "./rewards/trust-status.ts";
export {
  ACTIONS,
  type Action,
  type BinaryLabels,
  FAULT_KINDS,
  type FaultKind,
  type GoldAction,
  type Interval,
  type Message,
  type MetFault,
  type NumericArray,
  type ToolCall,
} from "./types.ts";
export { applyCalibrator } from "./uq/calibrators/apply-calibrator.ts";
export type {
  Calibrator,
  CalibratorFit,
  CalibratorFlag,
  CalibratorKind,
  IsotonicCalibrator,
  PlattCalibrator,
  TemperatureCalibrator,
} from "./uq/calibrators/calibrator.ts";
export { CALIBRATOR_SCHEMA, calibratorFromJson, calibratorToJson } from "./uq/calibrators/calibrator-json.ts";
export {
  type CrossFit,
  type CrossFitFlag,
  type CrossFitOptions,
  crossFitCalibrator,
} from "./uq/calibrators/cross-fit.ts";
export {
  type CalibratorEvaluation,
  type EvaluateOptions,
  evaluateCalibrator,
} from "./uq/calibrators/evaluate-calibrator.ts";
export { fitIsotonic, type IsotonicOptions } from "./uq/calibrators/fit-isotonic.ts";
export { fitPlatt, type PlattOptions } from "./uq/calibrators/fit-platt.ts";
export { fitTemperature, type TemperatureOptions } from "./uq/calibrators/fit-temperature.ts";
export { type CertaintyOptions, certainty } from "./uq/certainty.ts";
export {
  type ConformalCoverage,
  type ConformalOptions,
  type ConformalThreshold,
  conformalCoverage,
  conformalThreshold,
  type GroupThreshold,
} from "./uq/conformal.ts";
export {
  type CorpusPerplexity,
  type CorpusPerplexityOptions,
  corpusPerplexity,
} from "./uq/corpus-perplexity.ts";
export {
  type CalibrationIou,
  type CalibrationIouOptions,
  calibrationIou,
  type IouResamplingOptions,
  type PerClass,
} from "./uq/iou/calibration-iou.ts";
export {
  type CompareIouOptions,
  compareCalibrationIou,
  type IouComparison,
  type IouRun,
} from "./uq/iou/compare-iou.ts";
export type { IouMethod } from "./uq/iou/iou-cells.ts";
export { type CountsIou, countBins, type IouNormalize, iouFromCounts } from "./uq/iou/iou-counts.ts";
export { type IouEdges, type IouEdgesOptions, iouEdges, riceBins } from "./uq/iou/iou-edges.ts";
export { IOU_FLAGS, type IouFlag, type IouMethodOptions } from "./uq/iou/iou-estimate.ts";
export type { IouScale } from "./uq/iou/iou-rows.ts";
export {
  createLogProbEngine,
  LOG_PROB_BACKENDS,
  type LogProbBackendName,
  type LogProbEngine,
  type LogProbEngineOptions,
  type LogProbWork,
} from "./uq/logprobs/create-log-prob-engine.ts";
export { type CudaBackend, type CudaOptions, createCudaBackend } from "./uq/logprobs/cuda-backend.ts";
export { createJsBackend } from "./uq/logprobs/js-backend.ts";
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
} from "./uq/logprobs/log-prob-backend.ts";
export {
  createPromptScorer,
  type PromptScorer,
  type PromptScorerOptions,
  type ScoredText,
  type ScoringServer,
} from "./uq/logprobs/server/create-prompt-scorer.ts";
export { ROW_REASONS, type RowReason, rowReasonOf } from "./uq/logprobs/server/row-failure.ts";
export type { Boundary, PromptParts, TextToScore } from "./uq/logprobs/server/sequence-ids.ts";
export {
  LOGPROBS_MODES,
  type LogprobsMode,
  SERVER_KINDS,
  type ServerKind,
} from "./uq/logprobs/server/server-kinds.ts";
export type { SharedLogits } from "./uq/logprobs/shared-logits.ts";
export type {
  TensorFlow,
  TensorFlowFunction,
  TfKernelBackend,
  TfTensor,
} from "./uq/logprobs/tfjs/tensor-flow.ts";
export { createTfjsBackend, type TfjsOptions } from "./uq/logprobs/tfjs-backend.ts";
export {
  createWasmBackend,
  type WasmBackend,
  type WasmBackendOptions,
  type WasmSimd,
  wasmSimd,
} from "./uq/logprobs/wasm-backend.ts";
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
export { agreementConfidence, type SampleAgreement, sampleAgreement } from "./uq/sample-agreement.ts";
export { type SequencePerplexity, sequencePerplexity } from "./uq/sequence-perplexity.ts";
export { type WrongButLow, type WrongButLowOptions, wrongButLowUncertainty } from "./uq/wrong-but-low.ts";
