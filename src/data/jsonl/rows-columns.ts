import { CalibrantError, errorMessage } from "../../errors.ts";
import { COLUMN_TYPES } from "../column-types.ts";
import type {
  Column,
  ColumnRequest,
  FoundColumn,
  JsonColumn,
  KeyColumn,
  ListColumn,
  RolloutBatch,
} from "../columns.ts";
import { nonFiniteFromWord } from "./non-finite.ts";
import { parseJsonLine } from "./parse-json-line.ts";
import { type RowShape, seeValue, unknownShape } from "./row-shape.ts";
import { readableKinds, typeWords } from "./row-type.ts";
import { asList, type Row, rawValue, rowPlace, rowValue, shownValue } from "./row-value.ts";

/**
 * The columns of some rows, in order of first appearance: each key that any row has, its type in words (`utf8`, `int`,
 * `double`, `bool`, `object`, `list<double>`, several joined by ` | `, `null` when no row has a value) and the kinds it
 * can be read as. Rows that were only sampled say nothing of the others: {@link batchFromRows} checks every value.
 */
export function foundRowColumns(rows: readonly Row[]): FoundColumn[] {
  const seen = new Map<string, RowShape>();
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      let column = seen.get(name);
      if (column === undefined) {
        column = unknownShape();
        seen.set(name, column);
      }
      seeValue(column, rawValue(row, name), () => "");
    }
  }
  return [...seen].map(([name, column]) => ({ name, type: typeWords(column), kinds: readableKinds(column) }));
}

/**
 * Rows as the columns that a job reads. A requested column that a row lacks, or holds as null, is missing there: NaN,
 * null or code -1. The JSON strings "NaN", "Infinity" and "-Infinity" are numbers where numbers are read.
 *
 * - `number`: numbers and BigInt; booleans are 1 and 0.
 * - `text`: strings. `key`: strings, and integers as their digits, so 7 and "7" are one key.
 * - `list`: lists of the above numbers, also typed arrays; a null element is NaN and marked in `valueValid`.
 * - `json`: the value; a string is parsed as JSON text when it is read, blank text is missing.
 *
 * @param requests - what to read; every one gets a column.
 * @param name - how errors name the source.
 * @param lineNumbers - (rows) line of each row in its file; without it errors give the row's index, from 0.
 * @throws CalibrantError `data` at the first value of another type, naming row, column, expected type and value; for
 * JSON text that is broken, when that row is read.
 */
export function batchFromRows(
  rows: readonly Row[],
  requests: readonly ColumnRequest[],
  name: string,
  lineNumbers?: Int32Array,
): RolloutBatch {
  const columns = new Map<string, Column>();
  for (const request of requests) {
    const fail: Fail = (row, value, index) =>
      mistyped(request, rowPlace(name, row, lineNumbers), value, index);
    columns.set(request.name, columnFromRows(rows, request, fail));
  }
  return { rows: rows.length, columns, place: (row) => rowPlace(name, row, lineNumbers) };
}

/** Throws for a value of a row that has the wrong type; `index` is its place in a list. */
type Fail = (row: number, value: unknown, index?: number) => never;

function columnFromRows(rows: readonly Row[], request: ColumnRequest, fail: Fail): Column {
  const { name, kind } = request;
  if (kind === "number") return { kind, values: numbersFromRows(rows, name, fail) };
  if (kind === "text") return textFromRows(rows, name, fail);
  if (kind === "key") return keysFromRows(rows, name, fail);
  return kind === "list" ? listsFromRows(rows, name, fail) : jsonFromRows(rows, name, fail);
}

function numbersFromRows(rows: readonly Row[], name: string, fail: Fail): Float64Array {
  const values = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) {
    const value = rowValue(rows[row] as Row, name);
    values[row] = typeof value === "number" ? value : (otherNumber(value) ?? fail(row, value));
  }
  return values;
}

/** The number that a value other than a number stands for, NaN for null; undefined when it is none. */
export function otherNumber(value: unknown): number | undefined {
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "boolean" || typeof value === "bigint") return Number(value);
  if (typeof value === "number") return value;
  return typeof value === "string" ? nonFiniteFromWord(value) : undefined;
}

function textFromRows(rows: readonly Row[], name: string, fail: Fail): Column {
  const texts = new Array<string | null>(rows.length);
  for (let row = 0; row < rows.length; row += 1) {
    const value = rowValue(rows[row] as Row, name);
    texts[row] = typeof value === "string" || value === null ? value : fail(row, value);
  }
  return { kind: "text", get: (row) => texts[row] ?? null };
}

