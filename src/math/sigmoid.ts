/**
 * The logistic function `1 / (1 + e^-x)`, in [0, 1], without overflow on either side: exactly 0 at -Infinity and
 * 1 at Infinity, subnormal in the far left tail, NaN only for NaN.
 */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}
