import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";

/**
 * Per-token estimate of KL(policy ‖ reference) in nats, `(n)`: e^d − d − 1 with d = reference − policy log-prob.
 * Unbiased under samples of the policy, never negative and of low variance: "k3" of Schulman, "Approximating KL
 * Divergence" (2020); trainers call it `low_var_kl`.
 *
 * Computed as expm1(d) − d, which keeps its digits where both models agree. Nothing is clamped: a token that only
 * the reference finds possible gives Infinity. A NaN on either side, or -Infinity on both, gives NaN.
 *
 * @param logprobs log-probs of the sampled tokens under the policy, `(n)`
 * @param refLogprobs log-probs of the same tokens under the reference, `(n)`
 * @throws CalibrantError `length-mismatch` when they differ in length.
 *
 * @example
 * ```ts
 * import { lowVarKl } from "calibrant/rewards";
 * console.log(lowVarKl([-1, -2], [-1, -1])); // Float64Array(2) [ 0, 0.7182818284590451 ]
 * ```
 */
export function lowVarKl(logprobs: NumericArray, refLogprobs: NumericArray): Float64Array {
  if (refLogprobs.length !== logprobs.length) {
    throw new CalibrantError(
      "length-mismatch",
      `refLogprobs must number ${logprobs.length}, one a log-prob; got ${refLogprobs.length}`,
      { logprobs: logprobs.length, refLogprobs: refLogprobs.length },
    );
  }
  const result = new Float64Array(logprobs.length);
  for (let i = 0; i < result.length; i++) {
    const d = (refLogprobs[i] as number) - (logprobs[i] as number);
    // Below d = 1e-15 the rounding of expm1 could show as a negative divergence.
    result[i] = Math.max(Math.expm1(d) - d, 0);
  }
  return result;
}
