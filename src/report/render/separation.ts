import type { EvaluationSlice } from "../evaluation.ts";

/**
 * What a slice shows about its uncertainty: wrong rows are the less certain ones (`separated`), barely so, no difference
 * beyond chance (`none`), a difference without that order (`shape`), the opposite order (`reversed`); `untested` without
 * resamples and permutations, `unknown` without an IoU.
 */
export type Separation = "separated" | "barely" | "none" | "shape" | "reversed" | "untested" | "unknown";

/** The IoU above this share of its null mean tells almost nothing apart; the bound of the flag `ci-unreliable`. */
const ALMOST_IDENTICAL = 0.9;

/**
 * Judges a slice by the permutation test of its IoU, which sees any difference of the two distributions, and by the
 * interval of its AUROC, which says which of them is the less certain one.
 *
 * @param level the report's confidence level; a p-value at or below 1 − level counts as beyond chance
 */
export function separation(slice: EvaluationSlice, level: number): Separation {
  const { iou, auroc } = slice.metrics;
  const { mean, pValue } = slice.iouNull;
  if (Number.isNaN(iou.value)) return "unknown";
  if (auroc.high < 0.5) return "reversed";
  const ordered = Number.isNaN(auroc.low) ? auroc.value > 0.5 : auroc.low > 0.5;
  if (Number.isNaN(pValue)) {
    if (Number.isNaN(auroc.low)) return "untested";
    return ordered ? "separated" : "none";
  }
  if (pValue > 1 - level + 1e-12) return "none";
  if (!ordered) return Number.isNaN(auroc.low) && auroc.value < 0.5 ? "reversed" : "shape";
  return iou.value > ALMOST_IDENTICAL * mean ? "barely" : "separated";
}
