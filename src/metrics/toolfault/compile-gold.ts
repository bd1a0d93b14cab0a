import { MISSING_KEY } from "../../data/keys/slice-index.ts";
import { CalibrantError } from "../../errors.ts";
import { listedIds } from "../listed-ids.ts";
import { compareSliceValues } from "../slice-value-order.ts";
import { FAULT_TYPES, faultTypeCode, NEXT_ACTIONS, nextActionCode } from "./labels.ts";
import type { ToolFaultGold } from "./tool-fault-item.ts";

/** One way to slice: a column of the dataset, or several whose combinations are slices. */
export type SliceColumns = string | readonly string[];

/** The items of a dataset as columns, `(n)` each. */
export interface CompiledGold {
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Places in `FAULT_TYPES`. */
  readonly fault: Uint8Array;
  /** Sets of actions: bit k stands for `NEXT_ACTIONS[k]`. */
  readonly acceptable: Uint16Array;
  readonly critical: Uint16Array;
  /** 1 for hard negatives. */
  readonly hard: Uint8Array;
}

/** The items that share the values of some columns. */
export interface ItemSlice {
  readonly columns: readonly string[];
  readonly values: readonly string[];
  /** Indices of the items, ascending. */
  readonly items: Int32Array;
}

/**
 * The columns that scoring reads of the items.
 *
 * @throws CalibrantError `data` naming the item for an unknown label, an id that is missing or comes twice, or no acceptable action.
 */
export function compileGold(items: readonly ToolFaultGold[]): CompiledGold {
  const n = items.length;
  const gold = {
    ids: items.map(({ id }) => id),
    indexOf: new Map<string, number>(),
    fault: new Uint8Array(n),
    acceptable: new Uint16Array(n),
    critical: new Uint16Array(n),
    hard: new Uint8Array(n),
  };
  const twice = new Set<string>();
  items.forEach((item, i) => {
    if (typeof item.id !== "string" || item.id === "") throw badItem(i, item, "id must be a text", item.id);
    if (gold.indexOf.has(item.id)) twice.add(item.id);
    gold.indexOf.set(item.id, i);
    gold.fault[i] = labelCode(faultTypeCode, FAULT_TYPES, i, item, "fault_type", item.fault_type);
    gold.acceptable[i] = actionSet(i, item, "acceptable_next_actions");
    gold.critical[i] = actionSet(i, item, "critical_next_actions");
    gold.hard[i] = (item.is_hard_negative ?? item.fault_type === "none") ? 1 : 0;
    if (gold.acceptable[i] === 0)
      throw badItem(i, item, "acceptable_next_actions must name an action", item.acceptable_next_actions);
  });
  if (twice.size > 0) throw new CalibrantError("data", `the dataset has ids twice: ${listedIds([...twice])}`);
  return gold;
}

/**
 * The slices of the items: those of each entry of `by` in order, sorted by their values; a missing value is `(missing)` and comes last.
 *
 * @throws CalibrantError `option` for a column that no item has, `data` for values that are no text, number or boolean.
 */
export function itemSlices(items: readonly ToolFaultGold[], by: readonly SliceColumns[]): ItemSlice[] {
  return by.flatMap((entry) => {
    const columns = typeof entry === "string" ? [entry] : entry;
    for (const column of columns) checkSliceColumn(items, column);
    const groups = new Map<string, { values: (string | null)[]; items: number[] }>();
    items.forEach((item, i) => {
      const values = columns.map((column) => sliceValue(item, i, column));
      // A value that is called like the missing one is another slice.
      const key = JSON.stringify(values);
      const group = groups.get(key) ?? { values, items: [] };
      group.items.push(i);
      groups.set(key, group);
    });
    return [...groups.values()]
      .sort((a, b) => compareSliceValues(a.values, b.values))
      .map(({ values, items: indices }) => ({
        columns,
        values: values.map((value) => value ?? MISSING_KEY),
        items: Int32Array.from(indices),
      }));
  });
}

function actionSet(
  index: number,
  item: ToolFaultGold,
  field: "acceptable_next_actions" | "critical_next_actions",
): number {
  const labels = item[field];
  if (!Array.isArray(labels)) throw badItem(index, item, `${field} must be a list of actions`, labels);
  return labels.reduce(
    (set: number, label) => set | (1 << labelCode(nextActionCode, NEXT_ACTIONS, index, item, field, label)),
    0,
  );
}

function labelCode(
  codeOf: (label: string) => number,
  known: readonly string[],
  index: number,
  item: ToolFaultGold,
  field: string,
  label: unknown,
): number {
  const code = typeof label === "string" ? codeOf(label) : -1;
  if (code >= 0) return code;
  throw badItem(index, item, `${field} must be one of ${known.join(", ")}`, label);
}

function badItem(index: number, item: ToolFaultGold, problem: string, value: unknown): CalibrantError {
  const message = `items[${index}] (${String(item.id)}): ${problem}, got ${JSON.stringify(value)}`;
  return new CalibrantError("data", message, { index, id: item.id, value });
}

function checkSliceColumn(items: readonly ToolFaultGold[], column: string): void {
  if (items.length === 0 || items.some((item) => Object.hasOwn(item, column))) return;
  const known = [...new Set(items.slice(0, 100).flatMap((item) => Object.keys(item)))];
  const message = `the dataset has no column ${column} to slice by; it has ${known.join(", ")}`;
  throw new CalibrantError("option", message, { column });
}

function sliceValue(item: ToolFaultGold, index: number, column: string): string | null {
  const value = (item as unknown as Record<string, unknown>)[column] ?? null;
  if (value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  throw badItem(index, item, `${column} cannot be sliced by: it is no text, number or boolean`, value);
}
