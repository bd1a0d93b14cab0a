import { CalibrantError } from "../../errors.ts";
import { sortedOrder } from "../../math/sort-numbers.ts";
import type { BinaryLabels, NumericArray } from "../../types.ts";
import type { IsotonicCalibrator } from "./calibrator.ts";
import { fingerprintRows } from "./fingerprint.ts";
import { checkLength, checkNumbers, readWeights } from "./fit-rows.ts";

/** Options of {@link fitIsotonic}. */
export interface IsotonicOptions {
  /** `(n)`, 0 or more; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
  /** `decreasing` for an uncertainty, where a higher score means less often 1. Default `increasing`. */
  readonly direction?: "increasing" | "decreasing";
}

/**
 * Isotonic regression: the monotone step values with the least weighted squared distance to `y`, by the
 * pool-adjacent-violators algorithm (Ayer et al. 1955; Barlow et al. 1972). Rows of equal x are first pooled to their
 * weighted mean, with their weights summed. Between the knots the map is linear, outside it is constant, as
 * scikit-learn's `IsotonicRegression(out_of_bounds="clip")`. Cost O(n) after a radix sort.
 *
 * Without rows (or with weights that are all 0) there are no knots, the flag is `empty`, and the map gives NaN.
 *
 * @param x scores `(n)`; infinities are legal
 * @param y labels 0/1 or booleans, or any finite numbers, `(n)`
 * @throws CalibrantRangeError for a NaN score, a y that is not finite or a negative weight.
 * @throws CalibrantError `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { applyCalibrator, fitIsotonic } from "calibrant/uq";
 * const fit = fitIsotonic([0, 1, 1, 2, 3], [0, 0, 1, 0, 1]);
 * console.log(applyCalibrator(fit, [-1, 0.5, 2.25])); // Float64Array(3) [ 0, 0.16666666666666666, 0.5 ]
 * ```
 */
export function fitIsotonic(
  x: NumericArray,
  y: BinaryLabels,
  options: IsotonicOptions = {},
): IsotonicCalibrator {
  const { direction = "increasing" } = options;
  if (direction !== "increasing" && direction !== "decreasing") {
    const message = `direction must be increasing or decreasing, got ${String(direction)}`;
    throw new CalibrantError("option", message, { direction });
  }
  const n = x.length;
  checkLength("y", y.length, n);
  checkNumbers("x", x, true);
  const targets = typeof y[0] === "boolean" ? Float64Array.from(y, Number) : (y as NumericArray);
  checkNumbers("y", targets, false);
  const weights = readWeights(options.weights, n);
  const pooled = poolViolators(poolTies(x, targets, weights), direction === "increasing" ? 1 : -1);
  const labels = [...new Set(pooled.y)];
  return {
    kind: "isotonic",
    direction,
    ...pooled,
    flags: labels.length === 0 ? ["empty"] : labels.length === 1 ? ["flat"] : [],
    n,
    fingerprint: fingerprintRows(x, targets),
  };
}

/** Distinct scores, ascending, each with the weighted sum of its targets and its weight. */
interface Points {
  readonly x: Float64Array;
  readonly sum: Float64Array;
  readonly weight: Float64Array;
  readonly count: number;
}

function poolTies(x: NumericArray, y: NumericArray, weights: NumericArray | null): Points {
  const order = sortedOrder(x);
  const points = {
    x: new Float64Array(order.length),
    sum: new Float64Array(order.length),
    weight: new Float64Array(order.length),
  };
  let last = -1;
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    const weight = weights === null ? 1 : (weights[row] as number);
    if (weight === 0) continue;
    const score = (x[row] as number) + 0;
    if (last < 0 || points.x[last] !== score) {
      last += 1;
      points.x[last] = score;
    }
    points.sum[last] = (points.sum[last] as number) + weight * (y[row] as number);
    points.weight[last] = (points.weight[last] as number) + weight;
  }
  return { ...points, count: last + 1 };
}

/** The knots: first and last score of every block. `sign` is -1 for a falling map. */
function poolViolators(points: Points, sign: 1 | -1): { readonly x: Float64Array; readonly y: Float64Array } {
  const { x, sum, weight, count } = points;
  // Blocks are kept at the front of the arrays of points, which are read ahead of them.
  const first = new Uint32Array(count + 1);
  let blocks = 0;
  for (let i = 0; i < count; i++) {
    let blockSum = sum[i] as number;
    let blockWeight = weight[i] as number;
    let start = i;
    while (blocks > 0) {
      const before = blocks - 1;
      const mean = (sum[before] as number) / (weight[before] as number);
      if (sign * mean < sign * (blockSum / blockWeight)) break;
      blockSum += sum[before] as number;
      blockWeight += weight[before] as number;
      start = first[before] as number;
      blocks = before;
    }
    sum[blocks] = blockSum;
    weight[blocks] = blockWeight;
    first[blocks] = start;
    blocks += 1;
  }
  first[blocks] = count;
  const knotX = new Float64Array(2 * blocks);
  const knotY = new Float64Array(2 * blocks);
  let knots = 0;
  for (let block = 0; block < blocks; block++) {
    const start = first[block] as number;
    const end = (first[block + 1] as number) - 1;
    for (const at of start === end ? [start] : [start, end]) {
      knotX[knots] = x[at] as number;
      knotY[knots] = (sum[block] as number) / (weight[block] as number);
      knots += 1;
    }
  }
  return { x: knotX.slice(0, knots), y: knotY.slice(0, knots) };
}
