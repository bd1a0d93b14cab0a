import { CalibrantError } from "../../errors.ts";
import { sigmoid } from "../../math/sigmoid.ts";
import type { NumericArray } from "../../types.ts";
import type { Calibrator, IsotonicCalibrator, TemperatureCalibrator } from "./calibrator.ts";

/**
 * The calibrated values of scores that a calibrator was not necessarily fitted to: probabilities of 1, `(n)`; for a
 * temperature over k classes the softmax, row-major `(n · k)`. Cost O(n), for isotonic O(n log knots).
 *
 * A NaN score gives NaN, an infinite one the limit of the map. A row of class logits with a NaN or an Infinity is NaN
 * throughout; -Infinity is a class of probability 0. Every score gives NaN with a calibrator that is `empty`.
 *
 * Values on the rows of the fit look better than they are: `crossFitCalibrator` scores every row with the fit of the
 * others.
 *
 * @param values scores or logits of the kind that the calibrator was fitted to, `(n)` or row-major `(n · k)`
 * @throws CalibrantError `length-mismatch` when the logits are not whole rows.
 *
 * @example
 * ```ts
 * import { applyCalibrator, fitPlatt } from "calibrant/uq";
 * const fit = fitPlatt([5, -4, 1], [1, 0, 0]);
 * console.log(applyCalibrator(fit, [5, NaN]).map((p) => Number(p.toFixed(5)))); // Float64Array(2) [ 0.58921, NaN ]
 * ```
 */
export function applyCalibrator(calibrator: Calibrator, values: NumericArray): Float64Array {
  if (calibrator.kind === "isotonic") return interpolated(calibrator, values);
  if (calibrator.kind === "platt") return sigmoids(values, -calibrator.a, -calibrator.b);
  return calibrator.classes === 1
    ? sigmoids(values, 1 / calibrator.temperature, 0)
    : softmaxRows(calibrator, values);
}

function sigmoids(values: NumericArray, slope: number, offset: number): Float64Array {
  const result = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    // A constant map is constant at infinity too, where 0 · Infinity would be NaN.
    const level = slope === 0 && !Number.isNaN(value) ? 0 : slope * value;
    result[i] = sigmoid(level + offset);
  }
  return result;
}

function softmaxRows({ classes, temperature }: TemperatureCalibrator, logits: NumericArray): Float64Array {
  if (logits.length % classes !== 0) {
    const message = `logits must be whole rows of ${classes}, got ${logits.length} numbers`;
    throw new CalibrantError("length-mismatch", message, { classes, found: logits.length });
  }
  const result = new Float64Array(logits.length);
  for (let start = 0; start < logits.length; start += classes) {
    let max = Number.NEGATIVE_INFINITY;
    for (let j = start; j < start + classes; j++) max = Math.max(max, logits[j] as number);
    let sum = 0;
    for (let j = start; j < start + classes; j++) {
      const e = Math.exp(((logits[j] as number) - max) / temperature);
      result[j] = e;
      sum += e;
    }
    for (let j = start; j < start + classes; j++) result[j] = (result[j] as number) / sum;
  }
  return result;
}

function interpolated({ x, y }: IsotonicCalibrator, values: NumericArray): Float64Array {
  const result = new Float64Array(values.length).fill(Number.NaN);
  const last = x.length - 1;
  if (last < 0) return result;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    let low = -1;
    let high = last + 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((x[middle] as number) <= value) low = middle;
      else high = middle;
    }
    result[i] = low < 0 ? (y[0] as number) : low === last ? (y[last] as number) : between(x, y, low, value);
  }
  return result;
}

/** The value on the line between knots `at` and `at + 1`. */
function between(x: Float64Array, y: Float64Array, at: number, value: number): number {
  const [x0, x1] = [x[at] as number, x[at + 1] as number];
  const [y0, y1] = [y[at] as number, y[at + 1] as number];
  if (value === x0) return y0;
  // A knot at infinity is a point of its own: the line ends at the finite one.
  if (x1 === Number.POSITIVE_INFINITY) return y0;
  if (x0 === Number.NEGATIVE_INFINITY) return y1;
  // Where the distance of the knots overflows, that of their halves does not.
  const scale = x1 - x0 === Number.POSITIVE_INFINITY ? 0.5 : 1;
  const share = (value * scale - x0 * scale) / (x1 * scale - x0 * scale);
  const result = y0 + (y1 - y0) * share;
  // Rounding must not lead past the next knot.
  return y1 > y0 ? Math.min(result, y1) : Math.max(result, y1);
}
