import { CalibrantError, CalibrantRangeError } from "../errors.ts";
import { BLOCK_ROWS, float64Block } from "../math/float64-block.ts";
import type { BinaryLabels, NumericArray } from "../types.ts";

/**
 * Checks that an array has `n` rows.
 *
 * @param name what the array is, `than` what it is compared with, for the message
 * @throws CalibrantError `length-mismatch`.
 */
export function checkLength(name: string, array: ArrayLike<unknown>, than: string, n: number): void {
  if (array.length === n) return;
  const message = `${name} must have as many rows as ${than} (${n}), got ${array.length}`;
  throw new CalibrantError("length-mismatch", message, { [than]: n, [name]: array.length });
}

/**
 * `values` `(n)` as floats: float arrays as they are, others as a float64 copy; null becomes NaN.
 *
 * @throws CalibrantRangeError for a NaN score, naming its index: it has no place in an order.
 */
export function checkedScores(name: string, values: NumericArray): Float64Array | Float32Array {
  const floats =
    values instanceof Float32Array
      ? values
      : float64Block(values, 0, values.length, scratchFor(values, values.length));
  for (let i = 0; i < floats.length; i++) {
    if (!Number.isNaN(floats[i] as number)) continue;
    throw new CalibrantRangeError("data", `${name}[${i}] must be a number, leave the row out: got NaN`, {
      index: i,
    });
  }
  return floats;
}

/**
 * `labels` `(n)` as bytes 0 and 1; a Uint8Array is not copied.
 *
 * @throws CalibrantError `data` for any other value, naming its index.
 */
export function checkedLabels(name: string, labels: BinaryLabels): Uint8Array {
  const n = labels.length;
  if (labels instanceof Uint8Array) {
    for (let i = 0; i < n; i++) if ((labels[i] as number) > 1) throwBadLabel(name, i, labels[i]);
    return labels;
  }
  const bytes = new Uint8Array(n);
  const scratch = scratchFor(labels, BLOCK_ROWS);
  for (let start = 0; start < n; start += BLOCK_ROWS) {
    const block = float64Block(labels, start, Math.min(n, start + BLOCK_ROWS), scratch);
    for (let i = 0; i < block.length; i++) {
      const label = block[i] as number;
      if (label * (1 - label) !== 0) throwBadLabel(name, start + i, labels[start + i]);
      bytes[start + i] = label;
    }
  }
  return bytes;
}

/**
 * `weights` `(n)` as float64, a Float64Array not copied; null where there are none.
 *
 * @throws CalibrantRangeError for a weight that is negative or not finite; CalibrantError `length-mismatch`.
 */
export function checkedWeights(
  weights: NumericArray | undefined,
  than: string,
  n: number,
): Float64Array | null {
  if (weights === undefined) return null;
  checkLength("weights", weights, than, n);
  const floats = float64Block(weights, 0, n, scratchFor(weights, n));
  for (let i = 0; i < n; i++) {
    const weight = floats[i] as number;
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) throwBadWeight(i, weight);
  }
  return floats;
}

/** @throws CalibrantError `data`, always: for a label that is none. */
export function throwBadLabel(name: string, index: number, label: unknown): never {
  const message = `${name}[${index}] must be 0, 1, true or false, got ${label}`;
  throw new CalibrantError("data", message, { index, label });
}

/** @throws CalibrantRangeError always: for a weight that is none. */
export function throwBadWeight(index: number, weight: number): never {
  const message = `weights[${index}] must be finite and not negative, got ${weight}`;
  throw new CalibrantRangeError("data", message, { index, weight });
}

/** float64 arrays are read in place and need no scratch. */
function scratchFor(values: BinaryLabels, length: number): Float64Array {
  return new Float64Array(values instanceof Float64Array ? 0 : length);
}
