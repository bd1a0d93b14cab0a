import type { NumericArray } from "../../types.ts";
import type { IouEdges } from "./iou-edges.ts";
import { below, type IouRanks, weightOfFirst } from "./iou-ranks.ts";

/** `density`: each class counts as a distribution of sum 1. `count`: rows count, as in an overlaid histogram. */
export type IouNormalize = "density" | "count";

/** Two histograms compared. */
export interface CountsIou {
  /** Σ min / Σ max, in [0, 1]; NaN when a class has no rows. */
  readonly iou: number;
  /** The overlapping coefficient, 2·Σ min / (sum of both), in [0, 1]; `iou = overlap / (2 − overlap)`. */
  readonly overlap: number;
}

/**
 * Intersection over union of two histograms with the same bins, and their overlap (TRUST Eq. 10 on histograms). The
 * order of the cells has no meaning; infinite values are a cell of their own.
 *
 * @param correct rows of each bin, `(bins)`, or sums of their weights
 * @param wrong the same for the other class, `(bins)`
 * @param normalize default `density`
 *
 * @example
 * ```ts
 * import { iouFromCounts } from "calibrant/uq";
 * console.log(iouFromCounts([8, 2], [1, 1])); // { iou: 0.5384615384615384, overlap: 0.7 }
 * console.log(iouFromCounts([8, 2], [1, 1], "count").iou); // 0.2
 * ```
 */
export function iouFromCounts(
  correct: NumericArray,
  wrong: NumericArray,
  normalize: IouNormalize = "density",
): CountsIou {
  let sumCorrect = 0;
  let sumWrong = 0;
  for (let k = 0; k < correct.length; k++) {
    sumCorrect += correct[k] as number;
    sumWrong += wrong[k] as number;
  }
  if (!(sumCorrect > 0 && sumWrong > 0)) return { iou: Number.NaN, overlap: Number.NaN };
  // Cross-multiplied, so that whole counts add up without rounding.
  const factorCorrect = normalize === "density" ? sumWrong : 1;
  const factorWrong = normalize === "density" ? sumCorrect : 1;
  let shared = 0;
  for (let k = 0; k < correct.length; k++) {
    const a = (correct[k] as number) * factorCorrect;
    const b = (wrong[k] as number) * factorWrong;
    shared += Math.min(a, b);
  }
  // The sums of min and of max add up to both totals; with fractions of a row rounding may take min past the half.
  const both = normalize === "density" ? 2 * sumCorrect * sumWrong : sumCorrect + sumWrong;
  shared = Math.min(shared, both / 2);
  return { iou: shared / (both - shared), overlap: (2 * shared) / both };
}

/**
 * Rows of each bin, `(bins)`, or sums of their weights. Bins are [a, b), the last one [a, b]; values outside, infinities
 * too, are counted in the end bins; NaN is not counted. O(1) a row for equal steps, else a binary search.
 *
 * @param x values on the axis of the edges, `(n)`
 * @param edges ascending, `(bins + 1)`, at least 2
 * @param weights default: every row counts 1
 *
 * @example
 * ```ts
 * import { countBins } from "calibrant/uq";
 * console.log(countBins([0, 0.5, 0.9, 1, 7], [0, 0.5, 1])); // Float64Array(2) [ 1, 4 ]
 * ```
 */
export function countBins(x: NumericArray, edges: NumericArray, weights?: NumericArray): Float64Array {
  const counts = new Float64Array(edges.length - 1);
  const bins = binsOf(x, edges);
  for (let i = 0; i < bins.length; i++) {
    const bin = bins[i] as number;
    if (bin >= 0)
      counts[bin] = (counts[bin] as number) + (weights === undefined ? 1 : (weights[i] as number));
  }
  return counts;
}

/** The bin of each row by the rule of {@link countBins}, `(n)`; -1 for NaN. */
export function binsOf(x: NumericArray, edges: NumericArray): Int32Array {
  const sorted = Float64Array.from(edges);
  const bins = new Int32Array(x.length);
  const first = sorted[0] as number;
  const last = sorted.length - 2;
  const perUnit = (last + 1) / ((sorted[last + 1] as number) - first);
  const uniform = isNearlyUniform(sorted);
  for (let i = 0; i < x.length; i++) {
    const value = x[i] as number;
    if (Number.isNaN(value)) {
      bins[i] = -1;
      continue;
    }
    let bin = uniform
      ? Math.min(Math.max(Math.floor((value - first) * perUnit), 0), last)
      : searchedBin(value, sorted);
    // The division may land one bin off at an edge; the edges decide.
    while (bin > 0 && value < (sorted[bin] as number)) bin -= 1;
    while (bin < last && value >= (sorted[bin + 1] as number)) bin += 1;
    bins[i] = bin;
  }
  return bins;
}

/** The number of inner edges that are at most `value`. */
function searchedBin(value: number, edges: Float64Array): number {
  let low = 1;
  let high = edges.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Whether every edge is within half a step of where equal steps would put it. */
function isNearlyUniform(edges: Float64Array): boolean {
  const bins = edges.length - 1;
  const first = edges[0] as number;
  const step = ((edges[bins] as number) - first) / bins;
  // A step that is 0, infinite or subnormal has no usable inverse.
  if (!(step > 1e-300 && step < Number.POSITIVE_INFINITY)) return false;
  for (let k = 1; k < bins; k++) {
    if (!(Math.abs((edges[k] as number) - (first + step * k)) <= step / 2)) return false;
  }
  return true;
}

/** The histogram of ranked rows, `(bins)`: finite rows only. Cost O(bins · log n). */
export function countRanks(ranks: IouRanks, edges: IouEdges): Float64Array {
  const onAxis = edges.exact === "axis" && edges.scale === "log";
  const cuts = edges.exact === "axis" ? edges.edges : edges.inputEdges;
  const counts = new Float64Array(Math.max(cuts.length - 1, 0));
  let before = ranks.start;
  for (let bin = 0; bin < counts.length; bin++) {
    const isLast = bin === counts.length - 1;
    const found = onAxis
      ? belowOnLogAxis(ranks.values, cuts[bin + 1] as number)
      : below(ranks.values, cuts[bin + 1] as number);
    const end = isLast ? ranks.end : Math.min(Math.max(found, before), ranks.end);
    counts[bin] = weightOfFirst(ranks, end) - weightOfFirst(ranks, before);
    before = end;
  }
  return counts;
}

function belowOnLogAxis(values: Float64Array | Float32Array, edge: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Math.log(values[middle] as number) < edge) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The cell of each row `(n)`: 0 for −Infinity, `1 + bin` for finite values, `bins + 1` for Infinity.
 *
 * @param values in units of the input, without NaN
 */
export function cellsOfRows(values: NumericArray, edges: IouEdges): Int32Array {
  const top = Math.max(edges.edges.length, 1);
  const isLog = edges.scale === "log" && edges.exact === "axis";
  const x = isLog ? logs(values) : values;
  const cells = top > 1 ? binsOf(x, isLog ? edges.edges : edges.inputEdges) : new Int32Array(values.length);
  for (let i = 0; i < cells.length; i++) {
    const value = values[i] as number;
    if (value === Number.POSITIVE_INFINITY) cells[i] = top;
    else cells[i] = value === Number.NEGATIVE_INFINITY ? 0 : (cells[i] as number) + 1;
  }
  return cells;
}

function logs(values: NumericArray): Float64Array {
  const result = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) result[i] = Math.log(values[i] as number);
  return result;
}
