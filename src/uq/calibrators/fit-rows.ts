import { CalibrantError, CalibrantRangeError } from "../../errors.ts";
import type { BinaryLabels, NumericArray } from "../../types.ts";

/** Labels 0/1 or booleans `(n)` as bytes; a Uint8Array is not copied. */
export function readBinaryLabels(labels: BinaryLabels, n: number): Uint8Array {
  checkLength("labels", labels.length, n);
  const bytes = labels instanceof Uint8Array ? labels : new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const label: unknown = labels[i];
    if (label === 1 || label === true) bytes[i] = 1;
    else if (label !== 0 && label !== false) throw badLabel(i, "0, 1, true or false", label);
  }
  return bytes;
}

/** Class labels 0 … classes - 1 `(n)`. */
export function readClassLabels(labels: BinaryLabels, n: number, classes: number): Int32Array {
  checkLength("labels", labels.length, n);
  const codes = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const label = Number(labels[i]);
    if (!(Number.isInteger(label) && label >= 0 && label < classes)) {
      throw badLabel(i, `a class from 0 to ${classes - 1}`, labels[i]);
    }
    codes[i] = label;
  }
  return codes;
}

/** Checks weights `(n)`; null = every row counts 1. */
export function readWeights(weights: NumericArray | undefined, n: number): NumericArray | null {
  if (weights === undefined) return null;
  checkLength("weights", weights.length, n);
  for (let i = 0; i < n; i++) {
    const weight = weights[i] as number;
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
      const message = `weights[${i}] must be 0 or more and finite, got ${weight}`;
      throw new CalibrantRangeError("data", message, { index: i });
    }
  }
  return weights;
}

/** Refuses NaN, and infinities unless they are `infinite` = legal. */
export function checkNumbers(name: string, values: NumericArray, infinite: boolean): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    // The difference is NaN for NaN and for infinities.
    if (value - value === 0 || (infinite && !Number.isNaN(value))) continue;
    const message = `${name}[${i}] must be ${infinite ? "a number" : "finite"}, got ${value}`;
    throw new CalibrantRangeError("data", message, { index: i });
  }
}

/** Refuses an array that does not have one entry a row. */
export function checkLength(name: string, found: number, expected: number): void {
  if (found === expected) return;
  const message = `${name} must number ${expected}, one a row, got ${found}`;
  throw new CalibrantError("length-mismatch", message, { name, found, expected });
}

function badLabel(index: number, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("data", `labels[${index}] must be ${expected}, got ${String(value)}`, { index });
}
