import type { AppendedColumn } from "../../data/arrow/append-arrow-columns.ts";
import type { ResultColumn } from "../../data/columns.ts";
import { nonFiniteFromWord } from "../../data/jsonl/non-finite.ts";

/** A number (NaN = null), a text, a list of numbers (NaN or null = a null element; of int32 -1 too), or null. */
export type RowValue = number | string | Float64Array | Int32Array | readonly (number | null)[] | null;

/** A value as JSON keeps it: NaN is null, an infinity its word. */
export function spoolValue(value: RowValue): unknown {
  if (typeof value === "number") return plainNumber(value);
  if (value === null || typeof value === "string") return value;
  return Array.from(value as ArrayLike<number | null>, (item) => (item === null ? null : plainNumber(item)));
}

function plainNumber(value: number): number | string | null {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? null : String(value);
}

/** Values of consecutive rows, as {@link spoolValue} made them, as a column. */
export function columnOfRows({ name, type }: AppendedColumn, values: readonly unknown[]): ResultColumn {
  if (type === "float64") return { name, type, values: Float64Array.from(values, numberOf) };
  if (type === "utf8") return textColumn(name, values);
  const lists = values.map((value) => (Array.isArray(value) ? (value as unknown[]) : null));
  const offsets = new Int32Array(lists.length + 1);
  lists.forEach((list, row) => {
    offsets[row + 1] = (offsets[row] as number) + (list?.length ?? 0);
  });
  const rowValid = lists.includes(null)
    ? { rowValid: Uint8Array.from(lists, (list) => (list === null ? 0 : 1)) }
    : {};
  const length = offsets[lists.length] as number;
  if (type === "list<float64>")
    return { name, type, values: fill(new Float64Array(length), lists, numberOf), offsets, ...rowValid };
  const countOf = (item: unknown): number => (typeof item === "number" ? item : -1);
  return { name, type, values: fill(new Int32Array(length), lists, countOf), offsets, ...rowValid };
}

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" ? (nonFiniteFromWord(value) ?? Number.NaN) : Number.NaN;
}

function fill<T extends Float64Array | Int32Array>(
  into: T,
  lists: readonly (readonly unknown[] | null)[],
  read: (item: unknown) => number,
): T {
  let at = 0;
  for (const list of lists) {
    if (list === null) continue;
    for (let i = 0; i < list.length; i += 1, at += 1) into[at] = read(list[i]);
  }
  return into;
}

function textColumn(name: string, values: readonly unknown[]): ResultColumn {
  const codes = new Int32Array(values.length);
  const words = new Map<string, number>();
  values.forEach((value, row) => {
    if (typeof value !== "string") codes[row] = -1;
    else {
      if (!words.has(value)) words.set(value, words.size);
      codes[row] = words.get(value) as number;
    }
  });
  return { name, type: "utf8", codes, dictionary: [...words.keys()] };
}
