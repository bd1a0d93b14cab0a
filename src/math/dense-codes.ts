import type { NumericArray } from "../types.ts";

/** Codes renumbered from 0. */
export interface DenseCodes {
  /** One array for each list, with the new code of each entry. */
  readonly codes: readonly Int32Array[];
  /** Number of different codes. */
  readonly count: number;
}

/** Up to this code the new numbers are looked up in an array, above in a map. */
const TABLE_LIMIT = 1 << 25;

/**
 * Renumbers the codes of several lists together, from 0 in order of first appearance: equal codes stay equal across lists.
 * A negative or NaN entry is unlike every other: it gets a number of its own. Cost O(n).
 *
 * @param lists arrays of codes, usually whole numbers from 0
 */
export function denseCodes(lists: readonly NumericArray[]): DenseCodes {
  const largest = largestCode(lists);
  const lookup = largest === null ? mapLookup() : tableLookup(largest);
  let count = 0;
  const codes = lists.map((list) => {
    const renumbered = new Int32Array(list.length);
    for (let i = 0; i < list.length; i++) {
      const code = list[i] as number;
      const known = code >= 0 ? lookup(code, count) : count;
      if (known === count) count += 1;
      renumbered[i] = known;
    }
    return renumbered;
  });
  return { codes, count };
}

/** The number of a code; `fresh` where the code is new. */
type Lookup = (code: number, fresh: number) => number;

function tableLookup(largest: number): Lookup {
  const numbers = new Int32Array(largest + 1);
  return (code, fresh) => {
    const stored = numbers[code] as number;
    if (stored > 0) return stored - 1;
    numbers[code] = fresh + 1;
    return fresh;
  };
}

function mapLookup(): Lookup {
  const numbers = new Map<number, number>();
  return (code, fresh) => {
    const stored = numbers.get(code);
    if (stored !== undefined) return stored;
    numbers.set(code, fresh);
    return fresh;
  };
}

/** The largest code; null when one is no whole number or too large for a table. */
function largestCode(lists: readonly NumericArray[]): number | null {
  let largest = -1;
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const code = list[i] as number;
      if (!(code >= 0)) continue;
      if (code > TABLE_LIMIT || !Number.isInteger(code)) return null;
      if (code > largest) largest = code;
    }
  }
  return largest;
}
