import { CalibrantError, CalibrantRangeError } from "../errors.ts";
import { betaQuantile } from "../math/beta-quantile.ts";
import { normalQuantile } from "../math/normal-quantile.ts";
import type { Interval } from "../types.ts";

/** How an interval of a share is made. */
export type ProportionMethod = "wilson" | "clopper-pearson" | "jeffreys" | "uniform";

/** The level of an interval. */
export interface LevelOptions {
  /** Probability that the interval covers, in (0, 1). Default 0.95. */
  readonly level?: number;
}

/** Which interval of a share, and its level. */
export interface ProportionOptions extends LevelOptions {
  /** Default `wilson`. */
  readonly method?: ProportionMethod;
}

/** The prior of a Beta posterior, and the level of its interval. */
export interface BetaPosteriorOptions extends LevelOptions {
  /** `uniform` = Beta(1, 1), the default; `jeffreys` = Beta(1/2, 1/2); or its two parameters, positive. */
  readonly prior?: "uniform" | "jeffreys" | readonly [number, number];
}

/** A share with an interval of its true value. */
export interface ProportionEstimate extends Interval {
  /** Successes / n, or the posterior mean; NaN without trials. */
  readonly mean: number;
  /** Why the numbers are NaN; null when they are not. */
  readonly reason: "empty" | null;
}

/** A Beta distribution of a share: its parameters, its mean and its equal-tailed interval. */
export interface BetaPosterior extends Interval {
  readonly mean: number;
  readonly alpha: number;
  readonly beta: number;
}

/**
 * The score interval of a share (Wilson 1927): the true shares that a two-sided z test at the level does not reject.
 * It covers close to its level at any n; the end is exactly 0 without successes and exactly 1 without failures.
 *
 * @param successes - in [0, n]; need not be whole, as sums of weights are not.
 * @param n - trials, 0 or more. Without trials all numbers are NaN and the reason is `empty`.
 * @throws CalibrantRangeError for counts or a level out of range.
 *
 * @example
 * ```ts
 * import { wilsonInterval } from "calibrant/metrics";
 * const { mean, low, high } = wilsonInterval(8, 10);
 * console.log(mean, low.toFixed(4), high.toFixed(4)); // 0.8 0.4902 0.9433
 * ```
 */
export function wilsonInterval(successes: number, n: number, options: LevelOptions = {}): ProportionEstimate {
  checkCounts(successes, n);
  const z = -normalQuantile(tailOf(options));
  if (n === 0) return EMPTY;
  const failures = n - successes;
  const spread = z * Math.sqrt(successes * (failures / n) + (z * z) / 4);
  const high = (successes + (z * z) / 2 + spread) / (n + z * z);
  // The ends multiply to this product; subtracting would leave rounding where the end is 0.
  const low = (successes * (successes / n)) / (n + z * z) / high;
  return { mean: successes / n, low, high: failures === 0 ? 1 : Math.min(high, 1), reason: null };
}

/**
 * The exact interval of a share (Clopper & Pearson 1934): covers with at least its level at any true share, so it is
 * wide at small n. The end is exactly 0 without successes and exactly 1 without failures.
 *
 * @param successes - a whole number in [0, n]: its guarantee is one about counts.
 * @param n - trials, a whole number. Without trials all numbers are NaN and the reason is `empty`.
 * @throws CalibrantError `data` for counts that are not whole, CalibrantRangeError for counts or a level out of range.
 *
 * @example
 * ```ts
 * import { clopperPearsonInterval } from "calibrant/metrics";
 * const { low, high } = clopperPearsonInterval(0, 10);
 * console.log(low, high.toFixed(4)); // 0 0.3085
 * ```
 */
export function clopperPearsonInterval(
  successes: number,
  n: number,
  options: LevelOptions = {},
): ProportionEstimate {
  checkCounts(successes, n);
  if (!Number.isInteger(successes) || !Number.isInteger(n)) {
    throw new CalibrantError(
      "data",
      `a Clopper-Pearson interval needs whole counts (use wilson for weighted ones), got ${successes} of ${n}`,
      { successes, n },
    );
  }
  const tail = tailOf(options);
  if (n === 0) return EMPTY;
  const failures = n - successes;
  return {
    mean: successes / n,
    low: successes === 0 ? 0 : betaQuantile(tail, successes, failures + 1),
    high: failures === 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
    reason: null,
  };
}

