import { certainty } from "../uq/certainty.ts";
import { type GroupMargin, groupMargin, MARGIN_STATUSES, type MarginStatus } from "../uq/margin.ts";
import { type AdvantageOptions, oneGroupAdvantages } from "./advantage.ts";
import { statusTexts } from "./status-text.ts";
import {
  counterfactualPerplexity,
  groupPerplexities,
  referencePerplexity,
  type SharedPerplexity,
} from "./trust-group-perplexity.ts";
import { checkRollouts, groupSource, SHARED, type TrustGroupInput } from "./trust-group-rows.ts";
import { trustReward } from "./trust-groups.ts";
import type { RowPerplexities } from "./trust-perplexity.ts";
import { type TrustOptions, type TrustSettings, trustSettings } from "./trust-settings.ts";
import { TRUST_STATUSES } from "./trust-status.ts";
import { judgeTerms, type RowTerms } from "./trust-terms.ts";

/** The rewards of a group by the variant `paper`; arrays are `(rollouts)`, NaN = null. */
export interface PaperGroupScores {
  readonly variant: "paper";
  /** Perplexity of the right decision, ≥ 1: mean of the right rollouts, or what stands in for it. */
  readonly positive: number;
  /** Perplexity of the wrong decisions, ≥ 1. */
  readonly negative: number;
  /** `negative − positive`, m(s) of Eq. 4. */
  readonly margin: number;
  /** c(s) of Eq. 5, in [0, 1]. */
  readonly certainty: number;
  readonly marginStatus: MarginStatus;
  readonly ppl: Float64Array;
  readonly nll: Float64Array;
  /** 0 or 1, or what the caller has judged. */
  readonly rFmt: Float64Array;
  /** In [0, 1], or what the caller has judged. */
  readonly rAns: Float64Array;
  /** 1, 2 or 3. */
  readonly rCls: Float64Array;
  readonly reward: Float64Array;
  /** Group-relative advantage of the reward, see `groupAdvantages`. */
  readonly advantage: Float64Array;
  /** The words of TRUST_STATUSES that hold, joined by `;`; `filtered` when the group was, see `minStd`. */
  readonly status: string[];
}

/** {@link PaperGroupScores} of a group. */
export function paperGroup(
  group: TrustGroupInput,
  options: TrustOptions & { readonly advantage?: AdvantageOptions },
): PaperGroupScores {
  const settings = trustSettings(options);
  checkRollouts(group);
  const source = groupSource(group);
  const status = new Uint32Array(source.rows);
  const own = groupPerplexities(group, settings, status);
  const reference = referencePerplexity(group, settings);
  const counterfactual = counterfactualPerplexity(group, settings);
  const terms = judgeTerms(source, settings, status);
  const isKnown = source.goldOf(SHARED) >= 0;
  const { status: marginStatus, ...sides } = marginOf(
    isKnown ? own : NONE,
    terms,
    settings,
    reference,
    counterfactual,
  );
  const certain = certainty(sides.margin, settings);
  const reward = rewardsOf(terms, certain, settings);
  const bits = reference.bits | counterfactual.bits | (1 << MARGIN_STATUSES.indexOf(marginStatus));
  for (let row = 0; row < status.length; row++) status[row] = (status[row] as number) | bits;
  const { advantage, filtered } = oneGroupAdvantages(reward, options.advantage);
  return {
    variant: "paper",
    ...sides,
    certainty: certain,
    marginStatus,
    ...own,
    rFmt: terms.format,
    rAns: terms.answer,
    rCls: terms.class,
    reward,
    advantage,
    status: statusTexts(status, filtered, TRUST_STATUSES),
  };
}

/** Rollouts without a known gold action are neither right nor wrong. */
const NONE: RowPerplexities = { ppl: new Float64Array(0), nll: new Float64Array(0) };
/** R_cls of a rollout with the gold action. */
const RIGHT = 3;

function marginOf(
  { ppl, nll }: RowPerplexities,
  terms: RowTerms,
  { rules }: TrustSettings,
  reference: SharedPerplexity,
  counterfactual: SharedPerplexity,
): GroupMargin {
  const right = new Uint8Array(ppl.length);
  for (let row = 0; row < right.length; row++) right[row] = terms.class[row] === RIGHT ? 1 : 0;
  return groupMargin(ppl, right, {
    ...rules,
    nll,
    refPpl: reference.ppl,
    refNll: reference.nll,
    negPpl: counterfactual.ppl,
    negNll: counterfactual.nll,
  });
}

function rewardsOf(terms: RowTerms, certain: number, { weights }: TrustSettings): Float64Array {
  const reward = new Float64Array(terms.class.length);
  for (let row = 0; row < reward.length; row++) {
    reward[row] = trustReward(
      weights,
      terms.format[row] as number,
      terms.answer[row] as number,
      certain,
      terms.class[row] as number,
    );
  }
  return reward;
}
