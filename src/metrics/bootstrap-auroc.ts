import { CalibrantError } from "../errors.ts";
import { denseCodes } from "../math/dense-codes.ts";
import { checkLevel, percentileInterval } from "../math/percentile-interval.ts";
import { createResampler } from "../math/resample.ts";
import { seededRandom } from "../math/seeded-random.ts";
import { sortedOrder } from "../math/sort-numbers.ts";
import type { BinaryLabels, Interval, NumericArray } from "../types.ts";
import { checkedLabels, checkedScores, checkLength } from "./check-rows.ts";
import { isHigherPositive, type ScoreDirection } from "./score-direction.ts";

/** Options of {@link bootstrapAuroc}. */
export interface BootstrapAurocOptions {
  /** Default `higher-is-positive`. */
  readonly direction?: ScoreDirection;
  /** Number of resamples; 0 = no interval. Default 1000. */
  readonly resamples?: number;
  /** Integer. Default 0. */
  readonly seed?: number;
  /** Level of the interval, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** `(n)`: rows of equal code (whole numbers from 0) are drawn together, as the rows of one prompt; a row of a
   * negative code is drawn by itself. Default: every row by itself. */
  readonly clusters?: NumericArray;
}

/** What {@link bootstrapAuroc} returns. */
export interface BootstrapAurocResult extends Interval {
  /** The AUROC of the rows themselves; NaN without rows of both classes. */
  readonly auroc: number;
  /** AUROC of every resample that held both classes, in the order drawn. */
  readonly replicates: Float64Array;
  /** Resamples that held one class only; the interval rests on the others. */
  readonly undefinedReplicates: number;
  /** Why `auroc` is NaN; null when it is a number. `low` and `high` are NaN then, and when no resample held both classes. */
  readonly reason: "empty" | "single-class" | null;
}

/**
 * AUROC with a bootstrap percentile interval (Efron & Tibshirani 1993, section 13.3): all rows, or all clusters, are drawn
 * with replacement, each with its score and label; ends are type-7 quantiles. The same seed gives the same bytes, in any
 * order of the rows (with clusters: in any order that keeps the first rows of the clusters in order).
 *
 * Cost O(n log n + resamples · n): the rows are sorted once, a resample only counts how often each is drawn.
 *
 * @param scores `(n)`, any numbers but NaN
 * @param labels `(n)`, 1 or true = positive, 0 or false = negative
 * @throws CalibrantRangeError for a NaN score or a level outside (0, 1).
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { bootstrapAuroc } from "calibrant/metrics";
 * const result = bootstrapAuroc([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 1, 0, 1, 0, 1, 1], { seed: 1 });
 * console.log(result.auroc, result.low > 0.3, result.high); // 0.8125 true 1
 * ```
 */
export function bootstrapAuroc(
  scores: NumericArray,
  labels: BinaryLabels,
  options: BootstrapAurocOptions = {},
): BootstrapAurocResult {
  const { direction = "higher-is-positive", resamples = 1000, seed = 0, level = 0.95, clusters } = options;
  checkOptions(resamples, seed, level);
  const higher = isHigherPositive(direction);
  checkLength("labels", labels, "scores", scores.length);
  if (clusters !== undefined) checkLength("clusters", clusters, "scores", scores.length);
  const ranked = rankedRows(checkedScores("scores", scores), checkedLabels("labels", labels), higher);
  const units = clusters === undefined ? unitPerRow(ranked) : unitPerCluster(ranked, clusters);
  const point = unitAuroc(ranked, units, new Int32Array(units.count).fill(1));
  if (Number.isNaN(point)) {
    const none = { low: Number.NaN, high: Number.NaN, replicates: new Float64Array(0) };
    const reason = scores.length === 0 ? "empty" : "single-class";
    return { auroc: point, ...none, undefinedReplicates: resamples, reason };
  }
  const all = new Float64Array(resamples);
  const draw = createResampler(units.count, seededRandom(seed));
  const multiplicities = new Int32Array(units.count);
  for (let r = 0; r < resamples; r++) {
    draw(multiplicities);
    all[r] = unitAuroc(ranked, units, multiplicities);
  }
  const { low, high, undefined: missing } = percentileInterval(all, level);
  const replicates = missing === 0 ? all : all.filter((value) => !Number.isNaN(value));
  return { auroc: point, low, high, replicates, undefinedReplicates: missing, reason: null };
}

