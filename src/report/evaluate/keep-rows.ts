/** The typed arrays that a report keeps rows in. */
export type RowArray = Float64Array | Int32Array | Int8Array | Uint8Array;

/**
 * The values of rows whose flag is 1, copied. A loop, because `TypedArray.prototype.filter` gathers its result in boxed
 * numbers first: at ten million rows that is most of the time of a report.
 *
 * @param flags `(n)`, 1 = keep
 * @param kept number of flags that are 1
 */
export function keepRows<T extends RowArray>(values: T, flags: Uint8Array, kept: number): T {
  if (kept === values.length) return values;
  const Constructor = values.constructor as new (length: number) => T;
  const result = new Constructor(kept);
  let at = 0;
  for (let row = 0; row < values.length; row += 1) if (flags[row] === 1) result[at++] = values[row] as number;
  return result;
}

/** Flags that are 1. */
export function countFlags(flags: Uint8Array): number {
  let kept = 0;
  for (let row = 0; row < flags.length; row += 1) kept += flags[row] as number;
  return kept;
}
