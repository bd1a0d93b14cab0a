import { normalQuantile } from "../../src/math/normal-quantile.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";

/** The quantile grid of a Gaussian, (n): x_i = mean + sd·Φ⁻¹((i − ½)/n). */
export function gaussianGrid(n: number, mean: number, sd: number = 1): Float64Array {
  return Float64Array.from({ length: n }, (_value, i) => mean + sd * normalQuantile((i + 0.5) / n));
}

/** A source of standard normal numbers. */
export function seededGaussian(seed: number): () => number {
  const random = seededRandom(seed);
  return () => normalQuantile((Math.floor(random() * 2 ** 31) + 0.5) / 2 ** 31);
}

/** A random Gaussian sample, (n). */
export function gaussianSample(n: number, mean: number, seed: number): Float64Array {
  const gaussian = seededGaussian(seed);
  return Float64Array.from({ length: n }, () => mean + gaussian());
}
