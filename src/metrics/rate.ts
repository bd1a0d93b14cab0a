import type { Interval } from "../types.ts";
import { wilsonInterval } from "./proportions.ts";

/** A share of rows with an interval, or another number in [0, 1] or of its own unit. Missing numbers are null. */
export interface Rate {
  /** numerator / denominator; null where the denominator is 0. */
  readonly value: number | null;
  /** Ends of the interval; null without one. */
  readonly low: number | null;
  readonly high: number | null;
  /** What is counted; null for numbers that are no share of a count (macro-F1, a mean of seeds). */
  readonly numerator: number | null;
  /** Rows that it is a share of. */
  readonly denominator: number;
  /** Why there is no value, as `empty`; null when there is one. */
  readonly reason: string | null;
}

/**
 * A share with its Wilson interval; without rows all numbers are null and the reason is `empty`, never 0.
 *
 * @throws CalibrantRangeError for counts or a level out of range.
 *
 * @example
 * ```ts
 * import { rateOf } from "calibrant/metrics";
 * const { value, low, high } = rateOf(13, 80);
 * console.log(value, low?.toFixed(4), high?.toFixed(4)); // 0.1625 0.0975 0.2584
 * console.log(rateOf(0, 0).value); // null
 * ```
 */
export function rateOf(numerator: number, denominator: number, level = 0.95): Rate {
  const { mean, low, high } = wilsonInterval(numerator, denominator, { level });
  if (denominator === 0) return emptyRate("empty");
  return { value: mean, low, high, numerator, denominator, reason: null };
}

/** A share that does not exist, and why. */
export function emptyRate(reason: string): Rate {
  return { value: null, low: null, high: null, numerator: null, denominator: 0, reason };
}

/** The rate with another interval. */
export function withInterval(rate: Rate, { low, high }: Interval): Rate {
  const known = !Number.isNaN(low) && !Number.isNaN(high);
  return { ...rate, low: known ? low : null, high: known ? high : null };
}
