import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";

/** How far a probability ratio may move, as distances from 1. */
export interface ClipOptions {
  /** Lower bound is 1 − low. Default 0.20. */
  readonly low?: number;
  /** Upper bound is 1 + high. Default 0.28: more room upwards keeps exploration alive. */
  readonly high?: number;
}

/** Clipped ratios and how often each bound held, over ratios that are not NaN. */
export interface ClippedRatios {
  /** `(n)`, each in [1 − low, 1 + high]; NaN stays NaN. */
  readonly ratio: Float64Array;
  /** Share of ratios below the lower bound, in [0, 1]; NaN for none. */
  readonly clippedLow: number;
  /** Share of ratios above the upper bound, in [0, 1]; NaN for none. */
  readonly clippedHigh: number;
}

/**
 * Clips probability ratios π/π_old to [1 − low, 1 + high] with bounds apart ("clip-higher" of DAPO, arXiv 2503.14476
 * §3.1; equal bounds are PPO's).
 *
 * @param ratio new over old probability of each token, `(n)`; NaN = missing
 * @throws CalibrantError `option` when low is not in [0, 1] or high is negative.
 *
 * @example
 * ```ts
 * import { clipRatio } from "calibrant/rewards";
 * console.log(clipRatio([0.5, 1, 1.5]).ratio); // Float64Array(3) [ 0.8, 1, 1.28 ]
 * ```
 */
export function clipRatio(ratio: NumericArray, options: ClipOptions = {}): ClippedRatios {
  const { low = 0.2, high = 0.28 } = options;
  if (!(low >= 0 && low <= 1))
    throw new CalibrantError("option", `low must be in [0, 1], got ${low}`, { low });
  if (!(high >= 0)) throw new CalibrantError("option", `high must be 0 or more, got ${high}`, { high });
  const clipped = new Float64Array(ratio.length);
  let below = 0;
  let above = 0;
  let present = 0;
  for (let i = 0; i < clipped.length; i++) {
    const value = ratio[i] as number;
    if (value < 1 - low) below += 1;
    if (value > 1 + high) above += 1;
    if (!Number.isNaN(value)) present += 1;
    clipped[i] = Math.min(Math.max(value, 1 - low), 1 + high);
  }
  return { ratio: clipped, clippedLow: below / present, clippedHigh: above / present };
}
