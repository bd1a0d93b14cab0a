type Growable =
  | Float64Array
  | Float32Array
  | Int32Array
  | Int16Array
  | Int8Array
  | Uint32Array
  | Uint16Array
  | Uint8Array;

/**
 * An array of the same type with room for `needed` values whose first `used` values are those of `array`: the array
 * itself when it is long enough, else one of at least twice its used size.
 */
export function grown<T extends Growable>(array: T, used: number, needed: number): T {
  if (needed <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, 2 * used));
  larger.set(array.subarray(0, used));
  return larger;
}
