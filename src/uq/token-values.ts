import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";

/** Log-probabilities as the kernels read them: one of two storage types, and which elements are null. */
export interface TokenValues {
  readonly values: Float32Array | Float64Array;
  /** 0 where an element is null; absent = none is. */
  readonly valid?: Uint8Array;
}

/** A mask as the kernels read it: 0 = leave out. Element j stands for value `j + shift`. */
export interface TokenMask {
  readonly bits: Uint8Array | Int8Array;
  readonly shift: number;
}

/**
 * Reads log-probabilities of any storage type. Float32Array and Float64Array are used as they are; anything else is
 * copied once into float64.
 *
 * @throws CalibrantError `data` for an element of a plain array that is neither a number nor null.
 */
export function readTokenValues(
  input: NumericArray | readonly (number | null)[],
  valueValid: Uint8Array | undefined,
): TokenValues {
  if (input instanceof Float32Array || input instanceof Float64Array) {
    return valueValid === undefined ? { values: input } : { values: input, valid: valueValid };
  }
  const values = new Float64Array(input.length);
  let valid = valueValid;
  for (let i = 0; i < input.length; i++) {
    const value: unknown = input[i];
    if (typeof value === "number") values[i] = value;
    else if (value === null || value === undefined) {
      if (valid === undefined || valid === valueValid) valid = copiedValidity(valueValid, input.length);
      valid[i] = 0;
    } else throw notANumber(i, value);
  }
  return valid === undefined ? { values } : { values, valid };
}

function copiedValidity(given: Uint8Array | undefined, length: number): Uint8Array {
  return given === undefined ? new Uint8Array(length).fill(1) : given.slice();
}

function notANumber(index: number, value: unknown): CalibrantError {
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  return new CalibrantError("data", `logprobs[${index}] must be a number or null, got ${shown}`, { index });
}

/**
 * Reads the window `from … to - 1` of a mask of any storage type: zero and false leave a token out, everything else
 * selects it. Byte arrays are used as they are.
 *
 * @param valid 0 where an element is null
 * @throws CalibrantError `data` for an element that is null or NaN: which of both it means cannot be known.
 */
export function readTokenMask(
  mask: NumericArray | readonly boolean[],
  from: number,
  to: number,
  valid?: Uint8Array,
): TokenMask {
  if (valid !== undefined) {
    for (let i = from; i < to; i++) if (valid[i] === 0) throw notABit(i, null);
  }
  if (mask instanceof Uint8Array || mask instanceof Int8Array) return { bits: mask, shift: 0 };
  const bits = new Uint8Array(to - from);
  for (let i = from; i < to; i++) {
    const value: unknown = mask[i];
    if (value === true) bits[i - from] = 1;
    else if (typeof value === "number" && !Number.isNaN(value)) bits[i - from] = value === 0 ? 0 : 1;
    else if (value !== false) throw notABit(i, value);
  }
  return { bits, shift: from };
}

function notABit(index: number, value: unknown): CalibrantError {
  return new CalibrantError("data", `mask[${index}] must be 0, 1, true or false, got ${String(value)}`, {
    index,
  });
}
