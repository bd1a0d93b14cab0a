/**
 * F1 over the words of two texts, in [0, 1]: tokens are maximal runs of Unicode letters, digits and `_` in the
 * lower-cased text, overlap is counted as multisets, F1 = 2·overlap / (tokens of a + tokens of b). Symmetric;
 * 0 when a side has no token, even if both texts are the same.
 *
 * @example
 * ```ts
 * import { tokenF1 } from "calibrant/rewards";
 * console.log(tokenF1("Paris is the capital.", "The capital: Paris")); // 0.8571428571428571
 * ```
 */
export function tokenF1(a: string, b: string): number {
  if (a === b) return /[\p{L}\p{N}_]/u.test(a) ? 1 : 0;
  const left = tokensOf(a);
  const right = tokensOf(b);
  if (left.length === 0 || right.length === 0) return 0;
  const unmatched = new Map<string, number>();
  for (const token of left) unmatched.set(token, (unmatched.get(token) ?? 0) + 1);
  let overlap = 0;
  for (const token of right) {
    const count = unmatched.get(token) ?? 0;
    if (count === 0) continue;
    unmatched.set(token, count - 1);
    overlap += 1;
  }
  return (2 * overlap) / (left.length + right.length);
}

function tokensOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
