import { checkOptionNames } from "../data/check-option-names.ts";
import type { KeyColumn } from "../data/columns.ts";
import { batchFromRows } from "../data/jsonl/rows-columns.ts";
import { type AdvantageOptions, groupAdvantages } from "./advantage.ts";
import { RELEASED_OPTIONS } from "./option-names.ts";
import { rolloutRow, type TrustRollout } from "./score-trust.ts";
import { statusTexts } from "./status-text.ts";
import { type TrustReleasedOptions, trustReleasedJob } from "./trust-released.ts";

/** One rollout of a decision point, for the released reward; null or undefined = missing. */
export interface TrustReleasedRollout
  extends Pick<
    TrustRollout,
    "groupId" | "response" | "messages" | "gtAnswer" | "goldActions" | "logprobs" | "logprobMask" | "ppl"
  > {
  /** The gold action: a letter, a name or an alias. */
  readonly gtAction: string | null | undefined;
  /** The functions that may be called. */
  readonly tools?: unknown;
}

/** The reward and its parts, one entry per rollout, rounded as the authors' are; NaN = null. See `trustReleasedJob`. */
export interface TrustReleasedScores {
  readonly ppl: Float64Array;
  readonly nll: Float64Array;
  /** The pair of perplexities that the margin of the rollout is made of. */
  readonly pplGt: Float64Array;
  readonly pplNeg: Float64Array;
  readonly margin: Float64Array;
  readonly certainty: Float64Array;
  readonly rFmt: Float64Array;
  readonly rAlign: Float64Array;
  readonly rAns: Float64Array;
  readonly rCls: Float64Array;
  readonly rawScore: Float64Array;
  /** Their `score`. */
  readonly reward: Float64Array;
  /** Group-relative advantage of the reward, see `groupAdvantages`. */
  readonly advantage: Float64Array;
  /** The words of TRUST_STATUSES that hold, joined by `;`; `filtered` when the group was, see `minStd`. */
  readonly status: string[];
}

/** Options of {@link scoreTrustReleased}. */
export interface ScoreTrustReleasedOptions extends TrustReleasedOptions {
  readonly advantage?: AdvantageOptions;
}

/**
 * Scores rollouts with the TRUST reward of the authors' code; the same job, and so the same numbers, as tables and files go
 * through.
 *
 * @param rollouts in any order; groups may lie apart
 * @returns arrays of shape (rollouts); empty for no rollouts.
 * @throws CalibrantError `option` for a bad option; `data` or `length-mismatch` for a value that cannot be, with the
 *   rollout's number.
 *
 * @example
 * ```ts
 * import { scoreTrustReleased } from "calibrant/rewards";
 * const rollout = { groupId: "q1", gtAction: "A", gtAnswer: "Paris" };
 * const { margin, reward } = scoreTrustReleased([
 *   { ...rollout, response: "direct_answer<A> <answer>Paris</answer>", ppl: 1.25 },
 *   { ...rollout, response: "request_for_info<C> <answer>Which one?</answer>", ppl: 1.5 },
 * ]);
 * console.log(margin, reward); // Float64Array(2) [ 0.25, 0.25 ] Float64Array(2) [ 0.8329, 0.3698 ]
 * ```
 */
export function scoreTrustReleased(
  rollouts: readonly TrustReleasedRollout[],
  options: ScoreTrustReleasedOptions = {},
): TrustReleasedScores {
  checkOptionNames(options, [...RELEASED_OPTIONS, "advantage"], "scoreTrustReleased");
  const { advantage: advantageOptions, ...released } = options;
  const job = trustReleasedJob(released);
  const requests = [...job.needs.required.flat(), ...job.needs.optional];
  const rows = rollouts.map((rollout) => ({ ...rolloutRow(rollout), tools: rollout.tools }));
  const batch = batchFromRows(rows, requests, "rollouts");
  const groups = (batch.columns.get("group_id") as KeyColumn).codes;
  const parts = job.scoreRows(batch);
  const state = job.createGroups();
  state.add(parts, groups);
  const { columns, status } = state.finish(parts.kept, groups);
  const of = (name: string): Float64Array =>
    columns.find((column) => column.name === name)?.values as Float64Array;
  const reward = of("reward");
  const { advantage, filtered } = groupAdvantages(reward, groups, advantageOptions);
  return {
    ppl: of("ppl"),
    nll: of("nll"),
    pplGt: of("ppl_gt"),
    pplNeg: of("ppl_neg"),
    margin: of("margin"),
    certainty: of("certainty"),
    rFmt: of("r_fmt"),
    rAlign: of("r_align"),
    rAns: of("r_ans"),
    rCls: of("r_cls"),
    rawScore: of("raw_score"),
    reward,
    advantage,
    status: statusTexts(status, filtered, job.statusNames),
  };
}
