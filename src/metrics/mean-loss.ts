import type { NumericArray } from "../types.ts";
import {
  type ConfidenceRows,
  checkNanPolicy,
  forConfidenceRows,
  type NanPolicy,
  type RowBlock,
} from "./confidence-rows.ts";

/** Options of every loss that is a mean over rows. */
export interface MeanLossOptions {
  /** `(n)`, finite and not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
  /** What to do with a NaN confidence. Default `throw`. */
  readonly nan?: NanPolicy;
}

/** Which rows a mean loss rests on. */
export interface MeanLossRows {
  /** Rows used. */
  readonly n: number;
  /** Rows left out because their confidence is NaN. */
  readonly excluded: number;
  /** `empty` when there are no rows or all weigh 0: the loss is NaN; else null. */
  readonly reason: "empty" | null;
}

/** Sums that a kernel adds to, block by block, so that rounding errors do not pile up over many rows. */
export interface LossSums {
  loss: number;
  weight: number;
}

/** Adds the rows `from …` of a block to the sums; returns where it stopped as a `RowKernel` does. */
export type LossKernel = (block: RowBlock, from: number, sums: LossSums) => number;

/**
 * The weighted mean of a kernel's loss over all rows; NaN without rows. Cost O(n), in blocks.
 *
 * @throws CalibrantRangeError for a confidence outside [0, 1] (or NaN unless excluded) or a bad weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 */
export function meanLoss(
  rows: ConfidenceRows,
  nan: NanPolicy,
  kernel: LossKernel,
): MeanLossRows & { readonly mean: number } {
  checkNanPolicy(nan);
  const sums: LossSums = { loss: 0, weight: 0 };
  const excluded = forConfidenceRows(rows, nan, (block, from) => kernel(block, from, sums));
  const n = rows.confidence.length - excluded;
  if (sums.weight === 0) return { mean: Number.NaN, n, excluded, reason: "empty" };
  return { mean: sums.loss / sums.weight, n, excluded, reason: null };
}
