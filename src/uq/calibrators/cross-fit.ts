import { CalibrantError } from "../../errors.ts";
import type { BinaryLabels, NumericArray } from "../../types.ts";
import { applyCalibrator } from "./apply-calibrator.ts";
import type { Calibrator, CalibratorKind, PlattCalibrator } from "./calibrator.ts";
import { dealFolds } from "./deal-folds.ts";
import { fitIsotonic } from "./fit-isotonic.ts";
import { fitPlatt } from "./fit-platt.ts";
import { checkLength, readBinaryLabels, readWeights } from "./fit-rows.ts";
import { fitTemperature } from "./fit-temperature.ts";

/** Options of {@link crossFitCalibrator}. */
export interface CrossFitOptions {
  /** Number of folds, 2 … 65535. Default 2. */
  readonly folds?: number;
  /** Codes `(n)`, any numbers: rows of equal code (of one prompt) stay together in a fold. Default: every row alone. */
  readonly clusters?: NumericArray;
  /** `(n)`, 0 or more; a row of weight k counts as k equal rows in the fits. */
  readonly weights?: NumericArray;
  /** Of an isotonic map: `decreasing` when the values are an uncertainty. Default `increasing`. */
  readonly direction?: "increasing" | "decreasing";
  /** Which rows meet in a fold. Default 0. */
  readonly seed?: number;
}

/** Remarks on a cross-fit. */
export type CrossFitFlag = "single-class" | "no-training-rows";

/** What {@link crossFitCalibrator} returns. */
export interface CrossFit {
  /** P(1) of every row by a fit that has not seen it, `(n)`; NaN where the value is. */
  readonly calibrated: Float64Array;
  /** The fold of every row, `(n)`. */
  readonly fold: Uint16Array;
  /** The map that each fold was scored with, `(folds)`. */
  readonly calibrators: readonly Calibrator[];
  /** Rows that no fit used: a NaN value, or for temperature and Platt an infinite one. */
  readonly excluded: number;
  /**
   * `single-class`: the other folds of some fold had labels of one class. `no-training-rows`: they had no rows. Such a
   * fold is scored with the constant (ones + 1)/(rows + 2) of the rows there are.
   */
  readonly flags: readonly CrossFitFlag[];
}

/**
 * Calibrated probabilities of the rows that a calibrator is fitted to, without the flattery: the rows are dealt into
 * folds, and each fold is scored with the fit of the others (cross-fitting). With `clusters` no cluster is split.
 *
 * Folds are dealt in the order of a seeded hash of the cluster's code, or without clusters of the row's value and
 * within each class, so that they are of equal size to one unit and do not depend on the order of the rows: equal rows
 * apart, a permutation of the rows permutes the result.
 *
 * @param values `(n)`, one a row; logits for temperature. Infinite ones are scored with the limit of the map.
 * @param labels `(n)`, 0/1 or booleans
 * @throws CalibrantError `option`, `length-mismatch`, `data` for another label.
 * @throws CalibrantRangeError for a negative weight.
 *
 * @example
 * ```ts
 * import { crossFitCalibrator } from "calibrant/uq";
 * const { calibrated, flags } = crossFitCalibrator("platt", [1, 2, 3, 4, 5, 6], [0, 0, 1, 0, 1, 1]);
 * console.log(calibrated.length, flags); // 6 []
 * ```
 */
export function crossFitCalibrator(
  kind: CalibratorKind,
  values: NumericArray,
  labels: BinaryLabels,
  options: CrossFitOptions = {},
): CrossFit {
  const { folds = 2, seed = 0, clusters } = options;
  if (kind !== "temperature" && kind !== "platt" && kind !== "isotonic") {
    const message = `kind must be temperature, platt or isotonic, got ${String(kind)}`;
    throw new CalibrantError("option", message, { kind });
  }
  if (!(Number.isInteger(folds) && folds >= 2 && folds <= 65535)) {
    throw new CalibrantError("option", `folds must be a whole number from 2 to 65535, got ${folds}`, {
      folds,
    });
  }
  const n = values.length;
  const codes = readBinaryLabels(labels, n);
  const weights = readWeights(options.weights, n);
  if (clusters !== undefined) checkLength("clusters", clusters.length, n);
  const fold = dealFolds(values, codes, { folds, seed, clusters });
  const usable = new Uint8Array(n);
  for (let row = 0; row < n; row++) usable[row] = isUsable(kind, values[row] as number) ? 1 : 0;
  const calibrated = new Float64Array(n);
  const flags = new Set<CrossFitFlag>();
  const calibrators = Array.from({ length: folds }, (_, index) => {
    const train = pick(fold, (f, row) => f !== index && usable[row] === 1);
    const test = pick(fold, (f) => f === index);
    const { calibrator, flag } = fitRows(kind, { values, labels: codes, weights }, train, options);
    if (flag !== null && test.length > 0) flags.add(flag);
    const scores = applyCalibrator(calibrator, gather(values, test));
    for (let i = 0; i < test.length; i++) calibrated[test[i] as number] = scores[i] as number;
    return calibrator;
  });
  let excluded = 0;
  for (let row = 0; row < n; row++) excluded += 1 - (usable[row] as number);
  return { calibrated, fold, calibrators, excluded, flags: [...flags] };
}

/** An isotonic fit has a place for infinities; the likelihoods of the others have none. */
function isUsable(kind: CalibratorKind, value: number): boolean {
  return kind === "isotonic" ? !Number.isNaN(value) : Number.isFinite(value);
}

/** The fit of the `train` rows, or a constant where they cannot tell anything. */
function fitRows(
  kind: CalibratorKind,
  rows: { readonly values: NumericArray; readonly labels: Uint8Array; readonly weights: NumericArray | null },
  train: Uint32Array,
  { direction = "increasing" }: CrossFitOptions,
): { readonly calibrator: Calibrator; readonly flag: CrossFitFlag | null } {
  const values = gather(rows.values, train);
  const labels = Uint8Array.from(gather(rows.labels, train));
  const own = rows.weights === null ? null : gather(rows.weights, train);
  const seen = classesSeen(labels, own);
  const weights = own === null ? {} : { weights: own };
  if (seen === 0) return { calibrator: NO_ROWS, flag: "no-training-rows" };
  if (seen < 3) return { calibrator: fitPlatt(values, labels, weights), flag: "single-class" };
  if (kind === "platt") return { calibrator: fitPlatt(values, labels, weights), flag: null };
  if (kind === "temperature") return { calibrator: fitTemperature(values, labels, weights), flag: null };
  return { calibrator: fitIsotonic(values, labels, { ...weights, direction }), flag: null };
}

/** One bit for each class among the rows with weight. */
function classesSeen(labels: Uint8Array, weights: Float64Array | null): number {
  let seen = 0;
  for (let i = 0; i < labels.length; i++) {
    if (weights === null || (weights[i] as number) > 0) seen |= labels[i] === 1 ? 2 : 1;
  }
  return seen;
}

/** P = 1/2. */
const NO_ROWS: PlattCalibrator = {
  kind: "platt",
  a: 0,
  b: 0,
  n: 0,
  flags: ["empty"],
  fingerprint: "0000000000000000",
};

/** Indices of the rows that `keep` says yes to. */
function pick(fold: Uint16Array, keep: (fold: number, row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(fold.length);
  let count = 0;
  for (let row = 0; row < fold.length; row++) {
    if (keep(fold[row] as number, row)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function gather(values: NumericArray, rows: Uint32Array): Float64Array {
  const result = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) result[i] = values[rows[i] as number] as number;
  return result;
}
