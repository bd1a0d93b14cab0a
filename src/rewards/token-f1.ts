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
  const left = asciiTokens(a);
  const right = left === null || left.length > MOST_COMPARED ? null : asciiTokens(b);
  if (left !== null && right !== null && right.length <= MOST_COMPARED)
    return f1(countInPlace(left, right), left.length, right.length);
  const leftWords = wordsOf(a);
  const rightWords = wordsOf(b);
  return f1(countByWord(leftWords, rightWords), leftWords.length, rightWords.length);
}

/** Up to so many tokens, comparing each with each costs less than a text and a map entry a token. */
const MOST_COMPARED = 64;

function f1(overlap: number, left: number, right: number): number {
  return left === 0 || right === 0 ? 0 : (2 * overlap) / (left + right);
}

function countByWord(left: readonly string[], right: readonly string[]): number {
  const unmatched = new Map<string, number>();
  for (const token of left) unmatched.set(token, (unmatched.get(token) ?? 0) + 1);
  let overlap = 0;
  for (const token of right) {
    const count = unmatched.get(token) ?? 0;
    if (count === 0) continue;
    unmatched.set(token, count - 1);
    overlap += 1;
  }
  return overlap;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** The tokens of an ASCII text where they stand: token i is `text[starts[i] … ends[i])`. */
interface AsciiTokens {
  readonly text: string;
  readonly starts: number[];
  readonly ends: number[];
  /** Equal for equal tokens, in any letter case; tokens with equal hashes are compared. */
  readonly hashes: number[];
  length: number;
}

/** Finds the tokens of a text without making a string of each; null when the text is not ASCII. */
function asciiTokens(text: string): AsciiTokens | null {
  const tokens: AsciiTokens = { text, starts: [], ends: [], hashes: [], length: 0 };
  let start = -1;
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return null;
    if (isTokenUnit(unit)) {
      if (start < 0) start = i;
      hash = (Math.imul(hash, 31) + lowerCase(unit)) | 0;
    } else if (start >= 0) {
      addToken(tokens, start, i, hash);
      start = -1;
      hash = 0;
    }
  }
  if (start >= 0) addToken(tokens, start, text.length, hash);
  return tokens;
}

function addToken(tokens: AsciiTokens, start: number, end: number, hash: number): void {
  tokens.starts.push(start);
  tokens.ends.push(end);
  tokens.hashes.push(hash);
  tokens.length += 1;
}

function isTokenUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95
  );
}

function lowerCase(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

/** The size of the largest one-to-one matching of equal tokens. */
function countInPlace(left: AsciiTokens, right: AsciiTokens): number {
  const used = new Uint8Array(left.length);
  let overlap = 0;
  for (let r = 0; r < right.length; r += 1) {
    for (let l = 0; l < left.length; l += 1) {
      if (left.hashes[l] !== right.hashes[r] || used[l] === 1 || !sameToken(left, l, right, r)) continue;
      used[l] = 1;
      overlap += 1;
      break;
    }
  }
  return overlap;
}

function sameToken(left: AsciiTokens, l: number, right: AsciiTokens, r: number): boolean {
  const from = left.starts[l] as number;
  const other = right.starts[r] as number;
  const length = (left.ends[l] as number) - from;
  if ((right.ends[r] as number) - other !== length) return false;
  for (let i = 0; i < length; i += 1) {
    const unit = lowerCase(left.text.charCodeAt(from + i));
    if (unit !== lowerCase(right.text.charCodeAt(other + i))) return false;
  }
  return true;
}
