import { sortedOrder } from "../../math/sort-numbers.ts";
import type { NumericArray } from "../../types.ts";
import { mixed } from "./fingerprint.ts";

/** How rows are dealt. */
export interface DealOptions {
  readonly folds: number;
  readonly seed: number;
  /** Codes `(n)`; rows of equal code get the same fold. */
  readonly clusters?: NumericArray | undefined;
}

/**
 * The fold of every row, `(n)`: units (clusters, else rows) take turns in the order of a hash of what they are, not of
 * where they stand. Rows without clusters take turns class by class, so that every fold has its share of both.
 *
 * @param values `(n)`
 * @param labels `(n)`, 0/1
 */
export function dealFolds(
  values: NumericArray,
  labels: Uint8Array,
  { folds, seed, clusters }: DealOptions,
): Uint16Array {
  const fold = new Uint16Array(labels.length);
  const keys = hashes(clusters ?? values, seed, clusters === undefined ? labels : null);
  const order = sortedOrder(keys);
  let unit = -1;
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    const same = clusters !== undefined && i > 0 && keys[row] === keys[order[i - 1] as number];
    if (!same) unit += 1;
    fold[row] = unit % folds;
  }
  return fold;
}

/** A number of 53 bits for each unit: its class above a hash of 52 bits, in which distinct units hardly ever meet. */
function hashes(units: NumericArray, seed: number, labels: Uint8Array | null): Float64Array {
  const word = new Float64Array(1);
  const halves = new Uint32Array(word.buffer);
  const keys = new Float64Array(units.length);
  const start = mixed(seed | 0);
  for (let i = 0; i < units.length; i++) {
    word[0] = (units[i] as number) + 0;
    const first = mixed(mixed(start ^ (halves[0] as number)) ^ (halves[1] as number));
    const second = mixed(mixed(first ^ 0x9e3779b9) + (halves[0] as number));
    const hash = (first >>> 0) * 2 ** 20 + (second >>> 12);
    keys[i] = hash + (labels !== null && labels[i] === 1 ? 2 ** 52 : 0);
  }
  return keys;
}
