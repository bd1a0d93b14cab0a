import { shownValue } from "../../data/jsonl/row-value.ts";
import { CalibrantError } from "../../errors.ts";
import { compareSliceValues, type SliceValues } from "../slice-value-order.ts";
import type { When2CallItem } from "./when2call-item.ts";

/** The items that share the values of the slicing columns. */
export interface ItemSlice {
  readonly values: Readonly<Record<string, string | null>>;
  /** Numbers of the items, ascending. */
  readonly rows: readonly number[];
}

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
  const slices = new Map<string, { readonly values: SliceValues; readonly rows: number[] }>();
  items.forEach((item, row) => {
    const values = readers.map((read) => read(item));
    const key = JSON.stringify(values);
    const slice = slices.get(key);
    if (slice === undefined) slices.set(key, { values, rows: [row] });
    else slice.rows.push(row);
  });
  return [...slices.values()]
    .sort((a, b) => compareSliceValues(a.values, b.values))
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
