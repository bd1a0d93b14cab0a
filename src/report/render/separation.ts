import { FEWEST_UNITS } from "../../math/beyond-noise.ts";
import type { Evaluation, EvaluationSlice } from "../evaluation.ts";

/**
 * What a slice shows about its uncertainty: wrong rows are the less certain ones (`separated`), barely so, so by their ranking
 * while the IoU's bins cannot show it (`ranked`), no difference beyond chance (`none`), a difference without that order
 * (`shape`), the opposite order (`reversed`); `few` with fewer than 10 independent units, or rows of one of the classes, `untested` without resamples and
 * permutations, `unknown` without an IoU.
 */
export type Separation =
  | "separated"
  | "barely"
  | "ranked"
  | "none"
  | "shape"
  | "reversed"
  | "few"
  | "untested"
  | "unknown";

/** The IoU above this share of its null mean tells almost nothing apart; the bound of the flag `ci-unreliable`. */
const ALMOST_IDENTICAL = 0.9;

/**
 * Judges a slice by the interval of its AUROC, which says which rows are the less certain ones and knows of prompts, and by
 * the permutation test of its IoU, which sees any difference of the two distributions. With so few permutations that
 * their smallest p-value is above 1 − level, the test cannot speak and the AUROC decides alone.
 */
export function separation(
  slice: EvaluationSlice,
  { level, permutations }: Pick<Evaluation, "level" | "permutations">,
): Separation {
  const { iou, auroc } = slice.metrics;
  const { mean, pValue } = slice.iouNull;
  if (Number.isNaN(iou.value)) return "unknown";
  const alpha = 1 - level + 1e-12;
  const isTestable = !Number.isNaN(pValue) && 1 / (permutations + 1) <= alpha;
  const hasInterval = !Number.isNaN(auroc.low);
  if (!isTestable && !hasInterval) return "untested";
  if (slice.clusters < FEWEST_UNITS || rowsOfSmallerClass(slice) < FEWEST_UNITS) return "few";
  if (auroc.high < 0.5) return "reversed";
  const isDifferent = isTestable && pValue <= alpha;
  if (hasInterval && auroc.low > 0.5) {
    if (isTestable && !isDifferent) return "ranked";
    return iou.value > ALMOST_IDENTICAL * mean ? "barely" : "separated";
  }
  if (!isDifferent) return "none";
  if (hasInterval) return "shape";
  return auroc.value > 0.5 ? "separated" : "reversed";
}

/** Correct or wrong rows, whichever are fewer: from a handful of them even a perfect ranking may be chance. */
export function rowsOfSmallerClass({ correct, wrong }: Pick<EvaluationSlice, "correct" | "wrong">): number {
  return Math.min(correct, wrong);
}
