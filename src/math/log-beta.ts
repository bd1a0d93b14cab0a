import { stirlingError } from "./stirling-error.ts";

/** `ln B(a, b)` for a, b > 0, to about 1e-15 relative of the larger of it and 1, at any size of the parameters. */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  const sum = a + b;
  const powers = small * Math.log(small / sum) + large * Math.log1p(-small / sum);
  const remainder = stirlingError(a) + stirlingError(b) - stirlingError(sum);
  return powers - 0.5 * Math.log((small / sum) * (large / (2 * Math.PI))) + remainder;
}
