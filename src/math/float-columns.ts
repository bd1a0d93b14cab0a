/**
 * Columns of numbers that share one buffer, each `(rows)` and filled with `fill`: many small arrays cost more to make than to
 * fill.
 */
export function floatColumns(columns: number, rows: number, fill: number): Float64Array[] {
  const { buffer } = new Float64Array(columns * rows).fill(fill);
  const bytes = rows * Float64Array.BYTES_PER_ELEMENT;
  const views: Float64Array[] = [];
  for (let at = 0; at < columns; at++) views.push(new Float64Array(buffer, at * bytes, rows));
  return views;
}
