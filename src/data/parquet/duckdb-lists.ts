import type { DuckDBVector } from "@duckdb/node-api";
import type { ListColumn } from "../columns.ts";
import type { ColumnGatherer } from "./column-gatherer.ts";
import { isValidAt, listsOf, numbersOf, type TypedArray, type ValidityWords } from "./duckdb-vector.ts";
import { grown } from "./grown-array.ts";

interface Gathered {
  values: TypedArray;
  /** Allocated at the first null element. */
  valueValid: Uint8Array | null;
  offsets: Int32Array;
  /** Allocated at the first null list. */
  rowValid: Uint8Array | null;
  rows: number;
}

/** Gathers lists of numbers; the values keep the element type that the engine gives. */
export function listGatherer(): ColumnGatherer {
  let gathered = emptyLists(new Float32Array(0), 0);
  return {
    append: (vector, rows) => appendLists(gathered, vector, rows),
    take() {
      const column = listColumn(gathered);
      gathered = emptyLists(gathered.values, gathered.rows);
      return column;
    },
  };
}

function emptyLists(before: TypedArray, rows: number): Gathered {
  const values = new (before.constructor as new (length: number) => TypedArray)(before.length);
  return { values, valueValid: null, offsets: new Int32Array(rows + 1), rowValid: null, rows: 0 };
}

function appendLists(gathered: Gathered, vector: DuckDBVector, rows: number): number {
  const { entries, words, child } = listsOf(vector);
  const { items, words: itemWords } = numbersOf(child);
  if (gathered.values.constructor !== items.constructor) gathered.values = items.slice(0, 0);
  const first = gathered.rows;
  const offsets = grown(gathered.offsets, first + 1, first + 1 + rows);
  for (let i = 0; i < rows; i += 1) {
    const count = isValidAt(words, i) ? (entries[4 * i + 2] as number) : 0;
    offsets[first + i + 1] = (offsets[first + i] as number) + count;
  }
  const used = offsets[first] as number;
  const needed = offsets[first + rows] as number;
  gathered.offsets = offsets;
  gathered.rows += rows;
  gathered.values = grown(gathered.values, used, needed);
  if (gathered.valueValid !== null)
    gathered.valueValid = grown(gathered.valueValid, used, needed).fill(1, used);
  if (words !== null || gathered.rowValid !== null) markNullLists(gathered, words, rows);
  let to = used;
  forEachRun(entries, words, rows, (start, end) => {
    gathered.values.set(items.subarray(start, end), to);
    if (itemWords !== null) markNullValues(gathered, itemWords, start, end, to);
    to += end - start;
  });
  return (needed - used) * items.BYTES_PER_ELEMENT + rows * 4;
}

/** Calls `copy` for ranges of elements, in row order; lists that lie one after another make one range. */
function forEachRun(
  entries: Uint32Array,
  words: ValidityWords,
  rows: number,
  copy: (start: number, end: number) => void,
): void {
  let start = 0;
  let end = 0;
  for (let i = 0; i < rows; i += 1) {
    if (!isValidAt(words, i)) continue;
    const from = entries[4 * i] as number;
    if (from !== end) {
      copy(start, end);
      start = from;
    }
    end = from + (entries[4 * i + 2] as number);
  }
  copy(start, end);
}

/** Chunks without a null list must be marked too once there are marks: what is not filled reads as null. */
function markNullLists(gathered: Gathered, words: ValidityWords, rows: number): void {
  const first = gathered.rows - rows;
  const known = gathered.rowValid ?? new Uint8Array(first).fill(1);
  const marks = grown(known, first, gathered.rows).fill(1, first);
  for (let i = 0; i < rows; i += 1) if (!isValidAt(words, i)) marks[first + i] = 0;
  gathered.rowValid = marks;
}

function markNullValues(
  gathered: Gathered,
  words: ValidityWords,
  start: number,
  end: number,
  to: number,
): void {
  for (let i = start; i < end; i += 1) {
    if (isValidAt(words, i)) continue;
    gathered.valueValid ??= new Uint8Array(gathered.values.length).fill(1);
    gathered.valueValid[to + i - start] = 0;
  }
}

function listColumn({ values, valueValid, offsets, rowValid, rows }: Gathered): ListColumn {
  const used = offsets[rows] as number;
  return {
    kind: "list",
    values: values.subarray(0, used),
    offsets: offsets.subarray(0, rows + 1),
    ...(rowValid === null ? {} : { rowValid: rowValid.subarray(0, rows) }),
    ...(valueValid === null ? {} : { valueValid: valueValid.subarray(0, used) }),
  };
}
