import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkedLabels, checkedScores, checkedWeights, checkLength } from "./check-rows.ts";
import { isHigherPositive, type ScoreDirection } from "./score-direction.ts";
import { type TieGroups, tieGroups } from "./tie-groups.ts";

/** Options of {@link averagePrecision}. */
export interface AveragePrecisionOptions {
  /** Default `higher-is-positive`. With `lower-is-positive` the scores are read as their negation. */
  readonly direction?: ScoreDirection;
  /** `(n)`, finite and not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
}

/** What {@link averagePrecision} returns. */
export interface AveragePrecisionResult {
  /** In (0, 1]; the share of positive rows is what chance gives. NaN without positive rows. */
  readonly ap: number;
  /** `single-class` when there are rows but none is positive; null when `ap` is a number (1 when all are positive). */
  readonly reason: "empty" | "single-class" | null;
}

/**
 * Average precision: Σ (recall_k − recall_{k−1}) · precision_k over the distinct scores from the most positive one on, as
 * scikit-learn's `average_precision_score`: a step sum without interpolation, rows of equal score entering together.
 *
 * Cost O(n): a radix sort.
 *
 * @param scores `(n)`, any numbers but NaN
 * @param labels `(n)`, 1 or true = positive, 0 or false = negative
 * @throws CalibrantRangeError for a NaN score (naming its index) or a bad weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { averagePrecision } from "calibrant/metrics";
 * console.log(averagePrecision([0.9, 0.8, 0.7], [1, 0, 1]).ap.toFixed(4)); // 0.8333
 * ```
 */
export function averagePrecision(
  scores: NumericArray,
  labels: BinaryLabels,
  options: AveragePrecisionOptions = {},
): AveragePrecisionResult {
  const { direction = "higher-is-positive" } = options;
  const higher = isHigherPositive(direction);
  checkLength("labels", labels, "scores", scores.length);
  const weights = checkedWeights(options.weights, "scores", scores.length);
  const values = checkedScores("scores", scores);
  const groups = tieGroups(values, checkedLabels("labels", labels), weights);
  if (groups.positives > 0) return { ap: stepSum(groups, higher), reason: null };
  return { ap: Number.NaN, reason: groups.negatives > 0 ? "single-class" : "empty" };
}

function stepSum(groups: TieGroups, higher: boolean): number {
  const count = groups.score.length;
  let found = 0;
  let kept = 0;
  let sum = 0;
  for (let k = 0; k < count; k++) {
    const g = higher ? count - 1 - k : k;
    const positive = groups.positive[g] as number;
    found += positive;
    kept += positive + (groups.negative[g] as number);
    sum += positive * (found / kept);
  }
  return sum / groups.positives;
}
