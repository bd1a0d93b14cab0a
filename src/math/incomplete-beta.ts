import { gaussLegendre } from "./gauss-legendre.ts";
import { log1pExcess } from "./log1p-excess.ts";
import { stirlingError } from "./stirling-error.ts";

/** Both tails of a beta distribution at a point, and their natural logarithms, which do not underflow. */
export interface BetaTails {
  /** I_x(a, b) = P(X ≤ x). */
  readonly lower: number;
  /** I_{1-x}(b, a) = P(X > x). */
  readonly upper: number;
  readonly logLower: number;
  readonly logUpper: number;
}

/** One tail at a point. */
export interface BetaTail {
  /** Natural logarithm of the probability. */
  readonly log: number;
  /** The derivative of `log` by ln x. */
  readonly slope: number;
}

/** From this size of the smaller parameter on the integral is summed; below, the continued fraction is as fast. */
const LARGE = 1000;
const RULE = gaussLegendre(40);

/**
 * The regularised incomplete beta function at `x` in [0, 1] for a, b > 0, both tails. The smaller tail is computed
 * directly, to about 1e-13 relative from (1e-3, 1e-3) to (1e15, 1e15), also where it underflows as a number (then
 * its logarithm has that accuracy); the other is its complement. A caller with an accurate 1 - x asks for
 * `incompleteBeta(1 - x, b, a)` and swaps the tails. NaN for arguments out of range.
 *
 * The factor x^a (1-x)^b / B(a, b) is built from the deviance a ln(x₀/x) + b ln(y₀/(1-x)), x₀ = a/(a+b), and
 * Stirling remainders (Loader 2000), so that nothing cancels at large parameters. The other factor is the continued
 * fraction of DiDonato & Morris (1992, eq. 9); for parameters from 1000 up Gauss–Legendre quadrature of the density
 * relative to its value at x, whose cost does not grow.
 */
export function incompleteBeta(x: number, a: number, b: number): BetaTails {
  if (!(x >= 0 && x <= 1 && a > 0 && b > 0 && a + b < Number.POSITIVE_INFINITY))
    return tails(Number.NaN, true);
  if (x === 0 || x === 1) return tails(Number.NEGATIVE_INFINITY, x === 0);
  const lower = excess(x, a, b) >= 0;
  return tails(Math.min(betaTail(x, a, b, lower).log, 0), lower);
}

/** One tail alone, for `x` in (0, 1): the work of {@link incompleteBeta} for a caller who knows which tail is small. */
export function betaTail(x: number, a: number, b: number, lower: boolean): BetaTail {
  const lambda = excess(x, a, b);
  if (lower) return logTail(x, 1 - x, a, b, lambda);
  const { log, slope } = logTail(1 - x, x, b, a, -lambda);
  return { log, slope: (-slope * x) / (1 - x) };
}

function tails(log: number, lower: boolean): BetaTails {
  const value = Math.exp(log);
  const other = 0 - Math.expm1(log);
  const logOther = log > -Math.LN2 ? Math.log(other) : Math.log1p(-value);
  return lower
    ? { lower: value, upper: other, logLower: log, logUpper: logOther }
    : { lower: other, upper: value, logLower: logOther, logUpper: log };
}

/** `a - (a + b) x` with the rounding errors of the sum and of the product taken out (Dekker 1971). */
function excess(x: number, a: number, b: number): number {
  const sum = a + b;
  const part = sum - a;
  const sumError = a - (sum - part) + (b - part);
  const product = sum * x;
  const [sumHigh, sumLow] = split(sum);
  const [xHigh, xLow] = split(x);
  const productError = sumHigh * xHigh - product + sumHigh * xLow + sumLow * xHigh + sumLow * xLow;
  return a - product - productError - sumError * x;
}

/** Two halves of a double with at most 26 bits each. */
function split(value: number): readonly [number, number] {
  const scaled = 134217729 * value;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

/** The lower tail, best at or below the mean, with y = 1 - x and lambda = a y - b x. */
function logTail(x: number, y: number, a: number, b: number, lambda: number): BetaTail {
  const factor =
    Math.min(a, b) >= LARGE ? integral(x, y, a, b, lambda) / (x * y) : fraction(x, y, a, b, lambda);
  return { log: logPowers(x, y, a, b, lambda) + Math.log(factor), slope: 1 / (factor * y) };
}

/** ln of x^a y^b / B(a, b). */
function logPowers(x: number, y: number, a: number, b: number, lambda: number): number {
  const sum = a + b;
  const deviance = a * log1pExcess(-lambda / a, x * (sum / a)) + b * log1pExcess(lambda / b, y * (sum / b));
  const remainder = stirlingError(sum) - stirlingError(a) - stirlingError(b);
  return 0.5 * Math.log((a / sum) * (b / (2 * Math.PI))) + remainder - deviance;
}

/** The factor of x^a y^b / B(a, b) in I_x(a, b): a continued fraction, by the modified Lentz algorithm. */
function fraction(x: number, y: number, a: number, b: number, lambda: number): number {
  let value = (a * (lambda + 1)) / (a + 1);
  let c = value;
  let d = 0;
  let delta = 0;
  for (let n = 1; Math.abs(delta - 1) > 2e-16 && n < 100_000; n++) {
    const odd = a + 2 * n - 1;
    const top = (((a + n - 1) * (a + b + n - 1)) / odd) * ((n * (b - n)) / odd) * x * x;
    const bottom = n + (n * (b - n) * x) / odd + ((a + n) * (lambda + 1 + n * (1 + y))) / (odd + 2);
    d = 1 / (bottom + top * d);
    c = bottom + top / c;
    delta = c * d;
    value *= delta;
  }
  return 1 / value;
}

/** ∫ density(t) dt over t in [0, x], divided by density(x): the integrand is close to a Gaussian's flank. */
function integral(x: number, y: number, a: number, b: number, lambda: number): number {
  const slope = (lambda + x - y) / (x * y);
  const curvature = (a - 1) / (x * x) + (b - 1) / (y * y);
  // Where the exponent has fallen to about -40.
  const length = Math.min(x, 80 / (slope + Math.sqrt(slope * slope + 80 * curvature)));
  let sum = 0;
  for (let i = 0; i < RULE.nodes.length; i++) {
    const u = length * (RULE.nodes[i] as number);
    const bend = (a - 1) * log1pExcess(-u / x) + (b - 1) * log1pExcess(u / y);
    sum += (RULE.weights[i] as number) * Math.exp(-bend - u * slope);
  }
  return length * sum;
}
