import type { BinaryLabels } from "../types.ts";

/** Rows that a kernel takes at a time: three blocks of float64 stay in the first-level cache. */
export const BLOCK_ROWS = 2048;

/**
 * `values[start] … values[end - 1]` as float64: a view where they are float64 already, else a copy in `scratch`. A kernel
 * that reads blocks sees one array type, which keeps its compiled code fast whatever the caller's arrays are.
 *
 * True is 1, false is 0; any other value of a plain array that is not a number is NaN.
 *
 * @param scratch at least `end - start` long; overwritten
 */
export function float64Block(
  values: BinaryLabels,
  start: number,
  end: number,
  scratch: Float64Array,
): Float64Array {
  if (values instanceof Float64Array) return values.subarray(start, end);
  const block = scratch.subarray(0, end - start);
  if (ArrayBuffer.isView(values)) block.set(values.subarray(start, end));
  else for (let i = start; i < end; i++) block[i - start] = asNumber(values[i]);
  return block;
}

function asNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : Number.NaN;
}
