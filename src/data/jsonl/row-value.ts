/** A row as the reader has it: parsed JSON, or a plain object of a library user. */
export type Row = Readonly<Record<string, unknown>>;

/** Typed arrays, which a library user may pass where JSON has a list. */
type TypedArray = NodeJS.TypedArray;

/**
 * The value of a column in a row as it stands; undefined when the row does not have it. Names that every object
 * inherits (`constructor`, `__proto__`) count only as a row's own properties.
 */
export function rawValue(row: Row, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(row, name) ? undefined : row[name];
}

/** The value of a column in a row; null when it is absent, null, undefined or NaN (how Python writes a missing value). */
export function rowValue(row: Row, name: string): unknown {
  const value = rawValue(row, name);
  return value === undefined || (typeof value === "number" && Number.isNaN(value)) ? null : value;
}

/** A list of a row: an array, or a typed array; null for anything else. */
export function asList(value: unknown): readonly unknown[] | TypedArray | null {
  if (Array.isArray(value)) return value;
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? (value as TypedArray) : null;
}

/** A value as an error message shows it: JSON on one line, at most about 60 characters. */
export function shownValue(value: unknown): string {
  let text: string;
  try {
    text =
      JSON.stringify(value, (_key, inner) => (typeof inner === "bigint" ? String(inner) : inner)) ??
      String(value);
  } catch {
    text = String(value);
  }
  if (typeof value === "number" || typeof value === "bigint") text = String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Where a row stands: `FILE:LINE` when line numbers are known, else `NAME: row N`, rows counted from 0. */
export function rowPlace(name: string, row: number, lineNumbers?: Int32Array): string {
  return lineNumbers === undefined ? `${name}: row ${row}` : `${name}:${lineNumbers[row]}`;
}
