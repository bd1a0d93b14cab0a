import { checkCount } from "../../math/check-count.ts";
import { incompleteBeta } from "../../math/incomplete-beta.ts";

/**
 * The exact McNemar test (McNemar 1947): the two-sided p-value of the discordant pairs under a fair coin,
 * `min(1, 2 P(X <= min(b, c)))` with X binomial of b + c trials. 1 without discordant pairs.
 *
 * @param b pairs that only the first side passed
 * @param c pairs that only the second side passed
 * @throws CalibrantError `option` for a count that is not whole or is negative.
 *
 * @example
 * ```ts
 * import { mcnemarExact } from "calibrant/metrics";
 * console.log(mcnemarExact(6, 1)); // 0.125
 * ```
 */
export function mcnemarExact(b: number, c: number): number {
  checkCount("b", b);
  checkCount("c", c);
  const n = b + c;
  const fewer = Math.min(b, c);
  if (2 * fewer === n) return 1;
  // P(X <= k) = I_{1/2}(n - k, k + 1).
  return Math.min(1, 2 * incompleteBeta(0.5, n - fewer, fewer + 1).lower);
}
