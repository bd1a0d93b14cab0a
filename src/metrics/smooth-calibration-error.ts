import { meanSmoothedArea, smoothedArea } from "../math/reflected-smoothing.ts";
import { compensatedSum } from "../math/sum.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkNanPolicy, type NanPolicy } from "./confidence-rows.ts";
import { coarserGrids, endRows, GRID_INTERVALS, ResidualGrid, type ResidualSums } from "./residual-grid.ts";

/** Options of {@link smoothCalibrationError}. */
export interface SmoothCalibrationErrorOptions {
  /** `(n)`, not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
  /** What to do with a NaN confidence. Default `throw`. */
  readonly nan?: NanPolicy;
}

/** A smooth calibration error with its bandwidth. */
export interface SmoothError {
  /** In [0, 1]; NaN without rows. */
  readonly error: number;
  /** Standard deviation of the kernel, in units of confidence, at least 0.001; NaN without rows. */
  readonly bandwidth: number;
}

/** What {@link smoothCalibrationError} returns. */
export interface SmoothCalibrationErrorResult extends SmoothError {
  /** Rows used. */
  readonly n: number;
  /** Rows left out because their confidence is NaN. */
  readonly excluded: number;
  /** About the error that a model with these confidences, all exact, would show on average at this n. */
  readonly nullMean: number;
  /** `empty` when there are no rows or all weigh 0, else null. */
  readonly reason: "empty" | null;
}

const SMALLEST_BANDWIDTH = 0.001;
/** The bandwidth is found to this accuracy. */
const TOLERANCE = 1e-6;

/**
 * Smooth calibration error (smECE; Błasiok & Nakkiran 2023, arXiv 2309.12236, Definition 3 and Algorithm 1): the mean
 * absolute residual y − p after smoothing over p by a reflected Gaussian, at the bandwidth where bandwidth and error are
 * equal. Free of bins and of their edges.
 *
 * The kernel is that of the authors' package relplot, cut at a distance of one half and normalised, and rows at exactly 0
 * or 1 (within its grid of 1000 intervals) count half: within 0.005 of its numbers. The unbounded kernel of the paper
 * differs noticeably only for errors above about 0.2.
 *
 * `nullMean` is the fixed point of the mean error when residuals are independent normal numbers with variance p(1 − p): no
 * draws; within a few percent of simulated means, lower than them at a handful of rows.
 *
 * Cost O(n) for the rows and some milliseconds for the bandwidth.
 *
 * @param confidence `(n)`, in [0, 1]
 * @param correct `(n)`, 0/1 or booleans
 * @throws CalibrantRangeError for a confidence outside [0, 1], a NaN one unless excluded, or a negative weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { smoothCalibrationError } from "calibrant/metrics";
 * const smooth = smoothCalibrationError([0.9, 0.9, 0.9, 0.9], [1, 1, 0, 0]);
 * console.log(smooth.error.toFixed(2), smooth.bandwidth.toFixed(2), smooth.reason); // 0.40 0.40 null
 * ```
 */
export function smoothCalibrationError(
  confidence: NumericArray,
  correct: BinaryLabels,
  options: SmoothCalibrationErrorOptions = {},
): SmoothCalibrationErrorResult {
  const { weights, nan = "throw" } = options;
  checkNanPolicy(nan);
  const grid = new ResidualGrid();
  grid.add({ confidence, correct, weights }, nan);
  const smooth = smoothErrorOfGrid(grid.sums);
  return {
    ...smooth,
    n: grid.rows - grid.excluded,
    excluded: grid.excluded,
    nullMean: smoothNullMeanOfGrid(grid.sums),
    reason: Number.isNaN(smooth.error) ? "empty" : null,
  };
}

/** The smooth calibration error of gathered sums; NaN without rows. */
export function smoothErrorOfGrid({ residual, count }: ResidualSums): SmoothError {
  return smoothFixedPoint(residual, count, smoothedArea, netArea);
}

/** What no bandwidth takes away: smoothing keeps the sum of the masses, except that half of the end masses goes outside. */
function netArea(masses: Float64Array): number {
  return Math.abs(compensatedSum(masses) - ((masses[0] as number) + (masses.at(-1) as number)) / 2);
}

/**
 * The bandwidth at which it equals an area per row, taken on the coarsest grid that resolves the bandwidth.
 *
 * @param leastArea about the area at the largest bandwidth, from masses on the coarsest grid
 */
function smoothFixedPoint(
  masses: Float64Array,
  count: Float64Array,
  area: (masses: Float64Array, sigma: number) => number,
  leastArea: (masses: Float64Array) => number,
): SmoothError {
  const total = compensatedSum(count);
  if (total === 0) return { error: Number.NaN, bandwidth: Number.NaN };
  const grids = coarserGrids(masses);
  const kept = (grid: Float64Array): number => total - endRows(count, grid.length - 1) / 2;
  const errorAt = (sigma: number): number => {
    const level = Math.min(grids.length - 1, Math.floor(Math.log2((GRID_INTERVALS * sigma) / 10)));
    const grid = grids[Math.max(0, level)] as Float64Array;
    return Math.min(1, area(grid, sigma) / kept(grid));
  };
  const coarsest = grids.at(-1) as Float64Array;
  const bandwidth = fixedPoint(errorAt, leastArea(coarsest) / kept(coarsest));
  return { error: errorAt(bandwidth), bandwidth };
}

/**
 * The bandwidth s in [0.001, 1] at which a decreasing error crosses it, error(s) = s, by false position with the
 * Illinois rule; 0.001 when the error is below it there.
 *
 * @param least about error(1), where the search begins
 */
function fixedPoint(error: (sigma: number) => number, least: number): number {
  if (least >= 1 - TOLERANCE) return 1;
  let low = Math.max(SMALLEST_BANDWIDTH, least);
  let above = error(low) - low;
  while (above < 0 && low > SMALLEST_BANDWIDTH) {
    low = Math.max(SMALLEST_BANDWIDTH, low / 2);
    above = error(low) - low;
  }
  if (above <= 0) return low;
  let high = Math.min(1, low + above);
  let below = error(high) - high;
  if (below > 0) [high, below] = [1, error(1) - 1];
  let kept = 0;
  while (high - low > TOLERANCE && below < 0) {
    const middle = low + (high - low) * (above / (above - below));
    const excess = error(middle) - middle;
    if (Math.abs(excess) < TOLERANCE / 10) return middle;
    if (excess > 0) {
      [low, above] = [middle, excess];
      if (kept === 1) below /= 2;
      kept = 1;
    } else {
      [high, below] = [middle, excess];
      if (kept === -1) above /= 2;
      kept = -1;
    }
  }
  return high;
}

/**
 * About the mean smooth error of a model whose confidences are exact, from gathered sums: the bandwidth that equals the
 * mean error there, with residuals taken as normal. NaN without rows.
 */
export function smoothNullMeanOfGrid({ count }: ResidualSums): number {
  const variance = count.map((rows, j) => rows * (j / GRID_INTERVALS) * (1 - j / GRID_INTERVALS));
  const least = (masses: Float64Array): number => meanSmoothedArea(masses, 1);
  return smoothFixedPoint(variance, count, meanSmoothedArea, least).error;
}
