import type { RolloutBatch } from "../../data/columns.ts";
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
      return combine(codes, batch.rows, (row) => {
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

/** One look-up a distinct combination of codes in the batch, not one a row. */
function combine(codes: readonly Int32Array[], rows: number, lookUp: (row: number) => number): Int32Array {
  const slices = new Int32Array(rows);
  if (codes.length === 0) return slices.fill(rows === 0 ? 0 : lookUp(0));
  const seen = new Map<number, number>();
  let width = 1;
  const widths = codes.map((column) => {
    let most = -1;
    for (let row = 0; row < rows; row += 1) most = Math.max(most, column[row] as number);
    const own = width;
    width *= most + 2;
    return own;
  });
  for (let row = 0; row < rows; row += 1) {
    let combined = 0;
    for (let i = 0; i < codes.length; i += 1) {
      combined += ((codes[i] as Int32Array)[row] as number) * (widths[i] as number) + (widths[i] as number);
    }
    let slice = seen.get(combined);
    if (slice === undefined) {
      slice = lookUp(row);
      seen.set(combined, slice);
    }
    slices[row] = slice;
  }
  return slices;
}
