import { CalibrantRangeError } from "../errors.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";
import { isUsable, type RowBlock } from "./confidence-rows.ts";
import { type LossSums, type MeanLossOptions, type MeanLossRows, meanLoss } from "./mean-loss.ts";

/** Options of {@link negativeLogLikelihood}. */
export interface LogLossOptions extends MeanLossOptions {
  /**
   * Probabilities are moved into [clip, 1 − clip], in [0, 0.5). It sets the loss of a confident mistake, so it belongs
   * beside the number; 2^-52 is scikit-learn's for float64. Default 0: no clipping.
   */
  readonly clip?: number;
}

/** What {@link negativeLogLikelihood} returns. */
export interface LogLossResult extends MeanLossRows {
  /** Nats a row, in [0, Infinity]; Infinity when an outcome of probability 0 happened. NaN without rows. */
  readonly nll: number;
}

/** Below this chance of the other outcome the logarithm is a short series, which keeps its relative accuracy. */
const NEAR = 2 ** -8;
/** A product of probabilities is turned into a logarithm before it could underflow. */
const SMALL = 1e-150;

/**
 * Negative log-likelihood (log loss) of two classes: the mean of −ln p for label 1 and −ln(1 − p) for label 0, accurate
 * to about 1e-13 of itself also where p is within 1e-300 of certainty. Not clipped unless asked: a certain mistake costs
 * Infinity. Cost O(n).
 *
 * @param confidence `(n)`, probability p that the label is 1, in [0, 1]
 * @param correct `(n)`, 0/1 or booleans
 * @throws CalibrantRangeError for a probability outside [0, 1] (or NaN unless excluded), a bad weight, or `clip`
 *   outside [0, 0.5).
 * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch`, `option`.
 *
 * @example
 * ```ts
 * import { negativeLogLikelihood } from "calibrant/metrics";
 * console.log(negativeLogLikelihood([0.5, 0.5], [1, 0]).nll.toFixed(4)); // 0.6931
 * console.log(negativeLogLikelihood([0, 1], [1, 1]).nll); // Infinity
 * ```
 */
export function negativeLogLikelihood(
  confidence: NumericArray,
  correct: BinaryLabels,
  options: LogLossOptions = {},
): LogLossResult {
  const { clip = 0, weights, nan = "throw" } = options;
  if (!(clip >= 0 && clip < 0.5)) {
    throw new CalibrantRangeError("option", `clip must be in [0, 0.5), got ${clip}`, { clip });
  }
  const kernel = weights === undefined ? addLogs : addWeightedLogs;
  const { mean, ...rows } = meanLoss({ confidence, correct, weights }, nan, (block, from, sums) =>
    kernel(block, from, sums, clip),
  );
  return { nll: mean, ...rows };
}

/** Multiplies probabilities and takes one logarithm for hundreds of rows. */
function addLogs({ confidence, correct }: RowBlock, from: number, sums: LossSums, clip: number): number {
  const high = 1 - clip;
  let loss = 0;
  let product = 1;
  let i = from;
  for (; i < confidence.length; i++) {
    const raw = confidence[i] as number;
    const y = correct[i] as number;
    if (!isUsable(raw, y, 1)) break;
    const p = Math.min(Math.max(raw, clip), high);
    // One of the two terms is exactly 0: a choice without a branch, which random labels would make slow.
    const other = y * (1 - p) + (1 - y) * p;
    const chance = y * p + (1 - y) * (1 - p);
    if (other < NEAR) loss += nearLoss(other);
    else if (chance < SMALL) loss -= Math.log(chance);
    else product *= chance;
    if (product < SMALL) {
      loss -= Math.log(product);
      product = 1;
    }
  }
  sums.loss += loss - Math.log(product);
  sums.weight += i - from;
  return i;
}

function addWeightedLogs(block: RowBlock, from: number, sums: LossSums, clip: number): number {
  const { confidence, correct, weights } = block;
  const high = 1 - clip;
  let loss = 0;
  let total = 0;
  let i = from;
  for (; i < confidence.length; i++) {
    const raw = confidence[i] as number;
    const y = correct[i] as number;
    const w = weights === null ? 1 : (weights[i] as number);
    if (!isUsable(raw, y, w)) break;
    // 0 · Infinity would be NaN.
    if (w === 0) continue;
    const p = Math.min(Math.max(raw, clip), high);
    loss -= w * (y === 1 ? Math.log(p) : Math.log1p(-p));
    total += w;
  }
  sums.loss += loss;
  sums.weight += total;
  return i;
}

/** −ln(1 − x) for x in [0, 2^-8). */
function nearLoss(x: number): number {
  const tail = 1 / 5 + x * (1 / 6 + x * (1 / 7 + x * (1 / 8)));
  return x * (1 + x * (1 / 2 + x * (1 / 3 + x * (1 / 4 + x * tail))));
}
