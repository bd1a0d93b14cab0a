import { polynomial } from "./polynomial.ts";

/** B_2k / (2k (2k - 1)) for k = 7 … 1: the coefficients of Stirling's series, last one first. */
const SERIES = [1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12] as const;

/**
 * What Stirling's formula leaves over: `ln Γ(x) - ((x - 1/2) ln x - x + ln(2π)/2)`, for x > 0, to about 1e-16
 * absolute. Positive, falling from infinity at 0 to 1/(12x) for large x. Gamma functions of large arguments combine
 * without loss of digits when only this part of them is added up. Source: DLMF 5.11.1, with the recurrence
 * Γ(x + 1) = x Γ(x) below 16.
 */
export function stirlingError(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 16) {
    shift += (z + 0.5) * Math.log1p(1 / z) - 1;
    z += 1;
  }
  const inverse = 1 / (z * z);
  return shift + polynomial(SERIES, inverse) / z;
}
