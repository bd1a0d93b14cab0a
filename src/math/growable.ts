/** The typed arrays that grow with the number of groups. */
export type GrowableArray = Float64Array | Int32Array | Uint8Array;

/**
 * `array` itself when it has room for `length` elements, else a copy at least twice as long whose new elements are
 * `fill`. Growing one element at a time costs O(1) each on average.
 */
export function grown<T extends GrowableArray>(array: T, length: number, fill: number = 0): T {
  if (length <= array.length) return array;
  const Constructor = array.constructor as new (size: number) => T;
  const copy = new Constructor(Math.max(length, 2 * array.length, 16));
  copy.set(array);
  if (fill !== 0) copy.fill(fill, array.length);
  return copy;
}
