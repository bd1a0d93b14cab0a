/** From here on the asymptotic series is exact to the last bit. */
const ASYMPTOTIC = 25;
/** Up to so many reciprocals are added one by one. */
const FEW = 32;

/**
 * `H(a + m) - H(a)`: the sum of `1 / (a + 1) … 1 / (a + m)`, for fractional arguments by the continuation
 * `ψ(a + m + 1) - ψ(a + 1)`. Accurate to about 1e-15 of `H(a + m)`, and for whole `m` to about 1e-15 of itself.
 *
 * Asymptotic series of the digamma function about the half (Abramowitz & Stegun 6.3.18, shifted), argument raised to 25
 * by the recurrence. Cost O(1).
 *
 * @param a in [0, ∞)
 * @param m in [0, ∞)
 */
export function harmonicDifference(a: number, m: number): number {
  if (m <= FEW && Number.isInteger(m)) {
    let sum = 0;
    for (let j = m; j >= 1; j--) sum += 1 / (a + j);
    return sum;
  }
  let low = a;
  let high = a + m;
  let sum = 0;
  for (; low < ASYMPTOTIC; low++) sum += 1 / (low + 1);
  for (; high < ASYMPTOTIC; high++) sum -= 1 / (high + 1);
  return sum + Math.log1p((high - low) / (low + 0.5)) + correction(high + 0.5) - correction(low + 0.5);
}

/** ψ(z + 1/2) - ln z for z > 25. */
function correction(z: number): number {
  const x = 1 / (z * z);
  return x * (1 / 24 - x * (7 / 960 - x * (31 / 8064 - x * (127 / 30720))));
}
