import { CalibrantError } from "../errors.ts";
import { sortedCopy, sortedOrder } from "../math/sort-numbers.ts";
import type { NumericArray } from "../types.ts";

/** The most bins a calibration error may have: bin codes are 16-bit. */
export const MAX_BINS = 65535;

/**
 * Edges of equal-width bins on [0, 1]: exactly the doubles k/bins.
 *
 * @param bins number of bins, 1 … 65535
 * @returns `(bins + 1)`
 * @throws CalibrantError `option` for another number of bins.
 */
export function uniformEdges(bins: number): Float64Array {
  checkBins(bins);
  return Float64Array.from({ length: bins + 1 }, (_, k) => k / bins);
}

/**
 * Edges of bins with about equal numbers of rows: the type-7 quantiles at k/bins, as scikit-learn's
 * `calibration_curve(strategy="quantile")`. Equal confidences are never split, so edges that coincide are one edge and
 * there may be fewer bins than asked for: a constant confidence has one. Only the first bin may have zero width; it then
 * holds the rows at the minimum. NaN rows and rows of weight 0 are left out. Cost O(n log n).
 *
 * @param confidence `(n)`
 * @param bins the most bins there may be, 1 … 65535
 * @param weights `(n)`; a row of weight k counts as k equal rows
 * @returns `(used bins + 1)`, ascending; empty without rows
 * @throws CalibrantError `option` for another number of bins.
 */
export function quantileEdges(confidence: NumericArray, bins: number, weights?: NumericArray): Float64Array {
  checkBins(bins);
  const cuts = weights === undefined ? plainCuts(confidence, bins) : weightedCuts(confidence, bins, weights);
  if (cuts.length === 0) return cuts;
  const last = cuts[bins] as number;
  const edges = [cuts[0] as number];
  for (let k = 1; k < bins; k++) {
    const cut = cuts[k] as number;
    if (cut < last && (edges.length === 1 || cut > (edges.at(-1) as number))) edges.push(cut);
  }
  edges.push(last);
  return Float64Array.from(edges);
}

function plainCuts(confidence: NumericArray, bins: number): Float64Array {
  const sorted = sortedCopy(confidence);
  let n = sorted.length;
  while (n > 0 && Number.isNaN(sorted[n - 1])) n--;
  return n === 0 ? new Float64Array(0) : cutsAt(bins, n - 1, (index) => sorted[index] as number);
}

function weightedCuts(confidence: NumericArray, bins: number, weights: NumericArray): Float64Array {
  const order = sortedOrder(confidence).filter(
    (row) => !Number.isNaN(confidence[row]) && (weights[row] as number) > 0,
  );
  if (order.length === 0) return new Float64Array(0);
  const upTo = new Float64Array(order.length);
  let total = 0;
  for (let i = 0; i < order.length; i++) {
    total += weights[order[i] as number] as number;
    upTo[i] = total;
  }
  return cutsAt(
    bins,
    Math.max(0, total - 1),
    (index) => confidence[order[firstAbove(upTo, index)] as number] as number,
  );
}

/**
 * The type-7 quantiles at k/bins in the arithmetic of numpy.percentile(linspace(0, 1) * 100): a row at a cut goes to the
 * side that it has in scikit-learn, where rounding decides.
 */
function cutsAt(bins: number, last: number, valueAt: (index: number) => number): Float64Array {
  const step = 1 / bins;
  return Float64Array.from({ length: bins + 1 }, (_, k) => {
    const position = k === bins ? last : last * ((k * step * 100) / 100);
    const index = Math.floor(position);
    const fraction = position - index;
    const low = valueAt(index);
    if (fraction === 0) return low;
    const high = valueAt(index + 1);
    return fraction < 0.5 ? low + (high - low) * fraction : high - (high - low) * (1 - fraction);
  });
}

/** Index of the first element above `value`, or the last index when none is. */
function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function checkBins(bins: number): void {
  if (Number.isInteger(bins) && bins >= 1 && bins <= MAX_BINS) return;
  throw new CalibrantError("option", `bins must be an integer from 1 to ${MAX_BINS}, got ${bins}`, { bins });
}
