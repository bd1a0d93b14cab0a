/**
 * The margin of one sample, `pplNeg − pplGt`, unrounded; 0 if either is null, NaN or infinite. ±Infinity if the difference
 * of two finite perplexities overflows.
 */
export function releasedMargin(pplGt: number | null, pplNeg: number | null): number {
  if (pplGt === null || pplNeg === null) return 0;
  return Number.isFinite(pplGt) && Number.isFinite(pplNeg) ? pplNeg - pplGt : 0;
}

/**
 * The certainty of a margin, in [0, 1], unrounded: σ(margin / max(1e-6, tau)), exactly 1 from a quotient of 30 up and 0 from
 * −30 down.
 *
 * @param tau a finite number
 */
export function releasedCertainty(margin: number, tau: number): number {
  const x = margin / Math.max(1e-6, tau);
  if (x >= 30) return 1;
  return x <= -30 ? 0 : 1 / (1 + Math.exp(-x));
}
