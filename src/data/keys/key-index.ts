import type { Column, KeyColumn } from "../columns.ts";
import { createGroupIndex } from "./group-index.ts";

/** Numbers the values of one slicing or cluster column over all batches, in order of first appearance. */
export interface KeyIndex {
  /** The number of each row's value, from 0; -1 where it is missing. */
  add(column: Column | undefined, rows: number): Int32Array;
  key(index: number): string;
  readonly size: number;
}

/** Creates an empty {@link KeyIndex}; columns of booleans have the keys `true` and `false`, columns of numbers that are no integers are keys by their shortest decimal text. */
export function createKeyIndex(isBoolean: boolean = false): KeyIndex {
  const index = createGroupIndex();
  return {
    add(column, rows) {
      if (column?.kind === "number") return index.add(keysOfNumbers(column.values, isBoolean), rows);
      return index.add(column?.kind === "key" ? column : undefined, rows);
    },
    key: (number) => index.key(number),
    get size() {
      return index.size;
    },
  };
}

/** Numbers as keys by their shortest decimal text (booleans as `true` and `false`), NaN as missing. */
export function keysOfNumbers(values: Float64Array, isBoolean: boolean = false): KeyColumn {
  const codes = new Int32Array(values.length);
  const known = new Map<number, number>();
  const keys: string[] = [];
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    let code = Number.isNaN(value) ? -1 : known.get(value);
    if (code === undefined) {
      code = keys.length;
      known.set(value, code);
      keys.push(isBoolean ? String(value !== 0) : String(value));
    }
    codes[row] = code;
  }
  return { kind: "key", codes, keys };
}
