import type { NumericArray } from "../types.ts";
import { POSITIVE_TOLERANCE } from "./token-sum.ts";

/**
 * Perplexity of mean negative log-likelihoods in nats, e^nll, `(n)`. Tools that report nll under the name
 * "perplexity" (LM-Polygraph does) are read with this. NaN stays NaN; from 709.78 up the result is Infinity.
 *
 * @example
 * ```ts
 * import { pplFromNll } from "calibrant/uq";
 * console.log(pplFromNll([2])); // Float64Array(1) [ 7.38905609893065 ]
 * ```
 */
export function pplFromNll(nll: NumericArray): Float64Array {
  return Float64Array.from(nll, (value) => Math.exp(value));
}

/**
 * Mean negative log-likelihood in nats of perplexities, ln PPL, `(n)`. A perplexity below 1 has none: NaN, except
 * that down to e^-0.001 it is taken as rounding and gives 0, as for positive log-probs. NaN stays NaN.
 *
 * @example
 * ```ts
 * import { nllFromPpl } from "calibrant/uq";
 * console.log(nllFromPpl([1, Math.E, 0.7])); // Float64Array(3) [ 0, 1, NaN ]
 * ```
 */
export function nllFromPpl(ppl: NumericArray): Float64Array {
  return Float64Array.from(ppl, logOfPpl);
}

/** ln PPL of one perplexity, by the rule of {@link nllFromPpl}. */
export function logOfPpl(ppl: number): number {
  if (ppl >= 1) return Math.log(ppl);
  return ppl >= Math.exp(-POSITIVE_TOLERANCE) ? 0 : Number.NaN;
}

/**
 * Confidences in [0, 1] of mean negative log-likelihoods: e^-nll, the geometric mean of the token probabilities,
 * `(n)`. It is a score by convention, not a calibrated probability. NaN stays NaN.
 */
export function confidenceFromNll(nll: NumericArray): Float64Array {
  return Float64Array.from(nll, (value) => Math.exp(-value));
}
