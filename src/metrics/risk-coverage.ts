import { CalibrantError } from "../errors.ts";
import { harmonicDifference } from "../math/harmonic.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkedLabels, checkedScores, checkedWeights, checkLength } from "./check-rows.ts";
import { type TieGroups, tieGroups } from "./tie-groups.ts";

/** Options of {@link riskCoverage}. */
export interface RiskCoverageOptions {
  /**
   * `(n)`, finite and not negative; a row of weight k counts as k equal rows. Fractions continue the same formula
   * smoothly, but scaling all weights changes the areas as repeating all rows would: give counts, not shares.
   */
  readonly weights?: NumericArray;
  /**
   * At most so many points of the curve, evenly spread over coverage and ending at 1; a whole number from 1. Default: one
   * point for every distinct score. The areas always use all rows.
   */
  readonly points?: number;
}

/** The risk of keeping the rows of uncertainty up to a threshold; arrays of length `(points)`, coverage ascending. */
export interface RiskCoverageCurve {
  /** Share of rows kept, in (0, 1], weights included. */
  readonly coverage: Float64Array;
  /** Share of wrong rows among the kept ones. */
  readonly risk: Float64Array;
  /** The largest uncertainty that is kept. */
  readonly threshold: Float64Array;
}

/** What {@link riskCoverage} returns. */
export interface RiskCoverageResult {
  /** Area under the risk–coverage curve, in [0, 1]; lower is better. NaN without rows. */
  readonly aurc: number;
  /** `aurc` minus that of a perfect ordering of the same rows; 0 = perfect. NaN without rows. */
  readonly eaurc: number;
  readonly curve: RiskCoverageCurve;
  readonly reason: "empty" | null;
}

/**
 * Risk–coverage: the error rate among the rows that are kept when the most uncertain ones are dropped first.
 *
 * AURC is the mean over k = 1 … n of the error rate of the k least uncertain rows (Geifman, Uziel & El-Yaniv 2019, Eq. 2),
 * averaged over all orders of equally uncertain rows. A group of m rows, w of them wrong, that follows K rows, R of them
 * wrong, then adds in closed form
 * `Σ_{j=1…m} (R + j·w/m) / (K + j) = w + (R − K·w/m) · (H(K + m) − H(K))` with the harmonic numbers H, and AURC is the sum
 * over groups divided by n. So row order has no influence, and all scores equal give the error rate.
 *
 * E-AURC subtracts the AURC of an ordering with all W wrong rows last: `(W − (n − W) · (H(n) − H(n − W))) / n`; this is
 * the exact value that (1 − e)·ln(1 − e) + e of Geifman et al., Eq. 4, approximates for large n.
 *
 * The curve has one point for each distinct score: a threshold cannot cut through a tie.
 *
 * Cost O(n): a radix sort.
 *
 * @param uncertainty `(n)`, higher = less sure, any numbers but NaN; infinities are legal
 * @param wrong `(n)`, 1 or true = wrong, 0 or false = right
 * @throws CalibrantRangeError for a NaN uncertainty (naming its index) or a bad weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { riskCoverage } from "calibrant/metrics";
 * const { aurc, eaurc, curve } = riskCoverage([1.1, 1.3, 2.0, 4.0], [0, 0, 1, 0]);
 * console.log(aurc.toFixed(4), eaurc.toFixed(4)); // 0.1458 0.0833
 * console.log([...curve.coverage], [...curve.threshold]); // [ 0.25, 0.5, 0.75, 1 ] [ 1.1, 1.3, 2, 4 ]
 * ```
 */
export function riskCoverage(
  uncertainty: NumericArray,
  wrong: BinaryLabels,
  options: RiskCoverageOptions = {},
): RiskCoverageResult {
  const points = checkedPoints(options.points);
  checkLength("wrong", wrong, "uncertainty", uncertainty.length);
  const weights = checkedWeights(options.weights, "uncertainty", uncertainty.length);
  const values = checkedScores("uncertainty", uncertainty);
  const groups = tieGroups(values, checkedLabels("wrong", wrong), weights);
  const curve = curveOfGroups(groups, points);
  const rows = groups.negatives + groups.positives;
  if (rows === 0) return { aurc: Number.NaN, eaurc: Number.NaN, curve, reason: "empty" };
  const aurc = prefixRisk(groups) / rows;
  const perfect = tiedRisk(groups.negatives, 0, groups.positives, groups.positives) / rows;
  // A perfect ordering may differ from itself in the last bit.
  return { aurc, eaurc: Math.max(0, aurc - perfect), curve, reason: null };
}

/** Sum of the prefix risks over all prefixes, averaged over the orders of ties. */
function prefixRisk(groups: TieGroups): number {
  let kept = 0;
  let wrong = 0;
  let sum = 0;
  for (let g = 0; g < groups.score.length; g++) {
    const bad = groups.positive[g] as number;
    const size = bad + (groups.negative[g] as number);
    sum += tiedRisk(kept, wrong, size, bad);
    kept += size;
    wrong += bad;
  }
  return sum;
}

/** What a group of `size` rows, `bad` of them wrong, adds after `kept` rows, `wrong` of them wrong. */
function tiedRisk(kept: number, wrong: number, size: number, bad: number): number {
  if (size === 0) return 0;
  if (size === 1) return (wrong + bad) / (kept + 1);
  const rate = bad / size;
  return bad + (wrong - kept * rate) * harmonicDifference(kept, size);
}

function curveOfGroups(groups: TieGroups, points: number): RiskCoverageCurve {
  const count = groups.score.length;
  const length = Math.min(count, points);
  const coverage = new Float64Array(length);
  const risk = new Float64Array(length);
  const threshold = new Float64Array(length);
  const rows = groups.negatives + groups.positives;
  let kept = 0;
  let wrong = 0;
  let filled = 0;
  let next = 1;
  for (let g = 0; g < count; g++) {
    wrong += groups.positive[g] as number;
    kept += (groups.positive[g] as number) + (groups.negative[g] as number);
    // Sums of fractional weights may end a bit beside the total.
    const share = g === count - 1 ? 1 : Math.min(1, kept / rows);
    if (count > points && g < count - 1 && share * points < next) continue;
    next = Math.floor(share * points) + 1;
    if (filled === length) filled -= 1;
    coverage[filled] = share;
    risk[filled] = wrong / kept;
    threshold[filled] = groups.score[g] as number;
    filled += 1;
  }
  return {
    coverage: coverage.slice(0, filled),
    risk: risk.slice(0, filled),
    threshold: threshold.slice(0, filled),
  };
}

function checkedPoints(points: number | undefined): number {
  if (points === undefined) return Number.POSITIVE_INFINITY;
  if (Number.isInteger(points) && points >= 1) return points;
  throw new CalibrantError("option", `points must be a whole number from 1, got ${points}`, { points });
}
