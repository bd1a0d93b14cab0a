/** Probabilities of the values from `low` on. */
export interface DiscretePmf {
  readonly low: number;
  readonly pmf: readonly number[];
}

/**
 * Pearson's chi-square of draws against exact probabilities, over its 99.9 % point (Wilson and Hilferty's approximation):
 * above 1 is suspicious. Values are taken together until 10 are expected; draws outside the window count with its ends.
 */
export function chiSquareRatio(draws: readonly number[], { low, pmf }: DiscretePmf): number {
  const observed = new Float64Array(pmf.length);
  for (const draw of draws) {
    const at = Math.min(Math.max(draw - low, 0), pmf.length - 1);
    observed[at] = (observed[at] as number) + 1;
  }
  let statistic = 0;
  let classes = 0;
  let expectedSum = 0;
  let observedSum = 0;
  let expectedLeft = draws.length;
  for (const [value, probability] of pmf.entries()) {
    expectedSum += probability * draws.length;
    observedSum += observed[value] as number;
    const isLast = value === pmf.length - 1;
    if (!isLast && (expectedSum < 10 || expectedLeft - expectedSum < 10)) continue;
    statistic += (observedSum - expectedSum) ** 2 / expectedSum;
    classes += 1;
    expectedLeft -= expectedSum;
    expectedSum = 0;
    observedSum = 0;
  }
  const k = Math.max(classes - 1, 1);
  return statistic / (k * (1 - 2 / (9 * k) + 3.09 * Math.sqrt(2 / (9 * k))) ** 3);
}
