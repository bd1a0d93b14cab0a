import { CalibrantError } from "../../errors.ts";
import type { BinaryLabels, NumericArray } from "../../types.ts";
import { applyCalibrator } from "./apply-calibrator.ts";
import type { Calibrator } from "./calibrator.ts";
import { fingerprintRows } from "./fingerprint.ts";
import { checkLength, readBinaryLabels, readClassLabels, readWeights } from "./fit-rows.ts";

/** Options of {@link evaluateCalibrator}. */
export interface EvaluateOptions {
  /** Allow the rows of the fit, whose numbers flatter the calibrator. Default false: they are an error. */
  readonly onFittingRows?: boolean;
  /** `(n)`, 0 or more; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
}

/** How well the calibrated probabilities of some rows do. */
export interface CalibratorEvaluation {
  /** Mean squared distance to the labels, in [0, 1]; over k classes the sum of their squares, in [0, 2]. */
  readonly brier: number;
  /** Mean negative log-likelihood in nats; Infinity where a label had probability 0. */
  readonly nll: number;
  /** Rows used. */
  readonly n: number;
  /** Rows left out because they have no calibrated value: a NaN score. */
  readonly excluded: number;
  /** These are the rows of the fit. */
  readonly onFittingRows: boolean;
  /** Why the numbers are NaN: no rows, or all weigh 0; else null. */
  readonly reason: "empty" | null;
}

/**
 * Brier score and negative log-likelihood of a calibrator on rows that it was not fitted to.
 *
 * The same values with the same labels as in the fit, in any order, are refused unless `onFittingRows` is set. The
 * check compares a hash: rows of the fit among others are not noticed.
 *
 * @param values scores or logits, `(n)` or row-major `(n · k)`
 * @param labels `(n)`, 0/1 or booleans, or classes
 * @throws CalibrantError `option` for the fitting rows, `length-mismatch`, `data` for another label.
 * @throws CalibrantRangeError for a negative weight.
 *
 * @example
 * ```ts
 * import { evaluateCalibrator, fitPlatt } from "calibrant/uq";
 * const fit = fitPlatt([5, -4, 1], [1, 0, 0]);
 * console.log(evaluateCalibrator(fit, [3, -2], [1, 0]).brier.toFixed(4)); // 0.1638
 * ```
 */
export function evaluateCalibrator(
  calibrator: Calibrator,
  values: NumericArray,
  labels: BinaryLabels,
  options: EvaluateOptions = {},
): CalibratorEvaluation {
  const n = labels.length;
  const classes = calibrator.kind === "temperature" ? calibrator.classes : 1;
  checkLength("values", values.length, n * classes);
  const weights = readWeights(options.weights, n);
  const codes = classes === 1 ? readBinaryLabels(labels, n) : readClassLabels(labels, n, classes);
  const onFittingRows =
    n > 0 && n === calibrator.n && fingerprintRows(values, codes, classes) === calibrator.fingerprint;
  if (onFittingRows && options.onFittingRows !== true) {
    throw new CalibrantError(
      "option",
      `the calibrator was fitted to these rows: evaluate it on others, or set onFittingRows, n = ${n}`,
      { n },
    );
  }
  const probabilities = applyCalibrator(calibrator, values);
  return { ...scores(probabilities, codes, weights, classes), onFittingRows };
}

function scores(
  probabilities: Float64Array,
  labels: NumericArray,
  weights: NumericArray | null,
  classes: number,
): Omit<CalibratorEvaluation, "onFittingRows"> {
  let total = 0;
  let squares = 0;
  let logs = 0;
  let excluded = 0;
  for (let row = 0; row < labels.length; row++) {
    const weight = weights === null ? 1 : (weights[row] as number);
    const label = labels[row] as number;
    if (Number.isNaN(probabilities[row * classes])) {
      excluded += 1;
      continue;
    }
    // 0 · Infinity would be NaN.
    if (weight === 0) continue;
    total += weight;
    if (classes === 1) {
      const p = probabilities[row] as number;
      squares += weight * (p - label) * (p - label);
      logs -= weight * (label === 1 ? Math.log(p) : Math.log1p(-p));
    } else {
      squares += weight * squaredDistance(probabilities, row * classes, classes, label);
      logs -= weight * Math.log(probabilities[row * classes + label] as number);
    }
  }
  const reason = total > 0 ? null : "empty";
  const [brier, nll] = [squares / total, 0 + logs / total];
  return { brier, nll, n: labels.length - excluded, excluded, reason };
}

function squaredDistance(p: Float64Array, start: number, classes: number, label: number): number {
  let sum = 0;
  for (let j = 0; j < classes; j++) {
    const distance = (p[start + j] as number) - (j === label ? 1 : 0);
    sum += distance * distance;
  }
  return sum;
}
