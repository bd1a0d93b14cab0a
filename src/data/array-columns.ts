import { CalibrantError } from "../errors.ts";
import type { Column, ColumnRequest, FoundColumn, RolloutBatch } from "./columns.ts";

/** Columns as arrays of any kind, all of one length. */
export type ColumnArrays = Readonly<Record<string, ArrayLike<unknown> | undefined>>;

/** The columns that are there; what they hold is checked when they are read. */
export function foundArrayColumns(arrays: ColumnArrays): FoundColumn[] {
  const kinds = ["number", "text", "key", "list", "json"] as const;
  return Object.entries(arrays).flatMap(([name, array]) =>
    array === undefined ? [] : [{ name, type: "array", kinds }],
  );
}

/**
 * Columns for a job: numbers (booleans are 1 and 0), keys (texts and integers), text and JSON values; null, undefined and NaN are
 * missing. A float64 array is not copied.
 *
 * @throws CalibrantError `length-mismatch` for columns of different lengths, `data` for a value of another type.
 */
export function batchFromArrays(arrays: ColumnArrays, requests: readonly ColumnRequest[]): RolloutBatch {
  const [first] = requests;
  const rows = arrays[first?.name ?? ""]?.length ?? 0;
  const columns = new Map<string, Column>();
  for (const { name, kind } of requests) {
    const array = arrays[name] ?? [];
    if (array.length !== rows) {
      const message = `columns must have one length: ${first?.name} has ${rows} rows, ${name} has ${array.length}`;
      throw new CalibrantError("length-mismatch", message, { rows, [name]: array.length });
    }
    columns.set(name, columnOf(name, kind, array));
  }
  return { rows, columns, place: (row) => `row ${row}` };
}

function columnOf(name: string, kind: ColumnRequest["kind"], array: ArrayLike<unknown>): Column {
  if (kind === "number") return { kind, values: numbersOf(name, array) };
  if (kind === "key") return { kind, ...keysOf(name, array) };
  if (kind === "text") return { kind, get: (row) => textAt(name, array, row) };
  return { kind: "json", get: (row) => array[row] ?? null };
}

function textAt(name: string, array: ArrayLike<unknown>, row: number): string | null {
  const value = array[row] ?? null;
  if (value === null || typeof value === "string") return value;
  throw mistyped(name, row, "text", value);
}

function numbersOf(name: string, array: ArrayLike<unknown>): Float64Array {
  if (array instanceof Float64Array) return array;
  const values = new Float64Array(array.length);
  for (let row = 0; row < array.length; row++) {
    const value = array[row];
    const isNumeric = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
    if (!isNumeric && value !== null && value !== undefined) throw mistyped(name, row, "a number", value);
    values[row] = isNumeric ? Number(value) : Number.NaN;
  }
  return values;
}

function keysOf(name: string, array: ArrayLike<unknown>): { codes: Int32Array; keys: string[] } {
  const codes = new Int32Array(array.length).fill(-1);
  const keys: string[] = [];
  const known = new Map<unknown, number>();
  for (let row = 0; row < array.length; row++) {
    const value = array[row];
    if (value === null || value === undefined || Number.isNaN(value)) continue;
    const isKey = typeof value === "string" || typeof value === "bigint" || Number.isSafeInteger(value);
    if (!isKey) throw mistyped(name, row, "text or an integer", value);
    // 7 and "7" are one key, as in files.
    const key = typeof value === "string" ? value : String(value);
    const code = known.get(key) ?? keys.length;
    if (code === keys.length) {
      known.set(key, code);
      keys.push(key);
    }
    codes[row] = code;
  }
  return { codes, keys };
}

function mistyped(name: string, row: number, expected: string, value: unknown): CalibrantError {
  const message = `row ${row}: column ${name}: expected ${expected}, found ${String(value)}`;
  return new CalibrantError("data", message, { row, column: name });
}
