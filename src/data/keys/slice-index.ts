import type { RolloutBatch } from "../columns.ts";
import { createKeyIndex, type KeyIndex } from "./key-index.ts";

/** What a row whose slicing column is null belongs to. */
export const MISSING_KEY = "(missing)";

/** Numbers the combinations of slicing values, in order of first appearance. */
export interface SliceIndex {
  /** The slice of each row. */
  add(batch: RolloutBatch, input: string): Int32Array;
  /** The values of a slice in the order of the slicing columns. */
  values(slice: number): readonly string[];
  readonly size: number;
}

/**
 * Creates a {@link SliceIndex} over these columns; `file` is the input's name where no column has that name.
 *
 * @param booleans columns of booleans, whose values are called `true` and `false`
 */
export function createSliceIndex(
  by: readonly string[],
  fileIsColumn: boolean,
  booleans: ReadonlySet<string> = new Set(),
): SliceIndex {
  const indexes = by.map((name) => createKeyIndex(booleans.has(name)));
  // Combination of the numbers of all columns → slice, column by column: a trie of maps.
  const known = new Map<string, number>();
  const slices: (readonly string[])[] = [];
  return {
    add(batch, input) {
      const codes = by.map((name, i) =>
        columnCodes(batch, input, name, indexes[i] as KeyIndex, fileIsColumn),
      );
      const sizes = indexes.map(({ size }) => size);
      return combine(codes, sizes, batch.rows, (row) => {
        const values = codes.map((column, i) => keyOf(indexes[i] as KeyIndex, column[row] as number));
        const key = JSON.stringify(values);
        let slice = known.get(key);
        if (slice === undefined) {
          slice = slices.length;
          known.set(key, slice);
          slices.push(values);
        }
        return slice;
      });
    },
    values: (slice) => slices[slice] as readonly string[],
    get size() {
      return slices.length;
    },
  };
}

function columnCodes(
  batch: RolloutBatch,
  input: string,
  name: string,
  index: KeyIndex,
  fileIsColumn: boolean,
): Int32Array {
  if (name !== "file" || fileIsColumn) return index.add(batch.columns.get(name), batch.rows);
  const codes = new Int32Array(batch.rows);
  return index.add({ kind: "key", codes, keys: [input] }, batch.rows);
}

function keyOf(index: KeyIndex, code: number): string {
  return code < 0 ? MISSING_KEY : index.key(code);
}

/** Up to this many combinations are looked up in an array, more in a map. */
const TABLE_LIMIT = 1 << 22;

/**
 * One look-up a distinct combination of codes in the batch, not one a row.
 *
 * @param sizes the number of codes of each column
 */
function combine(
  codes: readonly Int32Array[],
  sizes: readonly number[],
  rows: number,
  lookUp: (row: number) => number,
): Int32Array {
  const combined = new Int32Array(rows);
  if (codes.length === 0) return rows === 0 ? combined : combined.fill(lookUp(0));
  let width = 1;
  for (const [index, column] of codes.entries()) {
    const values = (sizes[index] as number) + 1;
    if (width * values > 2 ** 31) return combineLarge(codes, rows, lookUp);
    // Whole numbers below 2^31 all along, which Math.imul keeps out of floating point.
    for (let row = 0; row < rows; row += 1) {
      combined[row] = ((combined[row] as number) + Math.imul((column[row] as number) + 1, width)) | 0;
    }
    width *= values;
  }
  return width <= TABLE_LIMIT ? throughTable(combined, width, lookUp) : throughMap(combined, lookUp);
}

/** The slice of each row, by a table of the slices + 1 of the combinations met. */
function throughTable(combined: Int32Array, width: number, lookUp: (row: number) => number): Int32Array {
  const known = new Int32Array(width);
  for (let row = 0; row < combined.length; row += 1) {
    const code = combined[row] as number;
    let slice = known[code] as number;
    if (slice === 0) {
      slice = lookUp(row) + 1;
      known[code] = slice;
    }
    combined[row] = slice - 1;
  }
  return combined;
}

function throughMap<T extends number | string>(
  combined: ArrayLike<T>,
  lookUp: (row: number) => number,
): Int32Array {
  const known = new Map<T, number>();
  return Int32Array.from({ length: combined.length }, (_, row) => {
    const key = combined[row] as T;
    let slice = known.get(key);
    if (slice === undefined) {
      slice = lookUp(row);
      known.set(key, slice);
    }
    return slice;
  });
}

/** More combinations than a number of 31 bits holds: columns of very many values each. */
function combineLarge(
  codes: readonly Int32Array[],
  rows: number,
  lookUp: (row: number) => number,
): Int32Array {
  const keys = Array.from({ length: rows }, (_, row) => codes.map((column) => column[row]).join(","));
  return throughMap(keys, lookUp);
}
