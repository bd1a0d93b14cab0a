import { CalibrantRangeError } from "../errors.ts";
import type { NumericArray } from "../types.ts";
import {
  type CalibrationErrorOptions,
  type CalibrationErrorResult,
  calibrationError,
} from "./calibration-error.ts";
import { checkLength } from "./check-rows.ts";
import { checkClassRows, topLabelConfidence } from "./decision-confidence.ts";

/** What {@link classwiseCalibrationError} returns. */
export interface ClasswiseCalibrationErrorResult {
  /** Mean over the classes; NaN without rows. */
  readonly error: number;
  /** Error of every class, `(classes)`. */
  readonly perClass: Float64Array;
  /** Mean over the classes of the error that exact probabilities would show on average at this n. */
  readonly nullMean: number;
  /** Rows used. */
  readonly n: number;
  /** Rows left out because one of their probabilities is NaN. */
  readonly excluded: number;
  /** `empty` when there are no rows or all weigh 0, else null. */
  readonly reason: "empty" | null;
}

/**
 * Class-wise calibration error: for each class the calibration error of its probability against "the label is this
 * class", then the plain mean over classes (Nixon et al. 2019, static calibration error; Kull et al. 2019). A class that
 * never occurs counts: its probabilities are checked against 0.
 *
 * @param probabilities `(n · classes)`, row after row, in [0, 1]
 * @param classes number of classes, from 1
 * @param labels `(n)`, 0 … classes − 1
 * @param options those of `calibrationError`
 * @throws CalibrantRangeError for a probability outside [0, 1], a NaN one unless excluded, or a negative weight.
 * @throws CalibrantError `data` for a label that is no class, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { classwiseCalibrationError } from "calibrant/metrics";
 * const probabilities = [0.7, 0.2, 0.1, 0.1, 0.8, 0.1];
 * const { error, perClass } = classwiseCalibrationError(probabilities, 3, [0, 1], { bins: 10 });
 * console.log(error.toFixed(3), perClass.length); // 0.167 3
 * ```
 */
export function classwiseCalibrationError(
  probabilities: NumericArray,
  classes: number,
  labels: NumericArray,
  options: CalibrationErrorOptions = {},
): ClasswiseCalibrationErrorResult {
  checkClassRows(probabilities, classes, labels);
  const used = usableRows(probabilities, classes, labels.length, options.nan ?? "throw");
  const { weights: allWeights, ...rest } = options;
  if (allWeights !== undefined) checkLength("weights", allWeights, "labels", labels.length);
  const weights = allWeights === undefined ? {} : { weights: pick(allWeights, used, 1, 0) };
  const results = Array.from({ length: classes }, (_, c) => {
    const truth = Uint8Array.from(used, (row) => Number(labels[row] === c));
    return calibrationError(pick(probabilities, used, classes, c), truth, { ...rest, ...weights });
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / classes;
  return {
    error: mean(results.map((result) => result.error)),
    perClass: Float64Array.from(results, (result) => result.error),
    nullMean: mean(results.map((result) => result.nullMean)),
    n: used.length,
    excluded: labels.length - used.length,
    reason: results[0]?.reason ?? null,
  };
}

/**
 * Calibration error of the top label: confidence = the largest probability of a row, correct = its class (the first one
 * in a tie) is the label. This is the "ECE" of most papers on classifiers (Guo et al. 2017). Parameters and errors as
 * {@link classwiseCalibrationError}.
 *
 * @example
 * ```ts
 * import { topLabelCalibrationError } from "calibrant/metrics";
 * const { error, bins } = topLabelCalibrationError([0.7, 0.2, 0.1, 0.1, 0.8, 0.1], 3, [0, 2], { bins: 10 });
 * console.log(error.toFixed(2), bins.count[7]); // 0.55 1
 * ```
 */
export function topLabelCalibrationError(
  probabilities: NumericArray,
  classes: number,
  labels: NumericArray,
  options: CalibrationErrorOptions = {},
): CalibrationErrorResult {
  const { confidence, correct } = topLabelConfidence(probabilities, classes, labels);
  return calibrationError(confidence, correct, options);
}

/** Rows whose probabilities are all numbers. */
function usableRows(probabilities: NumericArray, classes: number, n: number, nan: string): Int32Array {
  const used = new Int32Array(n);
  let length = 0;
  for (let i = 0; i < n; i++) {
    let gap = 0;
    while (gap < classes && !Number.isNaN(probabilities[i * classes + gap])) gap++;
    if (gap === classes) used[length++] = i;
    else if (nan !== "exclude") {
      const message = `probabilities of row ${i}, class ${gap} must be in [0, 1] (or pass nan: "exclude"), got NaN`;
      throw new CalibrantRangeError("data", message, { row: i, class: gap });
    }
  }
  return used.subarray(0, length);
}

/** Column `offset` of rows of `width` values, for some of the rows. */
function pick(values: NumericArray, rows: Int32Array, width: number, offset: number): Float64Array {
  const column = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    column[i] = values[(rows[i] as number) * width + offset] as number;
  }
  return column;
}
