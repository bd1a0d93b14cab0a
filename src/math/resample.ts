/** Fills an array with how often each of its units was drawn in the next resample. */
export type Resampler = (multiplicities: Int32Array) => void;

/**
 * Draws bootstrap resamples as counts: `units` draws with replacement, each unit equally likely (the multinomial of
 * Efron 1979). The counts of a resample sum to `units`. Cost O(units) a resample, without allocation.
 *
 * @param units number of units, below 2^31
 * @param random uniform numbers in [0, 1), from `seededRandom`; one is used for each draw
 * @returns a function that overwrites its argument `(units)` with the counts of one more resample
 */
export function createResampler(units: number, random: () => number): Resampler {
  return (multiplicities) => {
    multiplicities.fill(0);
    for (let draw = 0; draw < units; draw++) {
      const unit = Math.trunc(random() * units);
      multiplicities[unit] = (multiplicities[unit] as number) + 1;
    }
  };
}
