import type { EpisodeColumns } from "./episode-store.ts";

/** Rows in the order of their cells, and of their tasks inside a cell. */
export interface OrderedEpisodes {
  /** `(rows)` */
  readonly order: Int32Array;
  /** Cell c is `order[offsets[c]] … order[offsets[c + 1] - 1]`, `(cells + 1)`. */
  readonly offsets: Int32Array;
}

/** Orders all rows by cell and task, in O(rows + tasks + cells): two counting sorts. */
export function orderEpisodes(columns: EpisodeColumns, tasks: number, cells: number): OrderedEpisodes {
  const { rows } = columns;
  const byTask = new Int32Array(rows);
  place(columns.task, tasks, null, rows, byTask);
  const order = new Int32Array(rows);
  const offsets = place(columns.cell, cells, byTask, rows, order);
  return { order, offsets };
}

/** A stable counting sort of rows (in the order of `from`, else as they stand) by their code. */
function place(
  codes: Int32Array,
  count: number,
  from: Int32Array | null,
  rows: number,
  target: Int32Array,
): Int32Array {
  const offsets = new Int32Array(count + 1);
  for (let row = 0; row < rows; row++) {
    const next = (codes[row] as number) + 1;
    offsets[next] = (offsets[next] as number) + 1;
  }
  for (let c = 0; c < count; c++) offsets[c + 1] = (offsets[c + 1] as number) + (offsets[c] as number);
  const next = offsets.slice();
  for (let i = 0; i < rows; i++) {
    const row = from === null ? i : (from[i] as number);
    const code = codes[row] as number;
    const at = next[code] as number;
    target[at] = row;
    next[code] = at + 1;
  }
  return offsets;
}
