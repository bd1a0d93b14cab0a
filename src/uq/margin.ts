import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";
import { meanOfScaled, PPL_SCALE } from "./mean-ppl.ts";
import { logOfPpl } from "./nll.ts";

/**
 * Where the two sides of a margin come from:
 *
 * - `separated`: both from rollouts
 * - `no_positive`: no rollout has the gold action
 * - `no_negative`: every rollout has the gold action
 * - `no_perplexity`: no rollout has a perplexity, or none of one side has
 */
export const MARGIN_STATUSES = ["separated", "no_positive", "no_negative", "no_perplexity"] as const;

/** Where the two sides of a margin come from; see {@link MARGIN_STATUSES}. */
export type MarginStatus = (typeof MARGIN_STATUSES)[number];

/** The rules for what rollouts do not show. */
export interface MarginRules {
  /**
   * Where the positive side comes from first: `"rollouts"`, the mean over those with the gold action, else the
   * reference; `"reference"`, the other way round. Default `"rollouts"`.
   */
  readonly positive?: "rollouts" | "reference";
  /**
   * What stands in for an empty side. `"paper"` (default): without a right rollout the negative side is 1 (Eq. 4);
   * without a wrong one it is the counterfactual, else the positive side (margin 0). `"neutral"`: as paper, but
   * margin 0 without a right rollout. `"released"`: 1 for either side, references unused, and margin 0 for a lone
   * rollout, as the authors' code fills groups.
   */
  readonly emptyGroup?: "paper" | "neutral" | "released";
}

/** A perplexity and its logarithm, which stays finite when the perplexity overflows. NaN = absent. */
export interface PerplexityPair {
  readonly ppl: number;
  readonly nll: number;
}

/** One side of a group: how many rollouts it has, and means over those with a perplexity (NaN for none). */
export interface MarginSide extends PerplexityPair {
  readonly rollouts: number;
}

/** All that a margin is made of. */
export interface MarginEvidence {
  readonly right: MarginSide;
  readonly wrong: MarginSide;
  /** Perplexity of the gold answer, teacher-forced. */
  readonly reference: PerplexityPair;
  /** Perplexity of a counterfactual wrong decision, teacher-forced. */
  readonly counterfactual: PerplexityPair;
}

/** A margin and its two sides, in perplexity units. */
export interface GroupMargin {
  /** Perplexity of the right decision, ≥ 1. */
  readonly positive: number;
  /** Perplexity of the wrong decisions, ≥ 1. */
  readonly negative: number;
  /** negative − positive; -Infinity, Infinity or 0 where both are infinite; never NaN. */
  readonly margin: number;
  readonly status: MarginStatus;
}

/** Options of {@link groupMargin}. */
export interface GroupMarginOptions extends MarginRules {
  /** ln PPL of each rollout, `(n)`, for perplexities that overflowed. Default: the logarithm of `ppl`. */
  readonly nll?: NumericArray;
  readonly refPpl?: number | null;
  readonly refNll?: number | null;
  readonly negPpl?: number | null;
  readonly negNll?: number | null;
}

const ONE: PerplexityPair = { ppl: 1, nll: 0 };

/**
 * The margin m(s) of one decision point (TRUST Eq. 4): mean perplexity of the wrong decisions minus that of the
 * right one. Positive = the model is surer of the right decision.
 *
 * Means are plain left-to-right sums over rollouts with a perplexity; NaN and values below 1 are missing and stay
 * out. If both sides are infinite their mean nll decide: the larger one is infinitely far away, equal ones give 0.
 *
 * @param ppl perplexity of each rollout, `(n)`; NaN = none
 * @param right whether each rollout has the gold action, `(n)`
 * @throws CalibrantError `length-mismatch` when the arrays differ in length; `option` for an unknown rule.
 *
 * @example
 * ```ts
 * import { groupMargin } from "calibrant/uq";
 * const { margin, status } = groupMargin([1.25, 1.75, 2.25], [true, false, false]);
 * console.log(margin, status); // 0.75 separated
 * ```
 */
export function groupMargin(
  ppl: NumericArray,
  right: readonly boolean[] | Uint8Array,
  options: GroupMarginOptions = {},
): GroupMargin {
  const { nll, refPpl, refNll, negPpl, negNll } = options;
  checkLength("right", right.length, ppl.length);
  if (nll !== undefined) checkLength("nll", nll.length, ppl.length);
  checkMarginRules(options);
  const evidence: MarginEvidence = {
    right: side(ppl, nll, right, true),
    wrong: side(ppl, nll, right, false),
    reference: pair(refPpl, refNll),
    counterfactual: pair(negPpl, negNll),
  };
  return resolveMargin(evidence, options);
}

