import type { NumericArray } from "../types.ts";
import { badOption } from "./iou/iou-edges.ts";
import { type IouRanks, rankRows, upTo, weightOfFirst } from "./iou/iou-ranks.ts";
import { type IouRows, type IouSide, usableRows } from "./iou/iou-rows.ts";

/** Options of {@link wrongButLowUncertainty}. */
export interface WrongButLowOptions {
  /**
   * Rows with u <= threshold are of low uncertainty. `median-correct` (default): the lower median of the correct class,
   * a value of the data (inverse-CDF quantile at 1/2). `youden` (NaN when either class is empty): the value that maximises
   * P(u <= t | correct) − P(u <= t | wrong), the smallest of equals. Or a number in units of the input.
   */
  readonly threshold?: "median-correct" | "youden" | number;
  /** Row weights, not negative; weight k is k equal rows. */
  readonly weights?: { readonly correct?: NumericArray; readonly wrong?: NumericArray };
}

/** The result of {@link wrongButLowUncertainty}; shares are NaN where there is nothing to share. */
export interface WrongButLow {
  /** NaN when the correct class is empty and no number was given. */
  readonly threshold: number;
  /** P(u <= t | wrong): share of the wrong rows that look certain. */
  readonly ofWrong: number;
  /** P(wrong and u <= t): share of all rows. */
  readonly ofAll: number;
  /** P(wrong | u <= t): error rate among the rows that look certain. */
  readonly ofLow: number;
  /** Rows used. */
  readonly n: { readonly correct: number; readonly wrong: number };
  /** Rows left out because their uncertainty is NaN. */
  readonly excluded: { readonly correct: number; readonly wrong: number };
  /** `empty`: a class has no rows. `none-low`: no row is at or below the threshold. Null when every share is a number. */
  readonly reason: "empty" | "none-low" | null;
}

/**
 * Wrong decisions of low uncertainty: how many there are at one threshold. A figure of its own, not the calibration IoU,
 * which needs no threshold and compares whole distributions.
 *
 * @param correct uncertainties of correct rows, any score where higher = less sure, `(n_c)`; NaN is left out and counted
 * @param wrong the same of wrong rows, `(n_w)`
 * @throws CalibrantRangeError for a negative weight.
 * @throws CalibrantError `length-mismatch` for weights of another length, `option` for a bad threshold.
 *
 * @example
 * ```ts
 * import { wrongButLowUncertainty } from "calibrant/uq";
 * const { ofWrong, ofAll, ofLow } = wrongButLowUncertainty([1, 1.1, 1.2, 1.3], [1.05, 1.15, 2, 2.5], { threshold: 1.2 });
 * console.log(ofWrong, ofAll, ofLow); // 0.5 0.25 0.4
 * ```
 */
export function wrongButLowUncertainty(
  correct: NumericArray,
  wrong: NumericArray,
  options: WrongButLowOptions = {},
): WrongButLow {
  const { threshold: rule = "median-correct", weights } = options;
  const rowsOf = (side: IouSide, values: NumericArray): IouRows =>
    usableRows({ side, values, weights: weights?.[side], scale: "identity" });
  const rows = { correct: rowsOf("correct", correct), wrong: rowsOf("wrong", wrong) };
  const ranks = { correct: rankRows(rows.correct), wrong: rankRows(rows.wrong) };
  const threshold = thresholdOf(rule, ranks.correct, ranks.wrong);
  const lowCorrect = weightUpTo(ranks.correct, threshold);
  const lowWrong = weightUpTo(ranks.wrong, threshold);
  const isEmpty = ranks.correct.total === 0 || ranks.wrong.total === 0;
  return {
    threshold,
    ofWrong: lowWrong / ranks.wrong.total,
    ofAll: lowWrong / (ranks.correct.total + ranks.wrong.total),
    ofLow: lowWrong / (lowCorrect + lowWrong),
    n: { correct: rows.correct.values.length, wrong: rows.wrong.values.length },
    excluded: { correct: rows.correct.excluded, wrong: rows.wrong.excluded },
    reason: isEmpty ? "empty" : lowCorrect + lowWrong === 0 ? "none-low" : null,
  };
}

function thresholdOf(rule: WrongButLowOptions["threshold"], correct: IouRanks, wrong: IouRanks): number {
  if (rule === "median-correct") return lowerMedian(correct);
  if (rule === "youden") return youdenThreshold(correct, wrong);
  if (typeof rule === "number" && !Number.isNaN(rule)) return rule;
  throw badOption("threshold", '"median-correct", "youden" or a number', rule);
}

/** The smallest value with at least half of the weight up to it. */
function lowerMedian(ranks: IouRanks): number {
  let low = 0;
  let high = ranks.values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (2 * weightOfFirst(ranks, middle + 1) >= ranks.total) high = middle;
    else low = middle + 1;
  }
  return ranks.values[low] ?? Number.NaN;
}

function youdenThreshold(correct: IouRanks, wrong: IouRanks): number {
  if (correct.total === 0 || wrong.total === 0) return Number.NaN;
  let best = Number.NEGATIVE_INFINITY;
  let threshold = Number.NaN;
  let j = 0;
  for (let i = 0; i < correct.values.length; i++) {
    const value = correct.values[i] as number;
    if (correct.values[i + 1] === value) continue;
    while (j < wrong.values.length && (wrong.values[j] as number) <= value) j += 1;
    const lead = weightOfFirst(correct, i + 1) / correct.total - weightOfFirst(wrong, j) / wrong.total;
    if (lead > best) {
      best = lead;
      threshold = value;
    }
  }
  return threshold;
}

function weightUpTo(ranks: IouRanks, threshold: number): number {
  return Number.isNaN(threshold) ? Number.NaN : weightOfFirst(ranks, upTo(ranks.values, threshold));
}
