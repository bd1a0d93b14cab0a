const HALF_LOG_TWO_PI = 0.9189385332046728;

/**
 * ln n! for integers n >= 0, to about one unit in the last place of the result: the logarithm of the product below 16,
 * from there Stirling's series with five terms (Abramowitz & Stegun 6.1.41).
 *
 * @param n an integer, at least 0
 */
export function logFactorial(n: number): number {
  if (n < 16) return Math.log(smallFactorial(n));
  const inverse = 1 / n;
  const square = inverse * inverse;
  const series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)));
  return (n + 0.5) * Math.log(n) - n + HALF_LOG_TWO_PI + inverse * series;
}

function smallFactorial(n: number): number {
  let product = 1;
  for (let k = 2; k <= n; k++) product *= k;
  return product;
}
