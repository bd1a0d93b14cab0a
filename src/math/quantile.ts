/**
 * Quantiles of `values` by linear interpolation between order statistics (type 7 of Hyndman & Fan 1996, the
 * default of numpy and R): position `(n - 1)·p` in the sorted values.
 *
 * NaN values are left out; with none left every quantile is NaN. Infinities are legal and sort to the ends. The
 * argument is not changed. Cost O(n log n), once for all probabilities.
 *
 * @param values `(n)`
 * @param probabilities `(k)`, each in [0, 1]; others give NaN
 * @returns `(k)`, in the order of `probabilities`
 */
export function quantiles(values: Float64Array, probabilities: readonly number[]): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  return Float64Array.from(probabilities, (p) => quantileOfSorted(sorted, p));
}

/** The type-7 quantile of ascending values without NaN; NaN when there are none or `p` is outside [0, 1]. */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  if (sorted.length === 0 || !(p >= 0 && p <= 1)) return Number.NaN;
  const position = (sorted.length - 1) * p;
  const index = Math.floor(position);
  const low = sorted[index] as number;
  const fraction = position - index;
  if (fraction === 0) return low;
  const high = sorted[index + 1] as number;
  // Equal infinities would subtract to NaN.
  return low === high ? low : low + (high - low) * fraction;
}
