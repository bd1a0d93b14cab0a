import { sortedCopy } from "../math/sort-numbers.ts";
import { compareSorted } from "../math/two-samples.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkedLabels, checkedScores, checkedWeights, checkLength } from "./check-rows.ts";
import { classSamples } from "./class-samples.ts";
import { isHigherPositive, type ScoreDirection } from "./score-direction.ts";
import { type TieGroups, tieGroups } from "./tie-groups.ts";

/** Options of {@link auroc}. */
export interface AurocOptions {
  /** Default `higher-is-positive`. With `lower-is-positive` the scores are read as their negation. */
  readonly direction?: ScoreDirection;
  /** `(n)`, finite and not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
}

/** What {@link auroc} returns. */
export interface AurocResult {
  /** In [0, 1], 0.5 = no better than chance; NaN without rows of both classes. */
  readonly auroc: number;
  /** Rows of each class, weights included. */
  readonly positives: number;
  readonly negatives: number;
  /** Why `auroc` is NaN; null when it is a number. */
  readonly reason: "empty" | "single-class" | null;
}

/**
 * Area under the ROC curve: the chance that a positive row scores above a negative one, ties counted one half (midranks;
 * Hanley & McNeil 1982). Only the order of the scores counts: logits are never squashed, infinities are ordinary values.
 *
 * Exact. Cost O(n): a radix sort of each class and a merge; with weights a radix sort of all rows.
 *
 * @param scores `(n)`, any numbers but NaN
 * @param labels `(n)`, 1 or true = positive, 0 or false = negative
 * @throws CalibrantRangeError for a NaN score (naming its index) or a bad weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { auroc } from "calibrant/metrics";
 * // Does a high perplexity point at wrong answers?
 * console.log(auroc([1.2, 3.4, 3.4, 8.1], [0, 0, 1, 1]).auroc); // 0.875
 * console.log(auroc([1.2, 3.4], [1, 1])); // { auroc: NaN, positives: 2, negatives: 0, reason: 'single-class' }
 * ```
 */
export function auroc(scores: NumericArray, labels: BinaryLabels, options: AurocOptions = {}): AurocResult {
  const { direction = "higher-is-positive" } = options;
  const higher = isHigherPositive(direction);
  checkLength("labels", labels, "scores", scores.length);
  const weights = checkedWeights(options.weights, "scores", scores.length);
  const values = checkedScores("scores", scores);
  const classes = checkedLabels("labels", labels);
  if (weights !== null) return aurocOfGroups(tieGroups(values, classes, weights), higher);
  const samples = classSamples(values, classes);
  const negative = sortedCopy(samples.negative);
  const positive = sortedCopy(samples.positive);
  const { auc } = higher ? compareSorted(negative, positive) : compareSorted(positive, negative);
  return named(auc, positive.length, negative.length);
}

function aurocOfGroups(groups: TieGroups, higher: boolean): AurocResult {
  const { positives, negatives } = groups;
  const upper = higher ? groups.positive : groups.negative;
  const lower = higher ? groups.negative : groups.positive;
  let below = 0;
  let halfPairs = 0;
  for (let g = 0; g < upper.length; g++) {
    const tied = lower[g] as number;
    halfPairs += (upper[g] as number) * (2 * below + tied);
    below += tied;
  }
  return named(halfPairs / (2 * positives * negatives), positives, negatives);
}

function named(value: number, positives: number, negatives: number): AurocResult {
  if (positives > 0 && negatives > 0) return { auroc: value, positives, negatives, reason: null };
  const reason = positives + negatives === 0 ? "empty" : "single-class";
  return { auroc: Number.NaN, positives, negatives, reason };
}
