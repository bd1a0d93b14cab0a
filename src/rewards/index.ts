export { largestRepetition, type RepetitionCounting } from "../data/calls/largest-repetition.ts";
export type { ReleasedLetter } from "./action-letters.ts";
export {
  type AdvantageOptions,
  type AdvantageStats,
  type Advantages,
  createAdvantageStats,
  type GroupStats,
  groupAdvantages,
} from "./advantage.ts";
export {
  type AgreementFunction,
  type AgreementMethod,
  type AnswerAgreementInput,
  type AnswerAgreementOptions,
  answerAgreement,
} from "./answer-agreement.ts";
export {
  type Bench2RobustOptions,
  type Bench2RobustTerms,
  bench2robustJob,
  bench2robustReward,
  efficiency,
  partialCredit,
  repetition,
} from "./bench2robust.ts";
export type { TurnCounting } from "./bench2robust-rows.ts";
export { callAgreement, callPairAgreement } from "./call-agreement.ts";
export { type ClipOptions, type ClippedRatios, clipRatio } from "./clip.ts";
export { type CompiledExpression, compileExpression, type ExpressionOptions } from "./expression.ts";
export { lowVarKl } from "./kl.ts";
export { matchActions } from "./match-actions.ts";
export { parseCalls } from "./parse-calls.ts";
export {
  type ParsedResponse,
  parseLastMessage,
  parseResponse,
  type ResponseReason,
} from "./parse-response.ts";
export type { PlanOutput } from "./plan-outputs.ts";
export type { PlanParts, PlanState } from "./plan-state.ts";
export type { PythonJson } from "./released/python-json.ts";
export { createReleasedAligner, type ReleasedAligner } from "./released/released-alignment.ts";
export {
  type ReleasedGroupMargin,
  type ReleasedPair,
  type ReleasedSample,
  releasedGroup,
} from "./released/released-group.ts";
export {
  normaliseReleased,
  type RenderableCall,
  releasedTurnText,
  renderReleasedCalls,
} from "./released/released-normalise.ts";
export {
  type ReleasedPlacement,
  type ReleasedTrajectory,
  type ReleasedTrajectoryInput,
  releasedTrajectory,
} from "./released/released-trajectory.ts";
export {
  type ReleasedEvidence,
  type ReleasedTerms,
  type ReleasedTurn,
  type ReleasedTurnReward,
  releasedScore,
  releasedTerms,
  releasedTurnReward,
} from "./released/released-turn.ts";
export type { FinishedRows, GroupState, RewardJob, RowParts } from "./reward-job.ts";
export {
  planRewards,
  REWARD_NAMES,
  type RewardName,
  type RewardPlan,
  type RewardPlanOptions,
} from "./reward-plan.ts";
export { scoreBatches } from "./score-batches.ts";
export {
  type Bench2RobustRollout,
  type Bench2RobustScores,
  scoreBench2Robust,
} from "./score-bench2robust.ts";
export {
  scoreBench2RobustTable,
  scoreTable,
  scoreTrustReleasedTable,
  scoreTrustTable,
} from "./score-table.ts";
export {
  type LogprobList,
  type ScoreTrustOptions,
  scoreTrust,
  type TrustRollout,
  type TrustScores,
} from "./score-trust.ts";
export {
  type ScoreTrustReleasedOptions,
  scoreTrustReleased,
  type TrustReleasedRollout,
  type TrustReleasedScores,
} from "./score-trust-released.ts";
export { tokenF1 } from "./token-f1.ts";
export { checklistReward } from "./trajectory/checklist-reward.ts";
export type { ScoredDecision, TurnPlacement } from "./trajectory/placements.ts";
export {
  type ScoredTrajectories,
  type ScoreTrajectoriesOptions,
  scoreTrajectories,
  type TrajectoryRollout,
} from "./trajectory/score-trajectories.ts";
export { scoreTrajectoriesTable } from "./trajectory/score-trajectories-table.ts";
export type { TrajectoryRewards } from "./trajectory/trajectory-scorer.ts";
export type { TrajectoryOptions, TrajectoryWeights } from "./trajectory/trajectory-settings.ts";
export { TRAJECTORY_WORDS } from "./trajectory/trajectory-status.ts";
export { type TurnDecision, turnDecision } from "./trajectory/turn-decision.ts";
export { type TrustOptions, type TrustWeights, trustJob } from "./trust.ts";
export {
  type PaperGroupScores,
  type ReleasedGroupScores,
  type TrustGroupInput,
  type TrustGroupOptions,
  type TrustGroupRollout,
  type TrustGroupScores,
  trustGroup,
} from "./trust-group.ts";
export { type TrustReleasedOptions, trustReleasedJob } from "./trust-released.ts";
export { TRUST_STATUSES } from "./trust-status.ts";
