/** The part of a binomial distribution that is not negligible. */
export interface BinomialWindow {
  /** Number of successes that `probability[0]` belongs to. */
  readonly first: number;
  /** Probabilities of `first`, `first + 1`, …; they sum to 1. */
  readonly probability: Float64Array;
}

/** Probabilities below this share of the largest are left out: less than 1e-15 in all for any n up to 1e12. */
const NEGLIGIBLE = 1e-22;

/**
 * The binomial distribution of n trials, from its mode outwards by the ratio of neighbours, P(k + 1)/P(k) =
 * (n − k)/(k + 1) · p/(1 − p), and normalised by its sum: no log-gamma is lost to cancellation at large n.
 * Cost O(sqrt(n·p·(1 − p))).
 *
 * @param n number of trials, an integer from 0
 * @param p chance of success, in [0, 1]
 */
export function binomialWindow(n: number, p: number): BinomialWindow {
  if (p === 0 || p === 1) return { first: p * n, probability: Float64Array.of(1) };
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  const below: number[] = [];
  for (let k = mode, mass = 1; k > 0; k--) {
    mass *= k / (n - k + 1) / odds;
    if (mass < NEGLIGIBLE) break;
    below.push(mass);
  }
  const above: number[] = [];
  for (let k = mode, mass = 1; k < n; k++) {
    mass *= ((n - k) / (k + 1)) * odds;
    if (mass < NEGLIGIBLE) break;
    above.push(mass);
  }
  const probability = Float64Array.from([...below.reverse(), 1, ...above]);
  const total = probability.reduce((sum, mass) => sum + mass, 0);
  return { first: mode - below.length, probability: probability.map((mass) => mass / total) };
}

/** The smallest number of successes k with P(K ≤ k) ≥ `level`; the last of the window when rounding keeps all below it. */
export function binomialQuantile(window: BinomialWindow, level: number): number {
  const { first, probability } = window;
  let below = 0;
  for (let i = 0; i < probability.length; i++) {
    below += probability[i] as number;
    if (below >= level) return first + i;
  }
  return first + probability.length - 1;
}
