import { CalibrantError } from "../errors.ts";
import { bcaInterval } from "../math/bca-interval.ts";
import { isBeyondNoise } from "../math/beyond-noise.ts";
import { checkCount } from "../math/check-count.ts";
import { checkLevel, percentileInterval } from "../math/percentile-interval.ts";
import { seededRandom } from "../math/seeded-random.ts";
import type { Interval, NumericArray } from "../types.ts";
import { createRowResampler, type ResamplingUnits, resamplingUnits } from "./resampling-units.ts";

/**
 * A number computed from some rows: their indices, with repetitions. It must not depend on their order. The array is
 * overwritten by the next resample: copy what is to be kept.
 */
export type RowStatistic = (rows: Int32Array) => number;

/** How replicates become an interval. */
export type BootstrapMethod = "percentile" | "basic" | "bca";

/** Options of {@link bootstrap} and {@link pairedBootstrap}. */
export interface BootstrapOptions {
  /** Number of resamples, from 1. Default 1000. */
  readonly resamples?: number;
  /** Confidence level in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Default 0. */
  readonly seed?: number;
  /** `(n)` codes: rows with the same code are drawn together. Default: every row alone. */
  readonly clusters?: NumericArray;
  /**
   * `percentile`: type-7 quantiles of the replicates; `basic`: these mirrored at the value; `bca`: bias-corrected and
   * accelerated, at the cost of one more evaluation for each unit. Default `percentile`.
   */
  readonly method?: BootstrapMethod;
}

/** What {@link bootstrap} returns. */
export interface BootstrapResult extends Interval {
  /** The statistic of all rows. */
  readonly value: number;
  /** The statistic of every resample, `(resamples)`, in order of drawing. */
  readonly replicates: Float64Array;
  /** Replicates that are NaN; interval and standard error rest on the others. */
  readonly undefinedReplicates: number;
  /** Standard deviation of the replicates (divisor n − 1); NaN with fewer than two. */
  readonly standardError: number;
}

/**
 * Bootstrap interval of a statistic of rows (Efron & Tibshirani 1993, chapters 13 and 14): n rows, or all clusters, are drawn
 * with replacement. The same seed gives the same numbers. Cost: `resamples` evaluations.
 *
 * @param statistic of row indices; NaN where it is not defined
 * @param n number of rows; with none the statistic is that of no rows
 * @throws CalibrantRangeError for a level outside (0, 1).
 * @throws CalibrantError `option` for another bad option, `length-mismatch` for clusters.
 *
 * @example
 * ```ts
 * import { bootstrap } from "calibrant/metrics";
 * const correct = [1, 1, 0, 1, 1, 0, 1, 1];
 * const accuracy = (rows: Int32Array) => rows.reduce((sum, row) => sum + (correct[row] as number), 0) / rows.length;
 * const { value, low, high } = bootstrap(accuracy, correct.length, { seed: 7 });
 * console.log(value, low <= value && value <= high); // 0.75 true
 * ```
 */
export function bootstrap(
  statistic: RowStatistic,
  n: number,
  options: BootstrapOptions = {},
): BootstrapResult {
  const { resamples = 1000, level = 0.95, seed = 0, clusters, method = "percentile" } = options;
  checkCount("n", n);
  checkCount("resamples", resamples, 1);
  checkLevel(level);
  checkMethod(method);
  const units = resamplingUnits(n, clusters);
  const value = statistic(units.rows.slice().sort());
  const draw = createRowResampler(units, seededRandom(seed));
  const replicates = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) replicates[r] = statistic(draw());
  const { undefined: undefinedReplicates, ...percentile } = percentileInterval(replicates, level);
  let interval: Interval = percentile;
  if (method === "basic") interval = { low: 2 * value - percentile.high, high: 2 * value - percentile.low };
  if (method === "bca") interval = bcaInterval(replicates, value, jackknife(statistic, units), level);
  return { value, ...interval, replicates, undefinedReplicates, standardError: deviation(replicates) };
}

/** What {@link pairedBootstrap} returns: the interval is that of the difference. */
export interface PairedBootstrapResult extends Interval {
  /** The first statistic of all rows. */
  readonly baseline: number;
  /** The second statistic of all rows. */
  readonly candidate: number;
  /** candidate − baseline. */
  readonly difference: number;
  /** The difference in every resample, `(resamples)`. */
  readonly replicates: Float64Array;
  readonly undefinedReplicates: number;
  readonly standardError: number;
  /** True when the interval leaves out 0 by more than rounding and rests on 10 rows (or clusters) or more. */
  readonly beyondNoise: boolean;
}

/**
 * Bootstrap interval of the difference of two statistics over the same rows (or clusters, as prompts): every resample is used
 * for both, so what they have in common cancels. Parameters and errors as {@link bootstrap}.
 *
 * @param baseline statistic of row indices
 * @param candidate statistic of the same row indices
 *
 * @example
 * ```ts
 * import { pairedBootstrap } from "calibrant/metrics";
 * const [before, after] = [[0, 0, 1, 0, 1, 0, 0, 1, 0, 0], [1, 1, 1, 1, 1, 0, 1, 1, 1, 0]];
 * const mean = (values: number[]) => (rows: Int32Array) =>
 *   rows.reduce((sum, row) => sum + (values[row] as number), 0) / rows.length;
 * const { difference, beyondNoise } = pairedBootstrap(mean(before), mean(after), 10);
 * console.log(difference.toFixed(2), beyondNoise); // 0.50 true
 * ```
 */
export function pairedBootstrap(
  baseline: RowStatistic,
  candidate: RowStatistic,
  n: number,
  options: BootstrapOptions = {},
): PairedBootstrapResult {
  const { value, ...result } = bootstrap((rows) => candidate(rows) - baseline(rows), n, options);
  const all = Int32Array.from({ length: n }, (_, i) => i);
  const numbers = { baseline: baseline(all), candidate: candidate(all) };
  const { low, high } = result;
  const units = resamplingUnits(n, options.clusters).count;
  const beyondNoise = isBeyondNoise({ ...numbers, low, high, units }) === true;
  return { ...numbers, difference: value, ...result, beyondNoise };
}

/** The statistic of all rows but those of one unit, for every unit. */
function jackknife(statistic: RowStatistic, units: ResamplingUnits): Float64Array {
  const { count, rows, offsets } = units;
  return Float64Array.from({ length: count }, (_, unit) => {
    const start = offsets[unit] as number;
    const end = offsets[unit + 1] as number;
    const kept = new Int32Array(rows.length - (end - start));
    kept.set(rows.subarray(0, start));
    kept.set(rows.subarray(end), start);
    return statistic(kept);
  });
}

function deviation(replicates: Float64Array): number {
  const defined = replicates.filter((value) => !Number.isNaN(value));
  const mean = defined.reduce((sum, value) => sum + value, 0) / defined.length;
  const squares = defined.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return defined.length < 2 ? Number.NaN : Math.sqrt(squares / (defined.length - 1));
}

function checkMethod(method: string): void {
  if (method === "percentile" || method === "basic" || method === "bca") return;
  const message = `method must be "percentile", "basic" or "bca", got ${JSON.stringify(method)}`;
  throw new CalibrantError("option", message, { method });
}
