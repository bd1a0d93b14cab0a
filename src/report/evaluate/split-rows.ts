import { countFlags, keepRows } from "./keep-rows.ts";
import { EXTRA_COLUMNS, type ExtraColumn, type StoredRows } from "./row-store.ts";

/** The rows of one slice by column, `(rows)` each, in input order. */
export interface SliceRows {
  readonly rows: number;
  readonly x: Float64Array;
  readonly y: Int8Array;
  readonly cluster: Int32Array;
  readonly weights: Float64Array | null;
  readonly extra: Readonly<Partial<Record<ExtraColumn, Float64Array>>>;
}

/** All rows ordered by slice, and each slice as a view of them. */
export interface SplitRows {
  readonly all: SliceRows;
  readonly slices: readonly SliceRows[];
}

/** Brings the rows of each slice together; the batches are emptied on the way, so that rows are held twice only in part. */
export function splitRows(batches: StoredRows[], slices: number): SplitRows {
  const starts = sliceStarts(batches, slices);
  const total = starts[slices] as number;
  const weighted = batches.some((batch) => batch.weights !== null);
  const extraNames = EXTRA_COLUMNS.filter((name) => batches.some((batch) => batch.extra[name] !== undefined));
  const all = {
    rows: total,
    x: new Float64Array(total),
    y: new Int8Array(total),
    cluster: new Int32Array(total),
    weights: weighted ? new Float64Array(total).fill(1) : null,
    extra: Object.fromEntries(extraNames.map((name) => [name, new Float64Array(total).fill(Number.NaN)])),
  };
  const next = starts.slice();
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const to = placesOf(batch.slice, next);
    scatter(batch.x, all.x, to);
    scatter(batch.y, all.y, to);
    scatter(batch.cluster, all.cluster, to);
    if (batch.weights !== null && all.weights !== null) scatter(batch.weights, all.weights, to);
    for (const name of extraNames) {
      const values = batch.extra[name];
      if (values !== undefined) scatter(values, all.extra[name] as Float64Array, to);
    }
  }
  const views = Array.from({ length: slices }, (_, i) =>
    rowsBetween(all, starts[i] as number, starts[i + 1] as number),
  );
  return { all, slices: views };
}

/** Rows `from … to - 1` as a view. */
function rowsBetween(all: SliceRows, from: number, to: number): SliceRows {
  const extra = Object.entries(all.extra).map(([name, values]) => [name, values.subarray(from, to)]);
  return {
    rows: to - from,
    x: all.x.subarray(from, to),
    y: all.y.subarray(from, to),
    cluster: all.cluster.subarray(from, to),
    weights: all.weights?.subarray(from, to) ?? null,
    extra: Object.fromEntries(extra),
  };
}

/** The rows whose flag is 1, copied. */
export function pickRows(rows: SliceRows, flags: Uint8Array): SliceRows {
  const kept = countFlags(flags);
  const extra = Object.entries(rows.extra).map(([name, values]) => [name, keepRows(values, flags, kept)]);
  return {
    rows: kept,
    x: keepRows(rows.x, flags, kept),
    y: keepRows(rows.y, flags, kept),
    cluster: keepRows(rows.cluster, flags, kept),
    weights: rows.weights === null ? null : keepRows(rows.weights, flags, kept),
    extra: Object.fromEntries(extra),
  };
}

function sliceStarts(batches: readonly StoredRows[], slices: number): Float64Array {
  const starts = new Float64Array(slices + 1);
  for (const { slice } of batches) {
    for (let row = 0; row < slice.length; row += 1) {
      const at = (slice[row] as number) + 1;
      starts[at] = (starts[at] as number) + 1;
    }
  }
  for (let i = 1; i <= slices; i += 1) starts[i] = (starts[i] as number) + (starts[i - 1] as number);
  return starts;
}

/** Where each row goes; moves the slices' next places on. */
function placesOf(slice: Int32Array, next: Float64Array): Int32Array {
  const places = new Int32Array(slice.length);
  for (let row = 0; row < slice.length; row += 1) {
    const of = slice[row] as number;
    const at = next[of] as number;
    places[row] = at;
    next[of] = at + 1;
  }
  return places;
}

function scatter<T extends Float64Array | Int32Array | Int8Array>(from: T, to: T, places: Int32Array): void {
  for (let row = 0; row < from.length; row += 1) to[places[row] as number] = from[row] as number;
}
