/**
 * `w - ln(1 + w)` for w ≥ -1, at full relative accuracy: no digits are lost to cancellation near 0, where it is
 * w²/2 - w³/3 + … . Infinity at -1.
 *
 * @param ratio - 1 + w, when the caller has it more accurately than the sum.
 */
export function log1pExcess(w: number, ratio: number = 1 + w): number {
  if (w < -0.5 || w > 1) return w - Math.log(ratio);
  // ln(1 + w) = 2 artanh(r) with r = w / (2 + w), and w - 2r = w r.
  const r = w / (2 + w);
  const square = r * r;
  let sum = 0;
  let power = 1;
  for (let k = 3; power > 1e-17; k += 2) {
    sum += power / k;
    power *= square;
  }
  return r * (w - 2 * square * sum);
}
