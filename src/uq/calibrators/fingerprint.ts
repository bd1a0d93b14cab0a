import type { NumericArray } from "../../types.ts";

/**
 * A 64-bit hash, as 16 hexadecimal digits, of rows of `width` values and a label each, in any row order: two sums
 * over the rows of a mixed hash of the row's bits. For telling data apart, not for security. Cost O(n).
 *
 * @param values row-major, `(n · width)`; storage types do not matter, -0 counts as 0
 * @param labels `(n)`
 */
export function fingerprintRows(values: NumericArray, labels: NumericArray, width: number = 1): string {
  const word = new Float64Array(1);
  const halves = new Uint32Array(word.buffer);
  let first = 0;
  let second = 0;
  for (let row = 0, at = 0; row < labels.length; row++) {
    let hash = mixed((labels[row] as number) + 1);
    let other = ~hash;
    for (let j = 0; j < width; j++, at++) {
      word[0] = (values[at] as number) + 0;
      hash = mixed(Math.imul(hash, 31) ^ (halves[0] as number));
      hash = mixed(Math.imul(hash, 31) ^ (halves[1] as number));
      other = mixed(Math.imul(other, 0x01000193) ^ hash ^ (halves[1] as number));
    }
    first = (first + hash) | 0;
    second = (second + other) | 0;
  }
  return hex(first) + hex(second);
}

/** The finalizer of MurmurHash3 (A. Appleby): every bit of the input moves every bit of the result. */
export function mixed(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
