import { CalibrantRangeError } from "../errors.ts";
import type { Interval } from "../types.ts";
import { quantiles } from "./quantile.ts";

/** An interval of bootstrap replicates. */
export interface ReplicateInterval extends Interval {
  /** Replicates that are NaN, as of a resample with one class only; the interval rests on the others. */
  readonly undefined: number;
}

/**
 * The percentile interval of bootstrap replicates (Efron & Tibshirani 1993, section 13.3): the type-7 quantiles at
 * (1 − level)/2 and (1 + level)/2. NaN replicates are left out and counted; with none left both ends are NaN.
 * Cost O(r log r).
 *
 * @param replicates `(r)`, in any order; not changed
 * @param level confidence level in (0, 1)
 * @throws CalibrantRangeError for a level outside (0, 1).
 */
export function percentileInterval(replicates: Float64Array, level: number): ReplicateInterval {
  checkLevel(level);
  const ends = quantiles(replicates, [(1 - level) / 2, (1 + level) / 2]);
  let missing = 0;
  for (let i = 0; i < replicates.length; i++) if (Number.isNaN(replicates[i])) missing++;
  return { low: ends[0] as number, high: ends[1] as number, undefined: missing };
}

/**
 * Checks a confidence level.
 *
 * @throws CalibrantRangeError for a level outside (0, 1).
 */
export function checkLevel(level: number): void {
  if (level > 0 && level < 1) return;
  throw new CalibrantRangeError("option", `level must be between 0 and 1, both excluded, got ${level}`, {
    level,
  });
}
