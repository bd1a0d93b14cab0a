import { CalibrantError, CalibrantRangeError } from "../errors.ts";
import { BLOCK_ROWS, float64Block } from "../math/float64-block.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { checkedWeights, checkLength } from "./check-rows.ts";
import { isUsable, type RowBlock } from "./confidence-rows.ts";
import { type LossSums, type MeanLossOptions, type MeanLossRows, meanLoss } from "./mean-loss.ts";

/** What {@link brierScore} returns. */
export interface BrierResult extends MeanLossRows {
  /** In [0, 1], lower is better; NaN without rows. */
  readonly brier: number;
}

/**
 * Brier score of two classes: the mean of (p − y)² (Brier 1950, halved as is usual for two classes, so the range is
 * [0, 1]). The positive class is label 1, whatever labels occur. Cost O(n).
 *
 * @param confidence `(n)`, probability p that the label y is 1, in [0, 1]
 * @param correct `(n)`, 0/1 or booleans
 * @throws CalibrantRangeError for a probability outside [0, 1] (or NaN unless excluded) or a bad weight.
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { brierScore } from "calibrant/metrics";
 * console.log(brierScore([0.9, 0.5], [1, 0]).brier.toFixed(3)); // 0.130
 * ```
 */
export function brierScore(
  confidence: NumericArray,
  correct: BinaryLabels,
  options: MeanLossOptions = {},
): BrierResult {
  const { weights, nan = "throw" } = options;
  const { mean, ...rows } = meanLoss({ confidence, correct, weights }, nan, addSquares);
  return { brier: mean, ...rows };
}

function addSquares({ confidence, correct, weights }: RowBlock, from: number, sums: LossSums): number {
  let loss = 0;
  let total = 0;
  let i = from;
  for (; i < confidence.length; i++) {
    const p = confidence[i] as number;
    const y = correct[i] as number;
    const w = weights === null ? 1 : (weights[i] as number);
    if (!isUsable(p, y, w)) break;
    loss += w * (p - y) * (p - y);
    total += w;
  }
  sums.loss += loss;
  sums.weight += total;
  return i;
}

/** Options of {@link brierScoreMulticlass}. */
export interface BrierMulticlassOptions {
  /** `sum`: Σ over classes, range [0, 2] (Brier 1950); `half`: half of it, equal to the score of two classes. Default `sum`. */
  readonly scale?: "sum" | "half";
  /** `(n)`, finite and not negative; a row of weight k counts as k equal rows. */
  readonly weights?: NumericArray;
}

/** What {@link brierScoreMulticlass} returns. */
export interface BrierMulticlassResult {
  /** In [0, 2], or [0, 1] with `half`, for rows that sum to 1; NaN without rows. */
  readonly brier: number;
  /** `empty` when there are no rows or all weigh 0, else null. */
  readonly reason: "empty" | null;
}

/**
 * Brier score of several classes: the mean over rows of Σ_c (p_c − [y = c])². Rows need not sum to 1: options scored apart
 * are taken as they are. Cost O(n · classes).
 *
 * @param p row-major, shape (n · classes), in [0, 1]
 * @param classes number of classes, a whole number from 1
 * @param y `(n)`, class indices from 0
 * @throws CalibrantRangeError for a probability outside [0, 1] or NaN, or a bad weight.
 * @throws CalibrantError `data` for a label that is no class index, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { brierScoreMulticlass } from "calibrant/metrics";
 * console.log(brierScoreMulticlass([1, 0, 0], 3, [2]).brier); // 2
 * console.log(brierScoreMulticlass([1, 0, 0], 3, [2], { scale: "half" }).brier); // 1
 * ```
 */
export function brierScoreMulticlass(
  p: NumericArray,
  classes: number,
  y: NumericArray,
  options: BrierMulticlassOptions = {},
): BrierMulticlassResult {
  const { scale = "sum" } = options;
  checkShape(p, classes, y, scale);
  const weights = checkedWeights(options.weights, "y", y.length);
  const rowsAtOnce = Math.max(1, Math.floor(BLOCK_ROWS / classes));
  const scratch = new Float64Array(rowsAtOnce * classes);
  let loss = 0;
  let total = 0;
  for (let start = 0; start < y.length; start += rowsAtOnce) {
    const end = Math.min(y.length, start + rowsAtOnce);
    const block = float64Block(p, start * classes, end * classes, scratch);
    let blockLoss = 0;
    for (let row = start; row < end; row++) {
      const weight = weights === null ? 1 : (weights[row] as number);
      blockLoss +=
        weight * rowSquares(block, (row - start) * classes, classes, classOf(y, row, classes), row);
      total += weight;
    }
    loss += blockLoss;
  }
  if (total === 0) return { brier: Number.NaN, reason: "empty" };
  return { brier: (scale === "half" ? loss / 2 : loss) / total, reason: null };
}

function rowSquares(block: Float64Array, at: number, classes: number, label: number, row: number): number {
  let sum = 0;
  for (let c = 0; c < classes; c++) {
    const probability = block[at + c] as number;
    if (!(probability >= 0 && probability <= 1)) {
      const index = row * classes + c;
      const message = `p[${index}] (row ${row}, class ${c}) must be in [0, 1], got ${probability}`;
      throw new CalibrantRangeError("data", message, { index, row, class: c, probability });
    }
    const distance = c === label ? 1 - probability : probability;
    sum += distance * distance;
  }
  return sum;
}

function classOf(y: NumericArray, row: number, classes: number): number {
  const label = y[row] as number;
  if (Number.isInteger(label) && label >= 0 && label < classes) return label;
  const message = `y[${row}] must be a class index from 0 to ${classes - 1}, got ${label}`;
  throw new CalibrantError("data", message, { index: row, label });
}

function checkShape(p: NumericArray, classes: number, y: NumericArray, scale: string): void {
  if (!Number.isInteger(classes) || classes < 1) {
    throw new CalibrantError("option", `classes must be a whole number from 1, got ${classes}`, { classes });
  }
  if (scale !== "sum" && scale !== "half") {
    throw new CalibrantError("option", `scale must be "sum" or "half", got ${JSON.stringify(scale)}`, {
      scale,
    });
  }
  checkLength("p", p, "y times classes", y.length * classes);
}
