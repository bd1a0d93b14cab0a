/** How two samples differ in rank. */
export interface TwoSamples {
  /** P(b > a) + P(b = a) / 2 over all pairs, in [0, 1]: the Mann–Whitney U of `b` over `n_a · n_b`. */
  readonly auc: number;
  /** Largest distance of the two empirical distribution functions, in [0, 1]: the Kolmogorov–Smirnov statistic. */
  readonly ks: number;
}

/**
 * Compares two ascending samples `a` `(n_a)` and `b` `(n_b)` in one merge pass, O(n_a + n_b). Ties count one half
 * (midranks); infinities are ordinary values, -0 equals 0. Both numbers are NaN when either sample is empty. Pair
 * counts are exact up to 2^53, that is for samples of up to about 67 million each.
 *
 * @param a ascending, without NaN
 * @param b ascending, without NaN; may be of the other float width, since every float32 is a float64
 */
export function compareSorted(a: Float64Array | Float32Array, b: Float64Array | Float32Array): TwoSamples {
  const na = a.length;
  const nb = b.length;
  if (na === 0 || nb === 0) return { auc: Number.NaN, ks: Number.NaN };
  let i = 0;
  let j = 0;
  let halfPairs = 0;
  // Distances are kept over the denominator na · nb, exactly.
  let distance = 0;
  while (j < nb) {
    const value = b[j] as number;
    while (i < na && (a[i] as number) < value) i += 1;
    // Fa - Fb just below `value`, where a's lead is largest.
    distance = Math.max(distance, i * nb - j * na);
    let equal = i;
    while (equal < na && a[equal] === value) equal += 1;
    const first = j;
    while (j < nb && b[j] === value) j += 1;
    // Each b here beats the i smaller ones (2 halves) and ties with the equal ones (1 half).
    halfPairs += (j - first) * (i + equal);
    i = equal;
    distance = Math.max(distance, j * na - i * nb);
  }
  return { auc: halfPairs / (2 * na * nb), ks: distance / (na * nb) };
}
