import type { Interval } from "../types.ts";

/** From so few independent units a bootstrap interval is far too narrow: below it there is no verdict. */
export const FEWEST_UNITS = 10;

/** Differences below this share of the numbers they are made of are rounding. */
const ROUNDING = 1e-12;

/** A difference to judge. */
export interface JudgedDifference extends Interval {
  /** The two numbers whose difference has the interval. */
  readonly baseline: number;
  readonly candidate: number;
  /** Independent units (prompts, or rows) that were resampled: the smaller number where two sides were apart. */
  readonly units: number;
}

/**
 * Whether the interval of a difference leaves out 0 by more than rounding; null when nothing can be said: without an
 * interval, and with fewer than 10 units (in simulations without a difference, 2 units were "beyond noise" in half of the
 * runs, 8 units in one of eight, 12 in one of twelve).
 */
export function isBeyondNoise({ low, high, baseline, candidate, units }: JudgedDifference): boolean | null {
  if (Number.isNaN(low) || Number.isNaN(high) || units < FEWEST_UNITS) return null;
  const rounding = ROUNDING * Math.max(Math.abs(baseline), Math.abs(candidate));
  return low > rounding || high < -rounding;
}
