import { logFactorial } from "./log-factorial.ts";

/**
 * One draw from the binomial distribution of `n` trials with success probability `p`.
 *
 * With n·min(p, 1 − p) below 10 by inversion from 0, else by transformed rejection with squeeze (BTRS, Hörmann 1993):
 * both draw from the exact distribution, up to the 32 bits of a uniform number and about 1e-7 of rounding in ln n! at
 * n = 1e7. Cost O(1) on average.
 *
 * @param n an integer, at least 0
 * @param p in [0, 1]; rounding outside is read as the nearer end
 * @param random uniform numbers in [0, 1), from `seededRandom`
 * @returns an integer in [0, n]
 */
export function sampleBinomial(n: number, p: number, random: () => number): number {
  if (n <= 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - sampleSmallP(n, 1 - p, random);
  return sampleSmallP(n, p, random);
}

/**
 * One draw of `n` items over cells with probabilities proportional to `weights`: the multinomial distribution, by a
 * binomial draw for each cell given the ones before. Empty cells use no random number.
 *
 * @param n items to draw, an integer, at least 0
 * @param weights `(k)`, not negative, not all 0
 * @param total the sum of `weights`
 * @param target `(k)`, overwritten with the drawn counts
 */
export function sampleMultinomial(
  n: number,
  weights: Float64Array,
  total: number,
  random: () => number,
  target: Float64Array,
): void {
  let items = n;
  let mass = total;
  let last = -1;
  for (let cell = 0; cell < weights.length; cell++) {
    const weight = weights[cell] as number;
    const drawn = weight > 0 ? sampleBinomial(items, weight / mass, random) : 0;
    target[cell] = drawn;
    items -= drawn;
    mass -= weight;
    if (weight > 0) last = cell;
  }
  // Rounding in `mass` may leave items over for the last cell.
  if (items > 0 && last >= 0) target[last] = (target[last] as number) + items;
}

function sampleSmallP(n: number, p: number, random: () => number): number {
  return n * p < 10 ? sampleByInversion(n, p, random) : sampleByRejection(n, p, random);
}

function sampleByInversion(n: number, p: number, random: () => number): number {
  const odds = p / (1 - p);
  const atZero = Math.exp(n * Math.log1p(-p));
  for (;;) {
    let u = random();
    let probability = atZero;
    for (let x = 0; x <= n && probability > 0; x++) {
      if (u < probability) return x;
      u -= probability;
      probability *= ((n - x) / (x + 1)) * odds;
    }
    // A uniform number in the rounding beyond the last probability: draw again.
  }
}

/** The constants are those of Hörmann, "The generation of binomial random variates" (1993), algorithm BTRS. */
function sampleByRejection(n: number, p: number, random: () => number): number {
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const center = n * p + 0.5;
  const squeeze = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * spread;
  const mode = Math.floor((n + 1) * p);
  const logOdds = Math.log(p / (1 - p));
  let atMode = Number.NaN;
  for (;;) {
    const u = random() - 0.5;
    const v = random();
    const distance = 0.5 - Math.abs(u);
    const x = Math.floor(((2 * a) / distance + b) * u + center);
    if (distance >= 0.07 && v <= squeeze) return x;
    if (!(x >= 0 && x <= n)) continue;
    if (Number.isNaN(atMode)) atMode = logFactorial(mode) + logFactorial(n - mode);
    const accepted = Math.log((v * alpha) / (a / (distance * distance) + b));
    if (accepted <= atMode - logFactorial(x) - logFactorial(n - x) + (x - mode) * logOdds) return x;
  }
}
