import { CalibrantError } from "../errors.ts";
import type { NumericArray } from "../types.ts";

/** What a bootstrap draws: single rows, or clusters of rows. */
export interface ResamplingUnits {
  /** Number of units. */
  readonly count: number;
  /** Rows in the order of their units, `(n)`. */
  readonly rows: Int32Array;
  /** Unit u is `rows[offsets[u]] … rows[offsets[u + 1] - 1]`, `(count + 1)`. */
  readonly offsets: Int32Array;
}

/**
 * Units of resampling in order of first appearance; the rows of a unit stay in order.
 *
 * @param n number of rows
 * @param clusters `(n)`: rows with the same value are one unit; default: every row is
 * @throws CalibrantError `length-mismatch`.
 */
export function resamplingUnits(n: number, clusters?: NumericArray): ResamplingUnits {
  if (clusters === undefined) {
    const rows = Int32Array.from({ length: n }, (_, i) => i);
    return { count: n, rows, offsets: Int32Array.from({ length: n + 1 }, (_, i) => i) };
  }
  if (clusters.length !== n) {
    const message = `clusters must have one value for each of the ${n} rows, got ${clusters.length}`;
    throw new CalibrantError("length-mismatch", message, { rows: n, clusters: clusters.length });
  }
  const numbers = new Map<number, number>();
  const units = Int32Array.from({ length: n }, (_, i) => {
    const code = clusters[i] as number;
    const unit = numbers.get(code) ?? numbers.size;
    numbers.set(code, unit);
    return unit;
  });
  return { count: numbers.size, ...rowsByUnit(units, numbers.size) };
}

function rowsByUnit(units: Int32Array, count: number): Pick<ResamplingUnits, "rows" | "offsets"> {
  const offsets = new Int32Array(count + 1);
  for (const unit of units) offsets[unit + 1] = (offsets[unit + 1] as number) + 1;
  for (let u = 0; u < count; u++) offsets[u + 1] = (offsets[u + 1] as number) + (offsets[u] as number);
  const next = offsets.slice();
  const rows = new Int32Array(units.length);
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] as number;
    const place = next[unit] as number;
    rows[place] = i;
    next[unit] = place + 1;
  }
  return { rows, offsets };
}

/**
 * Draws resamples: as many units as there are, with replacement, each with its rows in order.
 *
 * @returns a function that gives the rows of one more resample; the array is overwritten by the next call
 */
export function createRowResampler(units: ResamplingUnits, random: () => number): () => Int32Array {
  const { count, rows, offsets } = units;
  let buffer = new Int32Array(rows.length);
  return () => {
    let length = 0;
    for (let draw = 0; draw < count; draw++) {
      const unit = Math.trunc(random() * count);
      const start = offsets[unit] as number;
      const end = offsets[unit + 1] as number;
      if (length + end - start > buffer.length) buffer = longer(buffer, length + end - start);
      for (let i = start; i < end; i++) buffer[length++] = rows[i] as number;
    }
    return buffer.subarray(0, length);
  };
}

function longer(buffer: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(Math.max(length, 2 * buffer.length));
  copy.set(buffer);
  return copy;
}
