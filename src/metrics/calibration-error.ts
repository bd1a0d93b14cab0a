import { CalibrantError } from "../errors.ts";
import { checkCount } from "../math/check-count.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { binNull, drawnNullMean, meanDeviation } from "./calibration-null.ts";
import { type BinSums, ConfidenceBins } from "./confidence-bins.ts";
import { quantileEdges, uniformEdges } from "./confidence-edges.ts";
import { checkNanPolicy, type NanPolicy } from "./confidence-rows.ts";

/** How the distances of the bins become one number. */
export type CalibrationNorm = "l1" | "l2" | "max";

/** How the bins are cut. */
export type BinStrategy = "uniform" | "quantile";

/** Options of {@link calibrationError}. */
export interface CalibrationErrorOptions {
  /** Number of bins, 1 … 65535. Default 15. */
  readonly bins?: number;
  /**
   * `uniform`: edges at exactly k/bins; a confidence equal to an edge belongs to the bin below. `quantile`: about equal
   * counts, ties never split, so there may be fewer bins. Default `uniform`.
   */
  readonly strategy?: BinStrategy;
  /** `l1`: mean distance (ECE); `l2`: root mean square; `max`: the largest (MCE). Default `l1`. */
  readonly norm?: CalibrationNorm;
  /**
   * Only with `l2`: subtract from each squared distance what chance alone adds, accuracy·(1 − accuracy)/(count − 1)
   * (Kumar, Liang & Ma 2019, Definition 4.1), bins of fewer than two rows counting 0; a negative sum is 0. Default false.
   */
  readonly debias?: boolean;
  /** `(n)`, not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
  /** What to do with a NaN confidence. Default `throw`. */
  readonly nan?: NanPolicy;
  /** Draws behind `nullMean` for `l2` and `max`; 0 = NaN. The null mean of `l1` needs none. Default 1000. */
  readonly nullResamples?: number;
  /** Default 0. */
  readonly seed?: number;
}

/** The bins of a calibration error; arrays of length `(bins)`, edges `(bins + 1)`. */
export interface CalibrationBins {
  readonly edges: Float64Array;
  /** Rows, weights included. */
  readonly count: Float64Array;
  /** Mean confidence; NaN for an empty bin. */
  readonly confidence: Float64Array;
  /** Share of correct rows; NaN for an empty bin. */
  readonly accuracy: Float64Array;
}

/** What {@link calibrationError} returns. */
export interface CalibrationErrorResult {
  /** In [0, 1]; NaN without rows. */
  readonly error: number;
  readonly norm: CalibrationNorm;
  readonly strategy: BinStrategy;
  readonly bins: CalibrationBins;
  /** Rows used. */
  readonly n: number;
  /** Rows left out because their confidence is NaN. */
  readonly excluded: number;
  /** The error that a model with these confidences, all exact, would show on average at this n. */
  readonly nullMean: number;
  /** `empty` when there are no rows or all weigh 0, else null. */
  readonly reason: "empty" | null;
}

/**
 * Calibration error of confidences: how far the share of correct rows is from the mean confidence, over bins
 * (Naeini et al. 2015; Guo et al. 2017, Eq. 3). Confidence is P(this row is correct); a logit is refused, never squashed.
 *
 * A calibrated model does not read 0: `nullMean` is what it would read at this n. For `l1` it is the sum over bins of
 * the mean absolute deviation of a binomial at the bin's mean confidence with the variance Σp(1 − p) of its rows; for
 * `l2` and `max` the mean of seeded draws from the same distributions.
 *
 * Cost O(n) for uniform bins, O(n log n) for quantile bins.
 *
 * @param confidence `(n)`, in [0, 1]
 * @param correct `(n)`, 0/1 or booleans
 * @throws CalibrantRangeError for a confidence outside [0, 1], a NaN one unless excluded, or a negative weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { calibrationError } from "calibrant/metrics";
 * const ece = calibrationError([0.95, 0.85, 0.9, 0.6], [1, 0, 1, 1], { bins: 10 });
 * console.log(ece.error.toFixed(2), ece.bins.count.length, ece.reason); // 0.30 10 null
 * ```
 */
