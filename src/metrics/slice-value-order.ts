/** The values of a slice in the order of the slicing columns; null = missing. */
export type SliceValues = readonly (string | null)[];

/**
 * Orders the values of two slices column by column: numbers by their size, then text, missing values last. An order of all
 * values, so that the sorted slices do not depend on the order that they come in.
 */
export function compareSliceValues(a: SliceValues, b: SliceValues): number {
  for (let i = 0; i < a.length; i++) {
    const order = compareValues(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [x, y] = [numberValue(a), numberValue(b)];
  // Numbers stand before text, so that the order is one of all values.
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  if (x < y || x > y) return x - y;
  return a < b ? -1 : Number(a > b);
}

function numberValue(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
