import { checkOptionNames } from "../data/check-option-names.ts";
import type { KeyColumn } from "../data/columns.ts";
import { batchFromRows } from "../data/jsonl/rows-columns.ts";
import type { GoldAction, Message } from "../types.ts";
import { type AdvantageOptions, groupAdvantages } from "./advantage.ts";
import { TRUST_OPTIONS } from "./option-names.ts";
import { statusTexts } from "./status-text.ts";
import { type TrustOptions, trustJob } from "./trust.ts";
import { wireMessages } from "./wire-message.ts";

/** Log-probabilities as a trainer holds them. */
export type LogprobList = Float64Array | Float32Array | readonly (number | null)[];

/** One rollout as plain data: what a trainer holds in memory. What is absent, null or undefined is missing. */
export interface TrustRollout {
  /** The decision point: rollouts sharing it form a group. */
  readonly groupId: string | number | bigint | null | undefined;
  /** The gold action: a name or alias. */
  readonly gtAction: string | null | undefined;
  /** The predicted action; else read from `response`, else from `messages`. */
  readonly action?: string | null | undefined;
  /** The raw sampled text. */
  readonly response?: string | null | undefined;
  /** The conversation that ends in the response: messages as `readMessages` gives them, or in OpenAI's chat format. */
  readonly messages?: readonly (Message | Readonly<Record<string, unknown>>)[] | null | undefined;
  /** The realised payload; else read from the text. */
  readonly answer?: string | null | undefined;
  /** The target answer. */
  readonly gtAnswer?: string | null | undefined;
  /** The gold calls, when there is no `gtAnswer`. */
  readonly goldActions?: readonly (GoldAction | Readonly<Record<string, unknown>>)[] | null | undefined;
  /** Natural-log probability of each token of the response. */
  readonly logprobs?: LogprobList | null | undefined;
  /** 1 = a token that the model generated. */
  readonly logprobMask?: Uint8Array | Int8Array | readonly (number | boolean)[] | null | undefined;
  /** Tokens at which segments begin, for `level: "segment"`. */
  readonly logprobSegments?: Int32Array | readonly number[] | null | undefined;
  /** Perplexity of the response, when the log-probs were not kept. */
  readonly ppl?: number | null | undefined;
  /** Perplexity of the gold answer, teacher-forced. */
  readonly refPpl?: number | null | undefined;
  readonly refLogprobs?: LogprobList | null | undefined;
  /** Perplexity of a counterfactual wrong decision, teacher-forced. */
  readonly negPpl?: number | null | undefined;
  /** R_fmt, when the caller has judged it. */
  readonly rFmt?: number | null | undefined;
  /** R_ans, when the caller has judged it. */
  readonly rAns?: number | null | undefined;
}

/** The reward and its parts, one entry per rollout; NaN = null. See `trustJob` for what they are. */
export interface TrustScores {
  readonly ppl: Float64Array;
  readonly nll: Float64Array;
  readonly margin: Float64Array;
  readonly certainty: Float64Array;
  readonly rFmt: Float64Array;
  readonly rAns: Float64Array;
  readonly rCls: Float64Array;
  readonly reward: Float64Array;
  /** Group-relative advantage of the reward, see `groupAdvantages`. */
  readonly advantage: Float64Array;
  /** The words of TRUST_STATUSES that hold, joined by `;`; `filtered` when the group was, see `minStd`. */
  readonly status: string[];
}

/** Options of {@link scoreTrust}. */
export interface ScoreTrustOptions extends TrustOptions {
  readonly advantage?: AdvantageOptions;
}

/**
 * Scores rollouts with the TRUST reward; the same job, and so the same numbers, as tables and files go through.
 *
 * @param rollouts in any order; groups may lie apart
 * @returns arrays of shape (rollouts); empty for no rollouts.
 * @throws CalibrantError `option` for a bad option; `data` or `length-mismatch` for a value that cannot be, with the
 *   rollout's number.
 *
 * @example
 * ```ts
 * import { scoreTrust } from "calibrant/rewards";
 * const rollout = { groupId: "q1", gtAction: "ask", gtAnswer: "Which city?" };
 * const { margin, certainty, reward } = scoreTrust([
 *   { ...rollout, response: "<think>Vague.</think><ask><answer>Which city?</answer>", logprobs: [-0.25, -0.25] },
 *   { ...rollout, response: "<think>Guess.</think><direct><answer>Paris</answer>", logprobs: [-0.5] },
 * ]);
 * console.log(margin[0]?.toFixed(4), certainty[0]?.toFixed(4)); // 0.3647 0.9746
 * console.log(reward[0]?.toFixed(4), reward[1]?.toFixed(4)); // 4.9238 1.9746
 * ```
 */
export function scoreTrust(rollouts: readonly TrustRollout[], options: ScoreTrustOptions = {}): TrustScores {
  checkOptionNames(options, [...TRUST_OPTIONS, "advantage"], "scoreTrust");
  const job = trustJob(options);
  const requests = [...job.needs.required.flat(), ...job.needs.optional];
  const batch = batchFromRows(rollouts.map(rolloutRow), requests, "rollouts");
  const groups = (batch.columns.get("group_id") as KeyColumn).codes;
  const parts = job.scoreRows(batch);
  const state = job.createGroups();
  state.add(parts, groups);
  const { columns, status } = state.finish(parts.kept, groups);
  const [ppl, nll, margin, certainty, rFmt, rAns, rCls, reward] = columns.map(
    ({ values }) => values,
  ) as Eight;
  const { advantage, filtered } = groupAdvantages(reward, groups, options.advantage);
  return {
    ppl,
    nll,
    margin,
    certainty,
    rFmt,
    rAns,
    rCls,
    reward,
    advantage,
    status: statusTexts(status, filtered, job.statusNames),
  };
}

type Eight = [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];

/** A rollout under the names of files. */
export function rolloutRow(rollout: TrustRollout): Readonly<Record<string, unknown>> {
  return {
    group_id: rollout.groupId,
    gt_action: rollout.gtAction,
    action: rollout.action,
    response: rollout.response,
    messages: wireMessages(rollout.messages),
    answer: rollout.answer,
    gt_answer: rollout.gtAnswer,
    gold_actions: rollout.goldActions,
    logprobs: rollout.logprobs,
    logprob_mask: rollout.logprobMask,
    logprob_segments: rollout.logprobSegments,
    ppl: rollout.ppl,
    ref_ppl: rollout.refPpl,
    ref_logprobs: rollout.refLogprobs,
    neg_ppl: rollout.negPpl,
    judged_r_fmt: rollout.rFmt,
    judged_r_ans: rollout.rAns,
  };
}
