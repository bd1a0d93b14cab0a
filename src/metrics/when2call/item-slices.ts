import { shownValue } from "../../data/jsonl/row-value.ts";
import { CalibrantError } from "../../errors.ts";
import type { When2CallItem } from "./when2call-item.ts";

/** The items that share the values of the slicing columns. */
export interface ItemSlice {
  readonly values: Readonly<Record<string, string | null>>;
  /** Numbers of the items, ascending. */
  readonly rows: readonly number[];
}

type Values = readonly (string | null)[];

/** Columns made from the others. */
const DERIVED: ReadonlyMap<string, (item: When2CallItem) => string | null> = new Map([
  ["has_tools", ({ tools }) => (tools === null ? null : String(tools.length > 0))],
  ["num_tools", ({ tools }) => (tools === null ? null : String(tools.length))],
]);

/**
 * The slices of the items by some columns: ascending by value, numbers by their size, missing values last, whatever the
 * order of the items.
 *
 * @throws CalibrantError `option` for a column that no item has, `data` for one that holds lists or objects.
 */
export function itemSlices(items: readonly When2CallItem[], by: readonly string[]): ItemSlice[] {
  if (by.length === 0) return [];
  const readers = by.map((column) => valueReader(items, column));
  const slices = new Map<string, { readonly values: Values; readonly rows: number[] }>();
  items.forEach((item, row) => {
    const values = readers.map((read) => read(item));
    const key = JSON.stringify(values);
    const slice = slices.get(key);
    if (slice === undefined) slices.set(key, { values, rows: [row] });
    else slice.rows.push(row);
  });
  return [...slices.values()]
    .sort((a, b) => compareAll(a.values, b.values))
    .map(({ values, rows }) => ({
      values: Object.fromEntries(by.map((column, i) => [column, values[i] ?? null])),
      rows,
    }));
}

function valueReader(
  items: readonly When2CallItem[],
  column: string,
): (item: When2CallItem) => string | null {
  if (items.some((item) => Object.hasOwn(item, column))) return (item) => sliceValue(item, column);
  const derived = DERIVED.get(column);
  if (derived !== undefined || items.length === 0) return derived ?? (() => null);
  const others = [...DERIVED.keys()].join(" and ");
  const message = `by: no item has the column, nor is it ${others}, which are made from tools; got ${column}`;
  throw new CalibrantError("option", message, { column });
}

function sliceValue(item: When2CallItem, column: string): string | null {
  const value = item[column] ?? null;
  if (value === null || (typeof value === "number" && Number.isNaN(value))) return null;
  if (typeof value !== "object") return String(value);
  const message = `by: slices need text, numbers or booleans; item ${item.id} has in ${column} ${shownValue(value)}`;
  throw new CalibrantError("data", message, { column, id: item.id });
}

function compareAll(a: Values, b: Values): number {
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