/** The rows of each class in ascending order, and where each upper row stands among the lower ones. */
interface RankedRows {
  /** Row indices of the class that should score low, and of the other. */
  readonly lower: Uint32Array;
  readonly upper: Uint32Array;
  /** For each upper row the number of lower rows below it, and at or below it. */
  readonly below: Uint32Array;
  readonly through: Uint32Array;
}

function rankedRows(scores: Float64Array | Float32Array, labels: Uint8Array, higher: boolean): RankedRows {
  const order = sortedOrder(scores);
  const upperLabel = higher ? 1 : 0;
  const lower = order.filter((row) => labels[row] !== upperLabel);
  const upper = order.filter((row) => labels[row] === upperLabel);
  const below = new Uint32Array(upper.length);
  const through = new Uint32Array(upper.length);
  let i = 0;
  let equal = 0;
  for (let j = 0; j < upper.length; j++) {
    const score = scores[upper[j] as number] as number;
    while (i < lower.length && (scores[lower[i] as number] as number) < score) i += 1;
    equal = Math.max(equal, i);
    while (equal < lower.length && scores[lower[equal] as number] === score) equal += 1;
    below[j] = i;
    through[j] = equal;
  }
  return { lower, upper, below, through };
}

/** What is drawn: the unit of each lower and each upper row. */
interface Units {
  readonly count: number;
  readonly ofLower: Uint32Array;
  readonly ofUpper: Uint32Array;
}

/** Rows are numbered by rank, so that the draws do not depend on their order in the input. */
function unitPerRow({ lower, upper }: RankedRows): Units {
  return {
    count: lower.length + upper.length,
    ofLower: lower.map((_, i) => i),
    ofUpper: upper.map((_, j) => lower.length + j),
  };
}

function unitPerCluster({ lower, upper }: RankedRows, clusters: NumericArray): Units {
  const { codes, count } = denseCodes([clusters]);
  const unitOfRow = codes[0] as Int32Array;
  return {
    count,
    ofLower: lower.map((row) => unitOfRow[row] as number),
    ofUpper: upper.map((row) => unitOfRow[row] as number),
  };
}

/** The AUROC with each unit counted as often as drawn; NaN when a class was not drawn. */
function unitAuroc(ranked: RankedRows, units: Units, multiplicities: Int32Array): number {
  const { below, through } = ranked;
  const { ofLower, ofUpper } = units;
  const drawnBelow = new Float64Array(ofLower.length + 1);
  let negatives = 0;
  for (let i = 0; i < ofLower.length; i++) {
    negatives += multiplicities[ofLower[i] as number] as number;
    drawnBelow[i + 1] = negatives;
  }
  let positives = 0;
  let halfPairs = 0;
  for (let j = 0; j < ofUpper.length; j++) {
    const times = multiplicities[ofUpper[j] as number] as number;
    positives += times;
    halfPairs +=
      times * ((drawnBelow[below[j] as number] as number) + (drawnBelow[through[j] as number] as number));
  }
  return positives * negatives === 0 ? Number.NaN : halfPairs / (2 * positives * negatives);
}

function checkOptions(resamples: number, seed: number, level: number): void {
  checkLevel(level);
  if (!Number.isInteger(resamples) || resamples < 0) {
    const message = `resamples must be a whole number from 0, got ${resamples}`;
    throw new CalibrantError("option", message, { resamples });
  }
  if (!Number.isInteger(seed)) {
    throw new CalibrantError("option", `seed must be an integer, got ${seed}`, { seed });
  }
}
