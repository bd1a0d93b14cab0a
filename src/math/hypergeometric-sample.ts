import { logFactorial } from "./log-factorial.ts";

/**
 * One draw from the hypergeometric distribution: how many of the `marked` items are among `draws` items taken without
 * replacement from `total`.
 *
 * Inversion from the mode outwards, so the cost is O(standard deviation). Exact up to the 32 bits of a uniform number
 * and about 1e-7 of rounding in ln n! at 1e7 items.
 *
 * @param total items, an integer
 * @param marked in [0, total]
 * @param draws in [0, total]
 * @param random uniform numbers in [0, 1), from `seededRandom`
 * @returns an integer in [max(0, draws + marked − total), min(draws, marked)]
 */
export function sampleHypergeometric(
  total: number,
  marked: number,
  draws: number,
  random: () => number,
): number {
  const least = Math.max(0, draws + marked - total);
  const most = Math.min(draws, marked);
  if (least >= most) return least;
  const mode = Math.min(Math.max(Math.floor(((draws + 1) * (marked + 1)) / (total + 2)), least), most);
  const atMode = Math.exp(logProbability(mode, total, marked, draws));
  for (;;) {
    const x = walkFromMode(random(), {
      least,
      most,
      mode,
      atMode,
      marked,
      draws,
      rest: total - marked - draws,
    });
    // A uniform number in the rounding beyond the last probability: draw again.
    if (x >= 0) return x;
  }
}

/**
 * Splits items of several kinds at random: `draws` items are taken without replacement from `counts` (the multivariate
 * hypergeometric distribution, which is what permuted labels give each kind). One draw a kind, given those before.
 *
 * @param counts `(k)`, integers, not negative
 * @param draws in [0, sum of `counts`]
 * @param target `(k)`, overwritten with how many of each kind were taken
 */
export function sampleWithoutReplacement(
  counts: Float64Array,
  draws: number,
  random: () => number,
  target: Float64Array,
): void {
  let total = 0;
  for (let kind = 0; kind < counts.length; kind++) total += counts[kind] as number;
  let left = draws;
  for (let kind = 0; kind < counts.length; kind++) {
    const count = counts[kind] as number;
    const taken = sampleHypergeometric(total, count, left, random);
    target[kind] = taken;
    left -= taken;
    total -= count;
  }
}

interface Walk {
  readonly least: number;
  readonly most: number;
  readonly mode: number;
  readonly atMode: number;
  readonly marked: number;
  readonly draws: number;
  readonly rest: number;
}

/** Spends `u` on the probabilities of mode, mode + 1, mode − 1, mode + 2, …; -1 when they are used up first. */
function walkFromMode(u: number, walk: Walk): number {
  const { least, most, mode, atMode, marked, draws, rest } = walk;
  let left = u - atMode;
  if (left < 0) return mode;
  let up = mode;
  let down = mode;
  let upper = atMode;
  let lower = atMode;
  while ((up < most && upper > 0) || (down > least && lower > 0)) {
    if (up < most) {
      upper *= ((marked - up) * (draws - up)) / ((up + 1) * (rest + up + 1));
      up += 1;
      left -= upper;
      if (left < 0) return up;
    }
    if (down > least) {
      lower *= (down * (rest + down)) / ((marked - down + 1) * (draws - down + 1));
      down -= 1;
      left -= lower;
      if (left < 0) return down;
    }
  }
  return -1;
}

function logProbability(x: number, total: number, marked: number, draws: number): number {
  return logChoose(marked, x) + logChoose(total - marked, draws - x) - logChoose(total, draws);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}
