export { deriveSeed } from "../math/derive-seed.ts";
export { seededRandom } from "../math/seeded-random.ts";
export { FAULT_KINDS, type FaultKind, type MetFault } from "../types.ts";
export { type CorruptedResult, corruptResult } from "./corrupt/corrupt-result.ts";
export {
  type CorruptionRules,
  checkCorruptionRules,
  type Lifecycles,
  readCorruptionRules,
} from "./corrupt/corruption-rules.ts";
export {
  type CurriculumCondition,
  curriculumConditions,
  type DecidingDiagnostics,
  type DecidingName,
} from "./curriculum/curriculum-conditions.ts";
export {
  type CurriculumDiagnostics,
  createCurriculumDiagnostics,
  curriculumDiagnostics,
  type DiagnosticsAccumulator,
} from "./curriculum/curriculum-diagnostics.ts";
export {
  type CurriculumOptions,
  type CurriculumThresholds,
  DEFAULT_THRESHOLDS,
} from "./curriculum/curriculum-options.ts";
export {
  CURRICULUM_PHASES,
  type CurriculumPhase,
  type PhaseNumber,
  phaseRow,
} from "./curriculum/curriculum-phases.ts";
export {
  type CurriculumState,
  checkCurriculumState,
  initialCurriculum,
} from "./curriculum/curriculum-state.ts";
export { nextPhase } from "./curriculum/next-phase.ts";
export {
  type Episode,
  type EpisodeFault,
  type EpisodeOptions,
  type EpisodeRow,
  ESCALATION_TOOLS,
  type RecoveryOutcome,
  type ToolSwitch,
} from "./episodes/episode.ts";
export { EPISODE_NEEDS, episodeReader, readEpisode } from "./episodes/read-episode.ts";
export { toolResultFault } from "./episodes/tool-result-fault.ts";
export {
  type CallInjection,
  FaultInjector,
  type FaultInjectorOptions,
  type InjectionCounts,
} from "./fault-injector.ts";
export {
  EXPLICIT_FAULTS,
  type ExplicitFault,
  isSilentFault,
  MET_FAULTS,
  SILENT_FAULTS,
  type SilentFault,
} from "./fault-kinds.ts";
export { type AnsweredFault, FAULT_MESSAGES, type FaultMessage, faultResponse } from "./fault-messages.ts";
export type { FaultResponse, InjectionRecord, ResultChange } from "./injection-record.ts";
export { FaultProxy, type FaultProxyOptions, type ProxyEnd } from "./mcp/fault-proxy.ts";
export type { CallDecider, McpCall, McpCallResult } from "./mcp/mcp-call.ts";
export type { McpError, McpId, McpMessage, McpSendOptions, McpTransport } from "./mcp/mcp-message.ts";
export { BayesianToolMemory, type MemoryBeliefs, type Observation } from "./memory/bayesian-tool-memory.ts";
export type { Belief, BeliefOptions, RecoveryBelief, SwitchBelief } from "./memory/belief.ts";
export {
  createMemoryLearner,
  type LearnedMemory,
  type LearnMemoryOptions,
  type MemoryLearner,
} from "./memory/create-memory-learner.ts";
export type { EpisodeOutcome } from "./memory/episode-outcome.ts";
export { learnMemory } from "./memory/learn-memory.ts";
export { learnMemoryFromTable } from "./memory/learn-memory-from-table.ts";
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
} from "./memory/memory-data.ts";
export {
  DEFAULT_CONSTRAINTS,
  type MemoryOptions,
  type MemoryStatics,
  type ReadMemoryOptions,
} from "./memory/memory-options.ts";
export { mergeMemories } from "./memory/merge-memories.ts";
export { readMemory } from "./memory/read-memory.ts";
export type { RenderMemoryOptions } from "./memory/render-memory.ts";
export {
  checkNoiseProfile,
  DEFAULT_NOISE,
  drawFault,
  NOISE_NAMES,
  type NoiseName,
  type NoiseOptions,
  type NoiseProfile,
  noiseProfile,
} from "./noise-profile.ts";
export { BFCL, BFCL_DOMAIN_NAMES, BFCL_DOMAINS, type BfclDomain } from "./registries/bfcl.ts";
export { type BfclTaskOptions, bfclTasks } from "./registries/bfcl-tasks.ts";
export { TAU2_RETAIL } from "./registries/tau2-retail.ts";
export { type RetailTaskOptions, tau2RetailTasks } from "./registries/tau2-retail-tasks.ts";
export {
  type AssignOptions,
  assignScenario,
  type ScenarioAssignment,
  supportedScenarios,
} from "./scenario/assign-scenario.ts";
export { checkRegistry } from "./scenario/check-registry.ts";
export { checkScenarioTask } from "./scenario/check-scenario-task.ts";
export {
  checkScenarioMix,
  type DrawOptions,
  drawScenario,
  type ScenarioMix,
  type ScenarioShares,
  scenarioShares,
} from "./scenario/draw-scenario.ts";
export { type Fallback, fallbackMap } from "./scenario/fallback-map.ts";
export {
  type PlannedEpisode,
  type PlanOptions,
  planEpisodes,
  plannedEpisodeRow,
} from "./scenario/plan-episodes.ts";
export { type ReadRegistryOptions, readRegistry } from "./scenario/read-registry.ts";
export {
  pathName,
  SCENARIOS,
  type Scenario,
  type ScenarioTask,
  type ToolPath,
} from "./scenario/scenario.ts";
export { type AlternativeOptions, type TaskPathOptions, taskPaths } from "./scenario/task-paths.ts";
export type { ToolAlternative, ToolEquivalence, ToolRegistry } from "./scenario/tool-registry.ts";
export { ToolFaultError } from "./tool-fault-error.ts";
export { type AiSdkTool, withAiSdkFaults } from "./with-ai-sdk-faults.ts";
export {
  type FaultDelivery,
  type InjectedTools,
  type ToolFunction,
  type ToolsWithFaults,
  withFaults,
} from "./with-faults.ts";
export { type RetailWorld, retailWorld } from "./world/build-retail-tasks.ts";
export { REPLAY_POLICIES, type ReplayPolicyName } from "./world/replay-policies.ts";
export {
  type ReplayOptions,
  type ReplayOutcome,
  type ReplayResult,
  replayRetail,
} from "./world/replay-retail.ts";
export type { InjectionSeverity } from "./world/retail-conditions.ts";
export { RETAIL_REGISTRY } from "./world/retail-registry.ts";
export type { KnownFacts, RetailNeed } from "./world/retail-steps.ts";
export type {
  RetailAnswer,
  RetailGoldAction,
  RetailStep,
  RetailTask,
  RetailTaskKind,
} from "./world/retail-task.ts";
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
} from "./world/retail-types.ts";
