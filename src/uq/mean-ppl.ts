/**
 * Factor by which perplexities are multiplied while they are summed. A power of two and PPL ≥ 1, so the scaling is
 * exact: the mean is bit for bit that of a plain left-to-right sum, and overflows only if it is itself too large.
 */
export const PPL_SCALE: number = 2 ** -64;

/** The mean of `n` perplexities whose sum was scaled by {@link PPL_SCALE}; NaN for none. */
export function meanOfScaled(scaledSum: number, n: number): number {
  return n === 0 ? Number.NaN : scaledSum / n / PPL_SCALE;
}
