import { checkOptionNames } from "../../data/check-option-names.ts";
import { batchFromRows } from "../../data/jsonl/rows-columns.ts";
import type { Message } from "../../types.ts";
import type { AdvantageOptions } from "../advantage.ts";
import type { LogprobList } from "../score-trust.ts";
import { wireMessages } from "../wire-message.ts";
import type { TurnPlacement } from "./placements.ts";
import { trajectoryNeeds } from "./trajectory-needs.ts";
import { createTrajectoryScorer, type TrajectoryRewards } from "./trajectory-scorer.ts";
import { TRAJECTORY_OPTIONS, type TrajectoryOptions, trajectorySettings } from "./trajectory-settings.ts";

/** One trajectory of a group; null or undefined = missing. */
export interface TrajectoryRollout {
  /** The prompt: trajectories that share it are compared. */
  readonly groupId: string | number | bigint | null | undefined;
  /** The whole conversation: messages as `readMessages` gives them, or in OpenAI's chat format. */
  readonly messages: readonly (Message | Readonly<Record<string, unknown>>)[] | null | undefined;
  /** Annotated key turns: objects `{turn_idx, gt_action, target_answer}`, as `calibrant annotate` writes them. */
  readonly annotations: readonly Readonly<Record<string, unknown>>[] | null | undefined;
  /** Judged turns: objects `{turn_idx, pred_action, pred_answer}`, for turns that cannot be read without a model. */
  readonly judgements?: readonly Readonly<Record<string, unknown>>[] | null | undefined;
  /** The base reward R_CM2. */
  readonly checklistReward?: number | null | undefined;
  /** What it is computed from, see `checklistReward`, when it is not given. */
  readonly checklists?: unknown;
  /** Natural-log probability of each token of the trajectory. */
  readonly logprobs?: LogprobList | null | undefined;
  /** 1 = a token that the model generated; 0 = prompt, tool output, padding. */
  readonly logprobMask?: Uint8Array | Int8Array | readonly (number | boolean)[] | null | undefined;
  /** The last token of each turn, from 0, ascending. */
  readonly turnEnds?: Int32Array | readonly number[] | null | undefined;
  /** Perplexity of each turn, when the log-probs were not kept; NaN or null = none. */
  readonly turnPpl?: Float64Array | readonly (number | null)[] | null | undefined;
}

/** Options of {@link scoreTrajectories}. */
export interface ScoreTrajectoriesOptions extends TrajectoryOptions {
  readonly advantage?: AdvantageOptions;
}

/** Scored trajectories, one entry each; NaN = null. */
export interface ScoredTrajectories extends TrajectoryRewards {
  /** What lands where, by turn. */
  readonly placements: readonly (readonly TurnPlacement[])[];
}

/**
 * The trajectory reward of TRUST (Eq. 9): R = w_base · R_CM2 + w_uq · Σ over annotated key turns of R_UQ(z_t), as a scalar and
 * as sparse placements: each key turn's term lands on the last token of its turn.
 *
 * A turn is a user message and everything up to the next one. Its decision is read without a model where it can be (see
 * `turnDecision`), else from `judgements`; without any judgements, free text is unparsed, as at turn level. The margin of a key turn is
 * that of its group: the trajectories with the same `groupId`, the same turn and the same gold action. Several annotations of
 * one turn average. R_FMT is off in the paper's variant.
 *
 * A reward is NaN where something that belongs in it is not known: no group, no base reward, a judge that failed. Annotations
 * that name no turn or no action are skipped and counted in the status; see TRAJECTORY_WORDS.
 *
 * @param trajectories in any order; groups may lie apart
 * @returns arrays of shape (trajectories).
 * @throws CalibrantError `option` for a bad option; `data` or `length-mismatch` for a value that cannot be, with the number
 *   of its trajectory.
 *
 * @example
 * ```ts
 * import { scoreTrajectories } from "calibrant/rewards";
 * const annotations = [{ turn_idx: 0, gt_action: "request_for_info", target_answer: "Which city?" }];
 * const trajectory = (answer: string, action: string, ppl: number) => ({
 *   groupId: "q1",
 *   messages: [{ role: "user", content: "Weather?" }, { role: "assistant", content: answer }],
 *   annotations,
 *   judgements: [{ turn_idx: 0, pred_action: action, pred_answer: answer }],
 *   checklistReward: 0.5,
 *   turnPpl: [ppl],
 * });
 * const { reward, placements } = scoreTrajectories([
 *   trajectory("Which city?", "request_for_info", 1.25),
 *   trajectory("17 degrees", "direct_answer", 1.5),
 * ]);
 * console.log(reward[0]?.toFixed(4), reward[1]?.toFixed(4)); // 4.2724 1.4241
 * console.log(placements[0]?.[0]?.turnIdx, placements[0]?.[0]?.messageIdx); // 0 1
 * ```
 */
export function scoreTrajectories(
  trajectories: readonly TrajectoryRollout[],
  options: ScoreTrajectoriesOptions = {},
): ScoredTrajectories {
  checkOptionNames(options, [...TRAJECTORY_OPTIONS, "advantage"], "scoreTrajectories");
  const { advantage, ...rest } = options;
  const settings = trajectorySettings(rest);
  const { required, optional } = trajectoryNeeds(settings);
  const scorer = createTrajectoryScorer(settings, advantage);
  const batch = batchFromRows(trajectories.map(rowOf), [...required.flat(), ...optional], "trajectories");
  scorer.add(batch);
  const { groups: _, isJudged: __, partNames: ___, placementsOf, ...rewards } = scorer.finish();
  return { ...rewards, placements: trajectories.map((_trajectory, row) => placementsOf(row)) };
}

/** A trajectory under the names of files. */
function rowOf(trajectory: TrajectoryRollout): Readonly<Record<string, unknown>> {
  return {
    group_id: trajectory.groupId,
    messages: wireMessages(trajectory.messages),
    annotations: trajectory.annotations,
    judgements: trajectory.judgements,
    checklist_reward: trajectory.checklistReward,
    checklists: trajectory.checklists,
    logprobs: trajectory.logprobs,
    logprob_mask: trajectory.logprobMask,
    turn_ends: trajectory.turnEnds,
    turn_ppl: trajectory.turnPpl,
  };
}
