/** 0 and two round values of 1, 2 or 5 times a power of ten for a square-root axis that ends at `most`, as 0, 50, 200. */
export function roundTicks(most: number): number[] {
  if (!(most > 0)) return [0];
  const high = roundBelow(most);
  const low = roundBelow(high / 4);
  return low >= 1 ? [0, low, high] : [0, high];
}

function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [5, 2, 1].find((one) => one * power <= value * (1 + 1e-12)) ?? 1;
  return digit * power;
}
