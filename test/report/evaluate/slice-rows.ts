import type { SliceRows } from "../../../src/report/evaluate/split-rows.ts";

/** Columns of rows for tests; clusters default to one a row. */
export interface RowsInput {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly cluster?: readonly number[];
  readonly weights?: readonly number[];
  readonly extra?: Readonly<
    Partial<Record<"confidence" | "certainty" | "margin" | "reward", readonly number[]>>
  >;
}

/** Rows of a slice as the report holds them. */
export function sliceRows({ x, y, cluster, weights, extra = {} }: RowsInput): SliceRows {
  return {
    rows: x.length,
    x: Float64Array.from(x),
    y: Int8Array.from(y),
    cluster: Int32Array.from(cluster ?? x.map((_, row) => row)),
    weights: weights === undefined ? null : Float64Array.from(weights),
    extra: Object.fromEntries(
      Object.entries(extra).map(([name, values]) => [name, Float64Array.from(values)]),
    ),
  };
}

/** Numbers in [0, 1) from a seed: the sequence of multiples of the golden ratio, shuffled by hashing. */
export function testNumbers(n: number, seed: number): number[] {
  return Array.from({ length: n }, (_, i) => {
    const mixed = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b);
    const hash = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32;
  });
}
