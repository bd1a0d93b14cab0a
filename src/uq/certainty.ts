import { CalibrantError } from "../errors.ts";
import { sigmoid } from "../math/sigmoid.ts";
import type { NumericArray } from "../types.ts";

/** Options of {@link certainty}. */
export interface CertaintyOptions {
  /** Temperature in perplexity units; positive. Default 0.1 (the paper's). */
  readonly tau?: number;
}

/**
 * Certainty c = sigmoid(margin / tau), in [0, 1] (TRUST Eq. 5). An infinite margin gives exactly 0 or 1; only a NaN
 * margin gives NaN.
 *
 * @param margin one margin, or `(n)` of them
 * @throws CalibrantError `option` when tau is not a positive, finite number.
 *
 * @example
 * ```ts
 * import { certainty } from "calibrant/uq";
 * console.log(certainty(0), certainty([-100, 0.05])); // 0.5 Float64Array(2) [ 0, 0.6224593312018546 ]
 * ```
 */
export function certainty(margin: number, options?: CertaintyOptions): number;
export function certainty(margin: NumericArray, options?: CertaintyOptions): Float64Array;
export function certainty(
  margin: number | NumericArray,
  options: CertaintyOptions = {},
): number | Float64Array {
  const { tau = 0.1 } = options;
  checkTau(tau);
  if (typeof margin === "number") return sigmoid(margin / tau);
  return Float64Array.from(margin, (value) => sigmoid(value / tau));
}

/** @throws CalibrantError `option` when tau is not a positive, finite number. */
export function checkTau(tau: number): void {
  if (typeof tau === "number" && tau > 0 && tau < Number.POSITIVE_INFINITY) return;
  throw new CalibrantError("option", `tau must be a positive number, got ${tau}`, { tau });
}