export function calibrationError(
  confidence: NumericArray,
  correct: BinaryLabels,
  options: CalibrationErrorOptions = {},
): CalibrationErrorResult {
  const { bins = 15, strategy = "uniform", norm = "l1", weights, nan = "throw", seed = 0 } = options;
  checkOptions(options);
  const edges = strategy === "uniform" ? uniformEdges(bins) : quantileEdges(confidence, bins, weights);
  const gathered = new ConfidenceBins(edges);
  gathered.add({ confidence, correct, weights }, nan);
  const sums = gathered.sums();
  const error = errorOfBins(sums, options);
  return {
    error,
    norm,
    strategy,
    bins: meansOfBins(sums),
    n: gathered.rows - gathered.excluded,
    excluded: gathered.excluded,
    nullMean: nullMeanOfBins(sums, { ...options, seed }),
    reason: Number.isNaN(error) ? "empty" : null,
  };
}

/** The calibration error of gathered sums; NaN without rows. Options as {@link calibrationError}, `norm` and `debias` count. */
export function errorOfBins(
  sums: BinSums,
  options: Pick<CalibrationErrorOptions, "norm" | "debias"> = {},
): number {
  const { norm = "l1", debias = false } = options;
  let total = 0;
  let error = 0;
  for (let k = 0; k < sums.count.length; k++) {
    const count = sums.count[k] as number;
    if (count === 0) continue;
    total += count;
    const distance = Math.abs((sums.confidence[k] as number) - (sums.correct[k] as number));
    if (norm === "l1") error += distance;
    else if (norm === "max") error = Math.max(error, distance / count);
    else error += debias ? debiasedSquare(sums, k) : distance * (distance / count);
  }
  if (total === 0) return Number.NaN;
  if (norm === "max") return error;
  return norm === "l1" ? error / total : Math.sqrt(Math.max(0, error) / total);
}

/** count · (squared distance − its excess by chance), 0 for a bin that cannot estimate the excess. */
function debiasedSquare(sums: BinSums, k: number): number {
  const count = sums.count[k] as number;
  if (count < 2) return 0;
  const accuracy = (sums.correct[k] as number) / count;
  const distance = (sums.confidence[k] as number) / count - accuracy;
  return count * (distance * distance - (accuracy * (1 - accuracy)) / (count - 1));
}

/**
 * The mean error of a model whose confidences are exact, from gathered sums: see {@link calibrationError}; NaN without
 * rows. `norm`, `debias`, `nullResamples` and `seed` count.
 */
export function nullMeanOfBins(
  sums: BinSums,
  options: Pick<CalibrationErrorOptions, "norm" | "debias" | "nullResamples" | "seed"> = {},
): number {
  const { norm = "l1", nullResamples = 1000, seed = 0 } = options;
  if (norm !== "l1") return drawnNullMean(sums, (drawn) => errorOfBins(drawn, options), nullResamples, seed);
  let total = 0;
  let deviation = 0;
  for (let k = 0; k < sums.count.length; k++) {
    const bin = binNull(sums, k);
    if (bin === null) continue;
    total += sums.count[k] as number;
    deviation += (sums.count[k] as number) * meanDeviation(bin);
  }
  return total === 0 ? Number.NaN : deviation / total;
}

/** Mean confidence and share of correct rows of every bin, NaN where it is empty. */
export function meansOfBins(sums: BinSums): CalibrationBins {
  const { edges, count } = sums;
  const perRow = (total: number, k: number): number =>
    count[k] === 0 ? Number.NaN : total / (count[k] as number);
  return { edges, count, confidence: sums.confidence.map(perRow), accuracy: sums.correct.map(perRow) };
}

const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  strategy: ["uniform", "quantile"],
  norm: ["l1", "l2", "max"],
};

function checkOptions(options: CalibrationErrorOptions): void {
  checkNanPolicy(options.nan ?? "throw");
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = options[name as keyof CalibrationErrorOptions];
    if (value === undefined || allowed.includes(value)) continue;
    throw new CalibrantError("option", `${name} must be one of ${allowed.join(", ")}, got ${value}`, {
      value,
    });
  }
  if (options.debias === true && options.norm !== "l2") {
    const norm = options.norm ?? "l1";
    throw new CalibrantError("option", `debias needs norm "l2", got norm "${norm}"`, { norm });
  }
  checkCount("nullResamples", options.nullResamples ?? 0);
}
