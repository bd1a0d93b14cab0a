import { betaTail, incompleteBeta } from "./incomplete-beta.ts";
import { logBeta } from "./log-beta.ts";
import { normalQuantile } from "./normal-quantile.ts";

/** Below this logarithm of x the leading term of the tail, x^a / (a B(a, b)), is the whole of it. */
const LEADING_ONLY = -690;

/** A tail probability to find the point of, on the side x ≤ 1/2. */
interface Question {
  readonly a: number;
  readonly b: number;
  readonly lower: boolean;
  /** Natural logarithm of the probability of the tail. */
  readonly log: number;
}

/**
 * Quantile of the beta distribution: the x in [0, 1] with I_x(a, b) = p, for a, b > 0. It is solved for the smaller
 * tail, on the logarithmic axis of the smaller of x and 1 - x, by Newton's iteration inside a bracket; the error is
 * about 1e-16 relative, times 1/a where a is small. A quantile below the smallest double is 0.
 *
 * 1 - x is accurate only to 1e-16 absolute; `betaQuantile(q, b, a)` is the 1 - x with upper tail q at full accuracy.
 * NaN for arguments out of range.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1 && a > 0 && b > 0 && a + b < Number.POSITIVE_INFINITY)) return Number.NaN;
  if (p === 0 || p === 1) return p;
  const lower = p <= incompleteBeta(a / (a + b), a, b).lower;
  const log = lower ? Math.log(p) : Math.log1p(-p);
  const half = incompleteBeta(0.5, a, b);
  const small = lower ? log <= half.logLower : log >= half.logUpper;
  return small ? solve({ a, b, lower, log }) : 1 - solve({ a: b, b: a, lower: !lower, log });
}

function solve(question: Question): number {
  const { a, b, lower, log } = question;
  const leading = (log + Math.log(a) + logBeta(a, b)) / a;
  if (lower && leading < LEADING_ONLY) return Math.exp(leading);
  const mean = a / (a + b);
  // (1-t)^(b-1) in the integral is between 1 and its value at the end of the bracket, which bounds a lower tail.
  const end = lower ? Math.min(mean, 0.5) : 0.5;
  const low = lower ? leading - Math.max(0, ((b - 1) / a) * Math.log1p(-end)) : Math.log(mean);
  const deviation = Math.sqrt((mean * (b / (a + b))) / (a + b + 1));
  const z = normalQuantile(Math.exp(log));
  const guess = mean + (lower ? z : -z) * deviation;
  const start = Math.min(Math.max(guess, Math.exp(low)), end);
  return newton(question, start, low, Math.log(end));
}

/** Newton's iteration on ln x, with bisection where it leads out of the bracket of logarithms. */
function newton({ a, b, lower, log }: Question, start: number, from: number, to: number): number {
  let low = from;
  let high = to;
  let x = start;
  let previous = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 200; round++) {
    const tail = betaTail(x, a, b, lower);
    const step = (log - tail.log) / tail.slope;
    const size = Math.abs(step);
    // Rounding alone may lead out of a bracket that has closed.
    if (size < 1e-16 || (size < 1e-9 && size >= previous / 4)) return x * Math.exp(step);
    const at = Math.log(x);
    if (step > 0) low = at;
    else high = at;
    const outside = !(at + step >= low && at + step <= high) && size > 1e-9;
    x = outside ? Math.exp((low + high) / 2) : x * Math.exp(step);
    previous = size;
  }
  return x;
}