/**
 * The posterior of a share after `successes` of `n`: Beta(prior + successes, prior + failures), with its mean and
 * equal-tailed interval. Its ends are never 0 or 1. Without trials it is the prior.
 *
 * @param successes - in [0, n]; need not be whole, as sums of weights are not.
 * @param n - trials, 0 or more.
 * @throws CalibrantRangeError for counts, a prior or a level out of range, CalibrantError `option` for a prior of
 * another name.
 *
 * @example
 * ```ts
 * import { betaPosterior } from "calibrant/metrics";
 * const { mean, low, high } = betaPosterior(0, 10);
 * console.log(mean.toFixed(4), low.toFixed(4), high.toFixed(4)); // 0.0833 0.0023 0.2849
 * ```
 */
export function betaPosterior(
  successes: number,
  n: number,
  options: BetaPosteriorOptions = {},
): BetaPosterior {
  checkCounts(successes, n);
  const tail = tailOf(options);
  const [priorAlpha, priorBeta] = priorOf(options.prior ?? "uniform");
  const alpha = priorAlpha + successes;
  const beta = priorBeta + (n - successes);
  return {
    mean: alpha / (alpha + beta),
    low: betaQuantile(tail, alpha, beta),
    high: betaQuantile(1 - tail, alpha, beta),
    alpha,
    beta,
  };
}

/**
 * The quantile of a posterior: the share below which it has probability `p`. Accurate to about 1e-15 relative at
 * parameters of 1e7 and beyond as at small ones.
 *
 * @param p - in [0, 1]
 * @throws CalibrantRangeError for a `p` outside [0, 1] or parameters that are not positive.
 *
 * @example
 * ```ts
 * import { betaPosterior, betaPosteriorQuantile } from "calibrant/metrics";
 * console.log(betaPosteriorQuantile(betaPosterior(5e6, 1e7), 0.9).toFixed(6)); // 0.500203
 * ```
 */
export function betaPosteriorQuantile(
  posterior: { readonly alpha: number; readonly beta: number },
  p: number,
): number {
  if (!(p >= 0 && p <= 1)) throw outOfRange("p", "in [0, 1]", p);
  checkParameters(posterior.alpha, posterior.beta);
  return betaQuantile(p, posterior.alpha, posterior.beta);
}

/**
 * A share with an interval by the named method: `wilson` (the default), `clopper-pearson`, or the equal-tailed
 * interval of a posterior with the prior `jeffreys` or `uniform`, whose mean is then the posterior's.
 *
 * @throws CalibrantError `option` for another method, else as the function of the method does.
 *
 * @example
 * ```ts
 * import { proportionInterval } from "calibrant/metrics";
 * console.log(proportionInterval(0, 10, { method: "clopper-pearson" }).low); // 0
 * ```
 */
export function proportionInterval(
  successes: number,
  n: number,
  options: ProportionOptions = {},
): ProportionEstimate {
  const method = options.method ?? "wilson";
  if (method === "wilson") return wilsonInterval(successes, n, options);
  if (method === "clopper-pearson") return clopperPearsonInterval(successes, n, options);
  if (method !== "jeffreys" && method !== "uniform") {
    const known = "wilson, clopper-pearson, jeffreys or uniform";
    throw new CalibrantError("option", `method must be ${known}, got ${String(method)}`, { method });
  }
  const { mean, low, high } = betaPosterior(successes, n, { ...options, prior: method });
  return { mean, low, high, reason: null };
}

const EMPTY: ProportionEstimate = {
  mean: Number.NaN,
  low: Number.NaN,
  high: Number.NaN,
  reason: "empty",
};

function checkCounts(successes: number, n: number): void {
  if (!(n >= 0 && n < Number.POSITIVE_INFINITY)) throw outOfRange("n", "0 or more and finite", n);
  if (!(successes >= 0 && successes <= n)) throw outOfRange("successes", `in [0, n = ${n}]`, successes);
}

function checkParameters(alpha: number, beta: number): void {
  for (const [name, value] of Object.entries({ alpha, beta })) {
    if (!(value > 0 && value < Number.POSITIVE_INFINITY))
      throw outOfRange(name, "positive and finite", value);
  }
}

/** The probability left out at each end. */
function tailOf({ level = 0.95 }: LevelOptions): number {
  if (level > 0 && level < 1) return (1 - level) / 2;
  throw new CalibrantRangeError("option", `level must be in (0, 1), got ${level}`, { level });
}

function priorOf(prior: NonNullable<BetaPosteriorOptions["prior"]>): readonly [number, number] {
  if (prior === "uniform") return [1, 1];
  if (prior === "jeffreys") return [0.5, 0.5];
  if (typeof prior === "string") {
    throw new CalibrantError("option", `prior must be uniform, jeffreys or [alpha, beta], got ${prior}`, {
      prior,
    });
  }
  checkParameters(prior[0], prior[1]);
  return prior;
}

function outOfRange(name: string, expected: string, value: number): CalibrantRangeError {
  return new CalibrantRangeError("data", `${name} must be ${expected}, got ${value}`, { [name]: value });
}
