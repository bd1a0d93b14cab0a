import { sortedCopy } from "../../math/sort-numbers.ts";
import { compareSorted, type TwoSamples } from "../../math/two-samples.ts";
import { compareWeighted, type WeightedSample, weightedSample } from "../../math/weighted-samples.ts";
import type { IouRows } from "./iou-rows.ts";

/** The rows of one class in ascending order of uncertainty. */
export interface IouRanks {
  /** Ascending, in units of the input, infinities included, `(n)`. */
  readonly values: Float64Array | Float32Array;
  /** The same with running sums of the weights; null without weights. */
  readonly weighted: WeightedSample | null;
  /** Sum of the weights, or number of rows. */
  readonly total: number;
  /** Index of the first finite value, and one past the last. */
  readonly start: number;
  readonly end: number;
}

/** Sorts the rows of one class. Cost O(n). */
export function rankRows(rows: IouRows): IouRanks {
  const weighted = rows.weights === null ? null : weightedSample(rows.values, rows.weights);
  const values = weighted === null ? sortedCopy(rows.values) : weighted.values;
  const start = values[0] === Number.NEGATIVE_INFINITY ? upTo(values, Number.NEGATIVE_INFINITY) : 0;
  const end = below(values, Number.POSITIVE_INFINITY);
  const total = weighted === null ? values.length : (weighted.cumulative[values.length - 1] ?? 0);
  return { values, weighted, total, start: Math.min(start, end), end };
}

/** AUROC, P(wrong > correct) + P(equal)/2, and the Kolmogorov–Smirnov distance of the two classes. */
export function compareRanks(correct: IouRanks, wrong: IouRanks): TwoSamples {
  if (correct.weighted === null && wrong.weighted === null)
    return compareSorted(correct.values, wrong.values);
  return compareWeighted(withWeights(correct), withWeights(wrong));
}

/** Weight of the first `count` rows. */
export function weightOfFirst(ranks: IouRanks, count: number): number {
  if (ranks.weighted === null) return count;
  return count === 0 ? 0 : (ranks.weighted.cumulative[count - 1] as number);
}

/** Weight of the finite rows. */
export function finiteWeight(ranks: IouRanks): number {
  return weightOfFirst(ranks, ranks.end) - weightOfFirst(ranks, ranks.start);
}

/** The smallest and the largest finite value of the two classes; NaN when there is none. */
export function finiteExtremes(correct: IouRanks, wrong: IouRanks): { min: number; max: number } {
  const ends = [correct, wrong].filter((ranks) => ranks.start < ranks.end);
  if (ends.length === 0) return { min: Number.NaN, max: Number.NaN };
  return {
    min: Math.min(...ends.map((ranks) => ranks.values[ranks.start] as number)),
    max: Math.max(...ends.map((ranks) => ranks.values[ranks.end - 1] as number)),
  };
}

/**
 * Share of the finite values below `x` (`"below"`) or at most `x` (`"up-to"`) in the class-balanced pool: each class
 * weighs one half, whatever its size. A class without finite values leaves the whole weight to the other.
 */
export function balancedShare(
  correct: IouRanks,
  wrong: IouRanks,
  x: number,
  side: "below" | "up-to",
): number {
  const find = side === "below" ? below : upTo;
  const shareOf = (ranks: IouRanks): number => {
    const count = Math.min(Math.max(find(ranks.values, x), ranks.start), ranks.end);
    return (weightOfFirst(ranks, count) - weightOfFirst(ranks, ranks.start)) / finiteWeight(ranks);
  };
  if (correct.start === correct.end) return shareOf(wrong);
  if (wrong.start === wrong.end) return shareOf(correct);
  return (shareOf(correct) + shareOf(wrong)) / 2;
}

/** Shares that differ from a threshold by rounding only are equal to it. */
const SHARE_ROUNDING = 1e-12;

/**
 * The smallest finite value of either class whose {@link balancedShare} reaches `p`: with `"up-to"` the inverse-CDF
 * quantile (type 1 of Hyndman & Fan 1996) of the class-balanced pool, with `"below"` the first value that has the share
 * `p` beneath it. NaN when no value has. Cost O(log² n).
 */
export function balancedQuantile(
  correct: IouRanks,
  wrong: IouRanks,
  p: number,
  side: "below" | "up-to" = "up-to",
): number {
  const inClass = (ranks: IouRanks): number => {
    let low = ranks.start;
    let high = ranks.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const share = balancedShare(correct, wrong, ranks.values[middle] as number, side);
      if (share >= p - SHARE_ROUNDING) high = middle;
      else low = middle + 1;
    }
    return low < ranks.end ? (ranks.values[low] as number) : Number.POSITIVE_INFINITY;
  };
  const found = Math.min(inClass(correct), inClass(wrong));
  return Number.isFinite(found) ? found : Number.NaN;
}

/** Number of values of an ascending array that are below `x`. */
export function below(values: Float64Array | Float32Array, x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of values of an ascending array that are at most `x`. */
export function upTo(values: Float64Array | Float32Array, x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withWeights(ranks: IouRanks): WeightedSample {
  if (ranks.weighted !== null) return ranks.weighted;
  const cumulative = Float64Array.from(ranks.values, (_value, index) => index + 1);
  return { values: Float64Array.from(ranks.values), cumulative };
}
