import type { NumericArray } from "../types.ts";
import { compensatedSum } from "./sum.ts";

/**
 * `ln Σ e^x` over `values`, in float64, shifted by the maximum so that nothing overflows or underflows to a wrong
 * result. -Infinity values are masks (weight 0); all of them, or none at all, give -Infinity; any NaN gives NaN; an
 * Infinity gives Infinity.
 */
export function logSumExp(values: NumericArray): number {
  const max = maximum(values);
  if (!Number.isFinite(max)) return max;
  return max + Math.log(shiftedSum(values, max));
}

/**
 * Natural-log probabilities `(n)` of a softmax over logits `(n)`: `x - logSumExp(x)`, never `log(softmax(x))`, which
 * underflows. A -Infinity logit has log-probability -Infinity; if every logit is, or any is NaN or Infinity, all
 * results are NaN.
 */
export function logSoftmax(logits: NumericArray): Float64Array {
  const max = maximum(logits);
  const result = new Float64Array(logits.length);
  if (!Number.isFinite(max)) return result.fill(Number.NaN);
  const logSum = Math.log(shiftedSum(logits, max));
  // Subtracting the maximum first keeps the digits that `max + logSum` would round away.
  for (let i = 0; i < logits.length; i++) result[i] = (logits[i] as number) - max - logSum;
  return result;
}

/**
 * Entropy in nats of the softmax over logits `(n)`, in [0, ln n]. Outcomes of probability zero (-Infinity logits)
 * contribute 0. NaN where {@link logSoftmax} is NaN, and for an empty array.
 */
export function softmaxEntropy(logits: NumericArray): number {
  if (logits.length === 0) return Number.NaN;
  let entropy = 0;
  for (const logProb of logSoftmax(logits)) {
    // 0 · -Infinity would be NaN.
    if (logProb !== Number.NEGATIVE_INFINITY) entropy -= Math.exp(logProb) * logProb;
  }
  return entropy;
}

/** Σ e^(x - max): compensated, because a vocabulary has a long tail of tiny terms. */
function shiftedSum(values: NumericArray, max: number): number {
  const terms = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) terms[i] = Math.exp((values[i] as number) - max);
  return compensatedSum(terms);
}

function maximum(values: NumericArray): number {
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) max = Math.max(max, values[i] as number);
  return max;
}
