import { CalibrantError } from "../../errors.ts";
import type { BinaryLabels, NumericArray } from "../../types.ts";
import type { CalibratorFlag, TemperatureCalibrator } from "./calibrator.ts";
import { fingerprintRows } from "./fingerprint.ts";
import { checkLength, checkNumbers, readBinaryLabels, readClassLabels, readWeights } from "./fit-rows.ts";
import { binaryLikelihood, classLikelihood, type Likelihood } from "./temperature-likelihood.ts";

/** Options of {@link fitTemperature}. */
export interface TemperatureOptions {
  /**
   * Logits a row. 1, the default: the logit of a binary outcome; k: the logits of k classes, row-major, and labels
   * are classes from 0.
   */
  readonly classes?: number;
  /** `(n)`, 0 or more; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
  /** Lowest and highest temperature returned. Default [0.01, 100]. */
  readonly clamp?: readonly [number, number];
}

/**
 * Temperature scaling (Guo et al. 2017, §4.2): the T > 0 for which the logits divided by T have the least mean
 * negative log-likelihood. It is convex in β = 1/T, and the optimum is found to rounding, whatever the scale of the
 * logits: Newton's iteration on ln β inside a bracket, bisection where it leaves it.
 *
 * If every row is predicted right the likelihood grows without bound as T falls: the result is the lower clamp with
 * the flag `unbounded-T->0`. If the logits are no better than chance it grows with T: the upper clamp with
 * `unbounded-T->inf`. Logits that are all equal say nothing: T = 1 with `flat`. Without rows T is NaN with `empty`.
 *
 * @param logits `(n)`, or row-major `(n · classes)`; finite
 * @param labels `(n)`, 0/1 or booleans, or classes
 * @throws CalibrantRangeError for a logit that is not finite or a negative weight.
 * @throws CalibrantError `length-mismatch`, `data` for another label, `option`.
 *
 * @example
 * ```ts
 * import { fitTemperature } from "calibrant/uq";
 * const { temperature, flags } = fitTemperature([2, 1, -1, -3, 3, -2], [1, 0, 0, 0, 1, 0]);
 * console.log(temperature.toFixed(4), flags); // 0.8550 []
 * console.log(fitTemperature([2, -1], [1, 0]).flags); // [ 'unbounded-T->0' ]
 * ```
 */
export function fitTemperature(
  logits: NumericArray,
  labels: BinaryLabels,
  options: TemperatureOptions = {},
): TemperatureCalibrator {
  const { classes = 1, clamp = [0.01, 100] } = options;
  checkOptions(classes, clamp);
  const n = labels.length;
  checkLength("logits", logits.length, n * classes);
  checkNumbers("logits", logits, false);
  const weights = readWeights(options.weights, n);
  const codes = classes === 1 ? readBinaryLabels(labels, n) : readClassLabels(labels, n, classes);
  const likelihood =
    classes === 1
      ? binaryLikelihood(logits, codes, weights)
      : classLikelihood(logits, codes, weights, classes);
  const flags: CalibratorFlag[] = [];
  const temperature = optimum(likelihood, clamp, flags);
  return {
    kind: "temperature",
    temperature,
    classes,
    nll: likelihood.at(1 / temperature).value,
    nllBefore: likelihood.at(1).value,
    flags,
    n,
    fingerprint: fingerprintRows(logits, codes, classes),
  };
}

function checkOptions(classes: number, clamp: readonly [number, number]): void {
  if (!(Number.isInteger(classes) && classes >= 1)) {
    throw new CalibrantError("option", `classes must be a whole number from 1, got ${classes}`, { classes });
  }
  const [low, high] = clamp;
  if (!(low > 0 && low < high && high < Number.POSITIVE_INFINITY)) {
    throw new CalibrantError("option", `clamp must be two ascending temperatures, got ${low}, ${high}`, {
      clamp,
    });
  }
}

function optimum(likelihood: Likelihood, clamp: readonly [number, number], flags: CalibratorFlag[]): number {
  const [low, high] = clamp;
  const ended = (flag: CalibratorFlag, temperature: number): number => {
    flags.push(flag);
    return temperature;
  };
  if (!(likelihood.weight > 0)) return ended("empty", Number.NaN);
  if (likelihood.flat) return ended("flat", 1);
  if (likelihood.regret === 0) return ended("unbounded-T->0", low);
  if (likelihood.at(0).slope >= 0) return ended("unbounded-T->inf", high);
  if (likelihood.at(1 / low).slope < 0) return ended("below-clamp", low);
  if (likelihood.at(1 / high).slope > 0) return ended("above-clamp", high);
  return 1 / minimize(likelihood, 1 / high, 1 / low);
}

/** The β in [low, high] where the slope of the likelihood is 0. */
function minimize(likelihood: Likelihood, low: number, high: number): number {
  let from = Math.log(low);
  let to = Math.log(high);
  let at = Math.min(Math.max(0, from), to);
  for (let round = 0; round < 200; round++) {
    const beta = Math.exp(at);
    const { slope, curvature } = likelihood.at(beta);
    if (slope === 0) break;
    if (slope < 0) from = at;
    else to = at;
    // By ln β the slope is β·slope and the curvature β²·curvature + β·slope.
    const bend = beta * curvature + slope;
    const step = bend > 0 ? -slope / bend : Number.NaN;
    if (Math.abs(step) < 1e-13) return Math.exp(at + step);
    at = at + step > from && at + step < to ? at + step : (from + to) / 2;
    if (to - from < 1e-15) break;
  }
  return Math.exp(at);
}