function keysFromRows(rows: readonly Row[], name: string, fail: Fail): KeyColumn {
  const codes = new Int32Array(rows.length);
  const keys: string[] = [];
  const known = new Map<string, number>();
  for (let row = 0; row < rows.length; row += 1) {
    const value = rowValue(rows[row] as Row, name);
    if (value === null) {
      codes[row] = -1;
      continue;
    }
    const key = keyText(value) ?? fail(row, value);
    let code = known.get(key);
    if (code === undefined) {
      code = keys.length;
      known.set(key, code);
      keys.push(key);
    }
    codes[row] = code;
  }
  return { kind: "key", codes, keys };
}

/** The key of a value; undefined for numbers that are no exact integer: two of them could share one text. */
export function keyText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return value.toString();
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function listsFromRows(rows: readonly Row[], name: string, fail: Fail): ListColumn {
  const offsets = new Int32Array(rows.length + 1);
  let rowValid: Uint8Array | undefined;
  let total = 0;
  for (let row = 0; row < rows.length; row += 1) {
    const value = rowValue(rows[row] as Row, name);
    if (value === null) {
      rowValid ??= new Uint8Array(rows.length).fill(1);
      rowValid[row] = 0;
    } else {
      total += (asList(value) ?? fail(row, value)).length;
    }
    offsets[row + 1] = total;
  }
  const values = new Float64Array(total);
  let valueValid: Uint8Array | undefined;
  for (let row = 0; row < rows.length; row += 1) {
    const list = asList(rowValue(rows[row] as Row, name));
    if (list === null) continue;
    const failAt = (value: unknown, index: number): never => fail(row, value, index);
    valueValid = putNumbers(list, values, offsets[row] as number, valueValid, failAt);
  }
  return { kind: "list", values, offsets, ...(rowValid && { rowValid }), ...(valueValid && { valueValid }) };
}

/**
 * Puts the numbers of a list into `values`, from `start` on; nulls as NaN. Returns the validity of `values`, in which
 * nulls are 0: `valid`, or a new one at the first null.
 */
export function putNumbers(
  list: ArrayLike<unknown>,
  values: Float64Array,
  start: number,
  valid: Uint8Array | undefined,
  fail: (value: unknown, index: number) => never,
): Uint8Array | undefined {
  let known = valid;
  for (let i = 0; i < list.length; i += 1) {
    const value = list[i];
    if (typeof value === "number") {
      values[start + i] = value;
      continue;
    }
    values[start + i] = otherNumber(value) ?? fail(value, i);
    if (value === null || value === undefined) {
      known ??= new Uint8Array(values.length).fill(1);
      known[start + i] = 0;
    }
  }
  return known;
}

function jsonFromRows(rows: readonly Row[], name: string, fail: Fail): JsonColumn {
  let lastRow = -1;
  let lastValue: unknown = null;
  const get = (row: number): unknown => {
    if (row === lastRow) return lastValue;
    const value = rowValue(rows[row] as Row, name);
    lastValue = typeof value === "string" ? parsedText(value, row, fail) : value;
    lastRow = row;
    return lastValue;
  };
  return { kind: "json", get };
}

function parsedText(text: string, row: number, fail: Fail): unknown {
  if (text.trim() === "") return null;
  try {
    return parseJsonLine(text, { exactIntegers: true }).value;
  } catch (error) {
    return fail(row, error);
  }
}

const KIND_TYPES: Readonly<Record<ColumnRequest["kind"], string>> = {
  number: "float64",
  text: "utf8",
  key: "utf8 or int",
  list: "list<float32/64>",
  json: "JSON",
};

/** Throws the error of a value that has another type than its column; `index` is its place in a list. */
export function mistyped(request: ColumnRequest, place: string, value: unknown, index?: number): never {
  const type = COLUMN_TYPES[request.name] ?? KIND_TYPES[request.kind];
  const isLong = request.kind === "key" && Number.isInteger(value);
  const expected =
    index === undefined ? `${type}${isLong ? " (text or BigInt beyond 2^53)" : ""}` : "a number";
  const problem =
    value instanceof SyntaxError
      ? `expected JSON text: ${errorMessage(value)}`
      : `expected ${expected}, found ${shownValue(value)}`;
  const column = index === undefined ? request.name : `${request.name}[${index}]`;
  throw new CalibrantError("data", `${place}: column ${column}: ${problem}`, { place, column: request.name });
}
