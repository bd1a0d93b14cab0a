import { CalibrantError, CalibrantRangeError } from "../errors.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkedLabels, checkLength } from "./check-rows.ts";

/** How sure a decision is, and whether it is right. */
export interface DecisionConfidence {
  /** `(n)`: the probability of the class decided for. */
  readonly confidence: Float64Array;
  /** `(n)`: 1 where the decision is the label. */
  readonly correct: Uint8Array;
}

/**
 * From the probability of the positive class to the confidence in the decision, which is another input: [0.1, 0.9] with the
 * labels [0, 0] has an ECE of 0.5 as probabilities of the positive class, and of 0.4 as decisions (0.9 sure, half of
 * them right). The decision is positive above 0.5, so a tie is negative as for the first largest of [1 − p, p]. NaN stays NaN,
 * decided negative.
 *
 * @param positive `(n)`: P(label = 1), in [0, 1]
 * @param labels `(n)`, 0/1 or booleans
 * @throws CalibrantRangeError for a probability outside [0, 1].
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`.
 *
 * @example
 * ```ts
 * import { calibrationError, confidenceFromPositive } from "calibrant/metrics";
 * const { confidence, correct } = confidenceFromPositive([0.1, 0.9], [0, 0]);
 * console.log(calibrationError(confidence, correct, { bins: 10 }).error.toFixed(1)); // 0.4
 * ```
 */
export function confidenceFromPositive(positive: NumericArray, labels: BinaryLabels): DecisionConfidence {
  checkLength("labels", labels, "positive", positive.length);
  const bits = checkedLabels("labels", labels);
  const confidence = new Float64Array(positive.length);
  const correct = new Uint8Array(positive.length);
  for (let i = 0; i < positive.length; i++) {
    const p = positive[i] as number;
    if (p < 0 || p > 1) {
      throw new CalibrantRangeError("data", `positive[${i}] must be in [0, 1], got ${p}`, { index: i });
    }
    const decision = p > 0.5 ? 1 : 0;
    confidence[i] = decision === 1 ? p : 1 - p;
    correct[i] = Number(bits[i] === decision);
  }
  return { confidence, correct };
}

/**
 * The top label of class probabilities: confidence = the largest probability of the row, correct = its class (the first one
 * in a tie) is the label. NaN in a row makes its confidence NaN and the row wrong.
 *
 * @param probabilities `(n · classes)`, row after row, in [0, 1]
 * @param classes number of classes, from 1
 * @param labels `(n)`, 0 … classes − 1
 * @throws CalibrantRangeError for a probability outside [0, 1].
 * @throws CalibrantError `data` for a label that is no class, `length-mismatch`, `option`.
 */
export function topLabelConfidence(
  probabilities: NumericArray,
  classes: number,
  labels: NumericArray,
): DecisionConfidence {
  checkClassRows(probabilities, classes, labels);
  const confidence = new Float64Array(labels.length);
  const correct = new Uint8Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    let top = 0;
    let largest = probabilities[i * classes] as number;
    for (let c = 1; c < classes; c++) {
      const p = probabilities[i * classes + c] as number;
      // A NaN is taken and then never replaced.
      if (p <= largest || Number.isNaN(largest)) continue;
      top = c;
      largest = p;
    }
    confidence[i] = largest;
    correct[i] = Number(!Number.isNaN(largest) && labels[i] === top);
  }
  return { confidence, correct };
}

/**
 * Checks rows of class probabilities.
 *
 * @throws CalibrantRangeError for a probability outside [0, 1]; NaN passes.
 * @throws CalibrantError `data` for a label that is no class, `length-mismatch`, `option`.
 */
export function checkClassRows(probabilities: NumericArray, classes: number, labels: NumericArray): void {
  if (!Number.isInteger(classes) || classes < 1) {
    throw new CalibrantError("option", `classes must be an integer from 1, got ${classes}`, { classes });
  }
  if (probabilities.length !== labels.length * classes) {
    const wanted = labels.length * classes;
    const message = `probabilities must have ${classes} values for each of the ${labels.length} labels (${wanted}), got ${probabilities.length}`;
    throw new CalibrantError("length-mismatch", message, { wanted, got: probabilities.length });
  }
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number;
    if (Number.isInteger(label) && label >= 0 && label < classes) continue;
    const message = `labels[${i}] must be a class from 0 to ${classes - 1}, got ${label}`;
    throw new CalibrantError("data", message, { index: i, label });
  }
  for (let j = 0; j < probabilities.length; j++) {
    const p = probabilities[j] as number;
    if (!(p < 0 || p > 1)) continue;
    const row = Math.floor(j / classes);
    const message = `probabilities of row ${row}, class ${j % classes} must be in [0, 1], got ${p}`;
    throw new CalibrantRangeError("data", message, { row, class: j % classes, probability: p });
  }
}
