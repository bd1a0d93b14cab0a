import { CalibrantError } from "../../errors.ts";
import type { BinaryLabels, NumericArray } from "../../types.ts";
import type { CalibratorFlag, PlattCalibrator } from "./calibrator.ts";
import { fingerprintRows } from "./fingerprint.ts";
import { checkLength, checkNumbers, readBinaryLabels, readWeights } from "./fit-rows.ts";
import { fitLine, type Line, type TargetRows } from "./platt-newton.ts";

/** Options of {@link fitPlatt}. */
export interface PlattOptions {
  /** `(n)`, 0 or more; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
  /**
   * What the sigmoid is fitted to. `libsvm`: (N₁ + 1)/(N₁ + 2) for 1 and 1/(N₀ + 2) for 0, Platt's prior correction,
   * which keeps the fit finite on separable data; `raw`: 1 and 0. Default `libsvm`.
   */
  readonly targets?: "libsvm" | "raw";
}

/**
 * Platt scaling (Platt 1999): the a and b of `P(1) = 1 / (1 + e^(a·score + b))` with the greatest likelihood, by
 * Newton's iteration with backtracking (Lin, Lin & Weng 2007), run to rounding instead of libsvm's tolerance.
 *
 * Labels of one class give the constant of the prior-corrected targets (`raw`: 0 or 1) with the flag `single-class`;
 * equal scores give the share of 1s with `flat`; without rows a and b are NaN with `empty`. With `raw` targets and
 * classes that a threshold separates there is no optimum: the flag is `separable`, and the map is a steep sigmoid.
 *
 * @param scores `(n)`, finite; any direction
 * @param labels `(n)`, 0/1 or booleans
 * @throws CalibrantRangeError for a score that is not finite or a negative weight.
 * @throws CalibrantError `length-mismatch`, `data` for another label, `option`.
 *
 * @example
 * ```ts
 * import { fitPlatt } from "calibrant/uq";
 * const { a, b } = fitPlatt([5, -4, 1], [1, 0, 0]);
 * console.log(a.toFixed(4), b.toFixed(4)); // -0.2026 0.6524
 * ```
 */
export function fitPlatt(
  scores: NumericArray,
  labels: BinaryLabels,
  options: PlattOptions = {},
): PlattCalibrator {
  const { targets = "libsvm" } = options;
  if (targets !== "libsvm" && targets !== "raw") {
    throw new CalibrantError("option", `targets must be libsvm or raw, got ${String(targets)}`, { targets });
  }
  const n = labels.length;
  checkLength("scores", scores.length, n);
  checkNumbers("scores", scores, false);
  const codes = readBinaryLabels(labels, n);
  const weights = readWeights(options.weights, n);
  const flags: CalibratorFlag[] = [];
  const { a, b } = line(scores, codes, weights, targets === "libsvm", flags);
  return { kind: "platt", a, b, flags, n, fingerprint: fingerprintRows(scores, codes) };
}

function line(
  scores: NumericArray,
  labels: Uint8Array,
  weights: NumericArray | null,
  prior: boolean,
  flags: CalibratorFlag[],
): Line {
  const seen = summarize(scores, labels, weights);
  const [ones, zeros] = [seen.weight[1], seen.weight[0]];
  if (!(ones + zeros > 0)) {
    flags.push("empty");
    return { a: Number.NaN, b: Number.NaN };
  }
  const high = prior ? (ones + 1) / (ones + 2) : 1;
  const low = prior ? 1 / (zeros + 2) : 0;
  const level = (ones * high + zeros * low) / (ones + zeros);
  const constant = { a: 0, b: Math.log((1 - level) / level) };
  if (ones === 0 || zeros === 0) {
    flags.push("single-class");
    return constant;
  }
  if (seen.lowest[0] === seen.highest[0] && seen.lowest[1] === seen.highest[1]) {
    if (seen.lowest[0] === seen.lowest[1]) {
      flags.push("flat");
      return constant;
    }
  }
  const apart = seen.highest[0] <= seen.lowest[1] || seen.highest[1] <= seen.lowest[0];
  if (!prior && apart) flags.push("separable");
  const rows: TargetRows = { scores, labels, weights, high, low };
  const fit = fitLine(rows, constant.b);
  if (!fit.converged && !flags.includes("separable")) flags.push("not-converged");
  return fit;
}

/** Weight, least and greatest score of the rows of label 0 and of label 1. */
interface ClassSummary {
  readonly weight: [number, number];
  readonly lowest: [number, number];
  readonly highest: [number, number];
}

function summarize(scores: NumericArray, labels: Uint8Array, weights: NumericArray | null): ClassSummary {
  const summary: ClassSummary = {
    weight: [0, 0],
    lowest: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    highest: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  };
  for (let i = 0; i < labels.length; i++) {
    const weight = weights === null ? 1 : (weights[i] as number);
    if (weight === 0) continue;
    const label = labels[i] as 0 | 1;
    const score = scores[i] as number;
    summary.weight[label] += weight;
    if (score < summary.lowest[label]) summary.lowest[label] = score;
    if (score > summary.highest[label]) summary.highest[label] = score;
  }
  return summary;
}
