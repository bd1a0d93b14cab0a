import type { Interval } from "../types.ts";
import { checkLevel } from "./percentile-interval.ts";
import { quantiles } from "./quantile.ts";

/** The ends where nothing can be said. */
const NONE: Interval = { low: Number.NaN, high: Number.NaN };

/**
 * The percentile interval of bootstrap replicates, moved so that their mean is the estimate. A bootstrap adds noise, so that an
 * ECE grows and an IoU shrinks under resampling: the move takes that bias out, and the small difference between an
 * estimate from all values and replicates from cells with it (Efron & Tibshirani 1993, sections 10.3 and 13.3). Quantiles
 * are of type 7. The estimate is always inside.
 *
 * @param bounds what the metric can be: the interval does not leave it
 * @param replicates `(r)`, in any order; infinite and NaN ones are left out
 * @param level confidence level in (0, 1)
 * @throws CalibrantRangeError for a level outside (0, 1).
 * @returns NaN ends when the estimate is not finite, without replicates, or when less than half of them are numbers.
 */
export function centredInterval(
  estimate: number,
  replicates: Float64Array,
  level: number,
  bounds: Interval,
): Interval {
  checkLevel(level);
  if (!Number.isFinite(estimate) || replicates.length === 0) return NONE;
  let sum = 0;
  let n = 0;
  for (let i = 0; i < replicates.length; i += 1) {
    const value = replicates[i] as number;
    if (!Number.isFinite(value)) continue;
    sum += value;
    n += 1;
  }
  if (2 * n < replicates.length) return NONE;
  const shift = estimate - sum / n;
  const finite = n === replicates.length ? replicates : replicates.filter(Number.isFinite);
  const [low, high] = quantiles(finite, [(1 - level) / 2, (1 + level) / 2]) as unknown as [number, number];
  // The estimate itself is always inside, also where a skewed tail would leave it out by rounding.
  return {
    low: Math.max(bounds.low, Math.min(low + shift, estimate)),
    high: Math.min(bounds.high, Math.max(high + shift, estimate)),
  };
}
