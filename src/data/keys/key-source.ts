import type { Column } from "../columns.ts";
import { keysOfNumbers } from "./key-index.ts";

/** Keys of one batch as codes that are read in blocks: what a loop over millions of rows needs, and no more. */
export interface KeySource {
  /** Codes are below this number. */
  readonly size: number;
  /** The key of a code. Two codes may have the same key. */
  readonly keyOf: (code: number) => string;
  /** Writes the codes of the rows `start … end − 1` to the beginning of `into`; −1 = missing. */
  readonly read: (start: number, end: number, into: Int32Array) => void;
}

/** A column as a {@link KeySource}: null for one that is not there; numbers are keys by their shortest decimal text. */
export function keySource(column: Column | undefined): KeySource | null {
  if (column?.kind === "key") {
    const { codes, keys } = column;
    return {
      size: keys.length,
      keyOf: (code) => keys[code] as string,
      read: (start, end, into) => into.set(codes.subarray(start, end)),
    };
  }
  return column?.kind === "number" ? keySource(keysOfNumbers(column.values)) : null;
}
