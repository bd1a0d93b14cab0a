import { CalibrantError } from "../errors.ts";
import type { ConfusionMatrix } from "./confusion.ts";

/**
 * What a class that occurs neither in the truth nor among the predictions does to the macro average: `zero` counts it as
 * 0, `one` as 1, `skip` leaves it out. `observed` averages over the classes that occur: the same number as `skip`, by the
 * name of scikit-learn's default.
 */
export type AbsentClass = "zero" | "skip" | "one" | "observed";

/** Options of {@link f1Scores}. */
export interface F1Options {
  /** Default `observed`. */
  readonly absent?: AbsentClass;
}

/** What {@link f1Scores} returns; arrays of length `(classes)`, all numbers in [0, 1] but `support`. */
export interface F1Scores {
  /** Right among the predictions of the class; NaN when it was never predicted. */
  readonly precision: Float64Array;
  /** Right among the rows of the class; NaN when there are none. */
  readonly recall: Float64Array;
  /** 2·TP / (2·TP + FP + FN); NaN only for a class absent from truth and predictions. */
  readonly f1: Float64Array;
  /** Rows of the class, weights included. */
  readonly support: Float64Array;
  /** Mean of `f1` over classes; absent classes as the option says. */
  readonly macro: number;
  /** F1 of the summed counts: the accuracy when every row has a prediction. */
  readonly micro: number;
  /** Mean of `f1` weighted by `support`. */
  readonly weighted: number;
  /** Share of rows predicted right; a missing prediction is wrong. */
  readonly accuracy: number;
  /** `empty` when there are no rows: all averages are NaN; else null. */
  readonly reason: "empty" | null;
}

/**
 * Precision, recall and F1 of each class and their averages (van Rijsbergen 1979), from counts and never from a precision
 * that is 0/0: a class that occurs but is never predicted right has F1 0. Cost O(classes²).
 *
 * @throws CalibrantError `option` for another `absent`.
 *
 * @example
 * ```ts
 * import { confusionMatrix, f1Scores } from "calibrant/metrics";
 * const matrix = confusionMatrix([0, 1, 0, 3], [0, 1, 2, 2], { classes: 5 });
 * console.log(f1Scores(matrix).macro.toFixed(4)); // 0.4167
 * console.log(f1Scores(matrix, { absent: "zero" }).macro.toFixed(4)); // 0.3333
 * ```
 */
export function f1Scores(matrix: ConfusionMatrix, options: F1Options = {}): F1Scores {
  const { absent = "observed" } = options;
  if (!["zero", "skip", "one", "observed"].includes(absent)) {
    const message = `absent must be zero, skip, one or observed, got ${JSON.stringify(absent)}`;
    throw new CalibrantError("option", message, { absent });
  }
  const c = matrix.labels.length;
  const hits = Float64Array.from({ length: c }, (_, k) => matrix.counts[k * c + k] as number);
  const { support, predicted } = margins(matrix);
  const f1 = hits.map((hit, k) => (2 * hit) / ((support[k] as number) + (predicted[k] as number)));
  const right = sum(hits);
  const empty = matrix.total === 0;
  return {
    precision: hits.map((hit, k) => hit / (predicted[k] as number)),
    recall: hits.map((hit, k) => hit / (support[k] as number)),
    f1,
    support,
    macro: empty ? Number.NaN : macroMean(f1, absent),
    micro: (2 * right) / (sum(support) + sum(predicted)),
    weighted:
      sum(f1.map((value, k) => (support[k] === 0 ? 0 : value * (support[k] as number)))) / matrix.total,
    accuracy: right / matrix.total,
    reason: empty ? "empty" : null,
  };
}

/** Rows of each true class, those without a prediction too, and of each predicted class. */
function margins({ counts, missing, labels }: ConfusionMatrix): {
  readonly support: Float64Array;
  readonly predicted: Float64Array;
} {
  const c = labels.length;
  const support = missing.slice();
  const predicted = new Float64Array(c);
  for (let t = 0; t < c; t++) {
    for (let p = 0; p < c; p++) {
      const count = counts[t * c + p] as number;
      support[t] = (support[t] as number) + count;
      predicted[p] = (predicted[p] as number) + count;
    }
  }
  return { support, predicted };
}

function macroMean(f1: Float64Array, absent: AbsentClass): number {
  const defined = f1.filter((value) => !Number.isNaN(value));
  if (absent === "skip" || absent === "observed") return sum(defined) / defined.length;
  const credit = absent === "one" ? f1.length - defined.length : 0;
  return (sum(defined) + credit) / f1.length;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
