import { type BinomialWindow, binomialWindow } from "../math/binomial-window.ts";
import { seededRandom } from "../math/seeded-random.ts";
import type { BinSums } from "./confidence-bins.ts";

/**
 * What the correct rows of a bin would look like if every confidence in it were exact.
 *
 * Their number is a sum of unequal coins (Poisson-binomial) with the mean Σp and the variance Σp(1 − p). It is taken as
 * the binomial of as many rows at the mean confidence, its deviations stretched so that the variance is exact: the
 * truth itself when the confidences of the bin are equal, close to it when they lie in one narrow bin, and the normal
 * law at large n. Fractional counts are rounded for the binomial, the variance stays exact.
 */
export interface BinNull {
  readonly trials: number;
  /** Mean confidence, the expected share of correct rows. */
  readonly mean: number;
  /** What a deviation of the binomial share from `mean` is multiplied by. */
  readonly stretch: number;
  readonly window: BinomialWindow;
}

/** The {@link BinNull} of bin `k`; null when the bin is empty. */
export function binNull(sums: BinSums, k: number): BinNull | null {
  const count = sums.count[k] as number;
  if (!(count > 0)) return null;
  const mean = Math.min(1, (sums.confidence[k] as number) / count);
  const trials = Math.max(1, Math.round(count));
  const binomialVariance = (mean * (1 - mean)) / trials;
  // Weights count rows; a bin of less than one row varies as one row does.
  const variance = (sums.variance[k] as number) / count / trials;
  return {
    trials,
    mean,
    stretch: binomialVariance > 0 ? Math.sqrt(variance / binomialVariance) : 0,
    window: binomialWindow(trials, mean),
  };
}

/** The expected absolute distance of the share of correct rows from the mean confidence. */
export function meanDeviation(bin: BinNull): number {
  const { first, probability } = bin.window;
  let deviation = 0;
  for (let i = 0; i < probability.length; i++) {
    deviation += (probability[i] as number) * Math.abs((first + i) / bin.trials - bin.mean);
  }
  return deviation * bin.stretch;
}

/**
 * Draws calibration errors of a model whose confidences are exact and returns their mean: every draw replaces the correct
 * rows of every bin by a random number of its {@link BinNull}.
 *
 * @param error the statistic, from sums whose `correct` was drawn
 * @param draws number of draws; NaN when 0
 */
export function drawnNullMean(
  sums: BinSums,
  error: (sums: BinSums) => number,
  draws: number,
  seed: number,
): number {
  const random = seededRandom(seed);
  const bins = Array.from(sums.count, (_, k) => binSampler(binNull(sums, k)));
  const drawn: BinSums = { ...sums, correct: new Float64Array(bins.length) };
  let total = 0;
  for (let draw = 0; draw < draws; draw++) {
    for (let k = 0; k < bins.length; k++) {
      const share = (bins[k] as (random: () => number) => number)(random);
      drawn.correct[k] = share * (sums.count[k] as number);
    }
    total += error(drawn);
  }
  return total / draws;
}

/** Draws shares of correct rows by inverting the binomial's distribution function. */
function binSampler(bin: BinNull | null): (random: () => number) => number {
  if (bin === null) return () => 0;
  const { first, probability } = bin.window;
  const upTo = new Float64Array(probability.length);
  let below = 0;
  for (let i = 0; i < probability.length; i++) {
    below += probability[i] as number;
    upTo[i] = below;
  }
  return (random) => {
    const level = random();
    let low = 0;
    let high = upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((upTo[middle] as number) > level) high = middle;
      else low = middle + 1;
    }
    return bin.mean + ((first + low) / bin.trials - bin.mean) * bin.stretch;
  };
}