/** {@link groupMargin} from means that are already there. The rules are not checked. */
export function resolveMargin(evidence: MarginEvidence, rules: MarginRules): GroupMargin {
  const positive = positiveSide(evidence, rules);
  const negative = negativeSide(evidence, rules, positive);
  return {
    positive: positive.ppl,
    negative: negative.ppl,
    margin: difference(negative, positive),
    status: marginStatus(evidence),
  };
}

/** @throws CalibrantError `option` for a rule that is none. */
export function checkMarginRules(rules: MarginRules): void {
  const { positive = "rollouts", emptyGroup = "paper" } = rules;
  if (!["rollouts", "reference"].includes(positive)) {
    throw new CalibrantError("option", `positive must be rollouts or reference, got ${positive}`, {
      positive,
    });
  }
  if (!["paper", "neutral", "released"].includes(emptyGroup)) {
    throw new CalibrantError("option", `emptyGroup must be paper, neutral or released, got ${emptyGroup}`, {
      emptyGroup,
    });
  }
}

function positiveSide({ right, reference }: MarginEvidence, rules: MarginRules): PerplexityPair {
  if (rules.emptyGroup === "released") return firstPresent(right);
  return rules.positive === "reference" ? firstPresent(reference, right) : firstPresent(right, reference);
}

function negativeSide(
  evidence: MarginEvidence,
  rules: MarginRules,
  positive: PerplexityPair,
): PerplexityPair {
  const { right, wrong, counterfactual } = evidence;
  if (rules.emptyGroup === "released")
    return right.rollouts + wrong.rollouts === 1 ? positive : firstPresent(wrong);
  if (right.rollouts === 0) return rules.emptyGroup === "neutral" ? positive : ONE;
  return firstPresent(wrong, counterfactual, positive);
}

function firstPresent(...pairs: readonly PerplexityPair[]): PerplexityPair {
  return pairs.find((candidate) => !Number.isNaN(candidate.ppl)) ?? ONE;
}

function difference(negative: PerplexityPair, positive: PerplexityPair): number {
  if (Number.isFinite(negative.ppl) || Number.isFinite(positive.ppl)) return negative.ppl - positive.ppl;
  if (negative.nll === positive.nll) return 0;
  return negative.nll > positive.nll ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

function marginStatus({ right, wrong }: MarginEvidence): MarginStatus {
  const rightless = Number.isNaN(right.ppl);
  const wrongless = Number.isNaN(wrong.ppl);
  if (rightless && wrongless) return "no_perplexity";
  if (right.rollouts === 0) return "no_positive";
  if (wrong.rollouts === 0) return "no_negative";
  return rightless || wrongless ? "no_perplexity" : "separated";
}

function side(
  ppl: NumericArray,
  nll: NumericArray | undefined,
  right: readonly boolean[] | Uint8Array,
  wanted: boolean,
): MarginSide {
  let rollouts = 0;
  let n = 0;
  let scaledSum = 0;
  let nllSum = 0;
  for (let i = 0; i < ppl.length; i++) {
    if (Boolean(right[i]) !== wanted) continue;
    rollouts += 1;
    const own = ppl[i] as number;
    const log = logOfPpl(own);
    if (Number.isNaN(log)) continue;
    n += 1;
    scaledSum += Math.max(own, 1) * PPL_SCALE;
    const given = nll === undefined ? log : (nll[i] as number);
    nllSum += Number.isNaN(given) ? log : given;
  }
  return { rollouts, ppl: meanOfScaled(scaledSum, n), nll: n === 0 ? Number.NaN : nllSum / n };
}

function pair(ppl: number | null | undefined, nll: number | null | undefined): PerplexityPair {
  if (ppl === null || ppl === undefined) {
    return nll === null || nll === undefined
      ? { ppl: Number.NaN, nll: Number.NaN }
      : { ppl: Math.exp(nll), nll };
  }
  const log = logOfPpl(ppl);
  return Number.isNaN(log) ? { ppl: log, nll: log } : { ppl: Math.max(ppl, 1), nll: nll ?? log };
}

function checkLength(name: string, found: number, expected: number): void {
  if (found === expected) return;
  throw new CalibrantError(
    "length-mismatch",
    `${name} must number ${expected}, one a perplexity; got ${found}`,
    {
      name,
      found,
      expected,
    },
  );
}
