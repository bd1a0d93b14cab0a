import { CalibrantRangeError } from "../errors.ts";
import { incompleteBeta } from "../math/incomplete-beta.ts";

/**
 * The exact test of McNemar (1947) of two treatments of the same units: the two-sided p-value of the discordant pairs under
 * Binomial(n, 1/2), twice the smaller tail and at most 1, as statsmodels' `mcnemar(exact=True)`. Without a discordant pair
 * it is 1. Accurate to about 1e-13 relative at any count.
 *
 * @param onlyFirst units where only the first succeeded, a whole number
 * @param onlySecond units where only the second succeeded, a whole number
 * @throws CalibrantRangeError for numbers that are no counts.
 *
 * @example
 * ```ts
 * import { mcnemarExact } from "calibrant/metrics";
 * console.log(mcnemarExact(1, 9).toFixed(6)); // 0.021484
 * ```
 */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number {
  for (const [name, count] of Object.entries({ onlyFirst, onlySecond })) {
    if (Number.isInteger(count) && count >= 0) continue;
    throw new CalibrantRangeError("data", `${name} must be a whole number from 0, got ${count}`, {
      [name]: count,
    });
  }
  const fewer = Math.min(onlyFirst, onlySecond);
  const more = Math.max(onlyFirst, onlySecond);
  if (fewer === more) return 1;
  // P(X ≤ fewer) of n = fewer + more trials at 1/2 is the incomplete beta function I(1/2; more, fewer + 1).
  return Math.min(1, 2 * incompleteBeta(0.5, more, fewer + 1).lower);
}
