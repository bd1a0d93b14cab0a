import type { ListColumn, RolloutBatch } from "../data/columns.ts";

/** The numbers of a column, `(rows)`; null when the batch has no such column. */
export function numberColumn(batch: RolloutBatch, name: string): Float64Array | null {
  const column = batch.columns.get(name);
  return column?.kind === "number" ? column.values : null;
}

/** A list column; null when the batch has no such column. */
export function listColumn(batch: RolloutBatch, name: string): ListColumn | null {
  const column = batch.columns.get(name);
  return column?.kind === "list" ? column : null;
}

/** Reads a text column row by row; always null when the batch has no such column. */
export function textReader(batch: RolloutBatch, name: string): (row: number) => string | null {
  const column = batch.columns.get(name);
  return column?.kind === "text" ? column.get : () => null;
}

/** Reads a nested column row by row, null = missing; always null when the batch has no such column. */
export function jsonReader(batch: RolloutBatch, name: string): (row: number) => unknown {
  const column = batch.columns.get(name);
  return column?.kind === "json" ? (row) => column.get(row) ?? null : () => null;
}

/** Where a row stands, for messages. */
export function placeOf(batch: RolloutBatch, row: number): string {
  return batch.place?.(row) ?? `row ${row}`;
}
