import type { Interval } from "../types.ts";
import { normalCdf } from "./normal-cdf.ts";
import { normalQuantile } from "./normal-quantile.ts";
import { quantiles } from "./quantile.ts";

/**
 * The bias-corrected and accelerated interval of bootstrap replicates (Efron 1987; Efron & Tibshirani 1993,
 * eqs. 14.9 to 14.15): type-7 quantiles at levels moved by the median bias of the replicates (ties counted half, as
 * scipy.stats.bootstrap does) and by the skewness of the jackknife values. NaN values are left out. Both ends are NaN without
 * replicates, and when all of them lie on one side of the value.
 *
 * @param replicates `(r)`, in any order
 * @param value the statistic of the data
 * @param jackknife `(units)`: the statistic without each unit
 * @param level confidence level in (0, 1)
 */
export function bcaInterval(
  replicates: Float64Array,
  value: number,
  jackknife: Float64Array,
  level: number,
): Interval {
  const bias = normalQuantile(shareBelow(replicates, value));
  const acceleration = skewness(jackknife);
  const moved = (probability: number): number => {
    const z = bias + normalQuantile(probability);
    return normalCdf(bias + z / (1 - acceleration * z));
  };
  const ends = quantiles(replicates, [moved((1 - level) / 2), moved((1 + level) / 2)]);
  return Number.isFinite(bias)
    ? { low: ends[0] as number, high: ends[1] as number }
    : { low: Number.NaN, high: Number.NaN };
}

function shareBelow(replicates: Float64Array, value: number): number {
  let below = 0;
  let defined = 0;
  for (const replicate of replicates) {
    if (Number.isNaN(replicate)) continue;
    defined++;
    if (replicate < value) below++;
    else if (replicate === value) below += 0.5;
  }
  return below / defined;
}

/** Σd³ / (6 (Σd²)^1.5) with d the mean minus each value; 0 when all values are equal. */
function skewness(jackknife: Float64Array): number {
  const values = jackknife.filter((value) => !Number.isNaN(value));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let squares = 0;
  let cubes = 0;
  for (const value of values) {
    const d = mean - value;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}
