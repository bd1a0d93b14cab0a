import {
  Bool,
  type Data,
  type DataType,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import { CalibrantError } from "../../errors.ts";
import { COLUMN_TYPES } from "../column-types.ts";
import { jsonText } from "../jsonl/json-text.ts";
import { nonFiniteFromWord } from "../jsonl/non-finite.ts";
import { type RowShape, type StorageType, seeValue, storageType, unknownShape } from "../jsonl/row-shape.ts";
import { asList, type Row, rawValue, rowPlace, shownValue } from "../jsonl/row-value.ts";

/** Finds the one Arrow schema that holds all rows added. */
export interface RowSchemaBuilder {
  /**
   * @param lineNumbers - (rows) line of each row in its file; without it errors give the row's index.
   * @throws CalibrantError `data` when a column's name has half of a surrogate pair.
   */
  add(rows: readonly Row[], name: string, lineNumbers?: Int32Array): void;
  /** @throws CalibrantError `schema` when a column has no one type, naming the column, both types and a place of each. */
  finish(): Schema;
}

/**
 * Collects the columns of rows, in order of first appearance, and their types:
 *
 * - integers → Int64, also beyond 2^53 (BigInt); other numbers, or integers among them → Float64, unless an integer
 *   would lose digits; booleans → Bool; strings → Utf8; a column that is null in every row → Utf8.
 * - lists of these, also nested → List; a column of only empty lists → List<Float64> where the column is known as a list
 *   of numbers, else JSON text.
 * - whatever holds objects, at any depth → Utf8 with compact JSON text, strings beside them as they are: Parquet cannot
 *   store an empty object, and tool-call arguments have other fields in every row.
 * - NaN is missing in columns other than numbers; the strings "NaN", "Infinity" and "-Infinity" are numbers among numbers.
 *
 * Booleans, numbers, text and lists do not mix in one column. Memory grows with the columns, not with the rows.
 */
export function createRowSchema(): RowSchemaBuilder {
  const shapes = new Map<string, RowShape>();
  return {
    add(rows, name, lineNumbers) {
      for (let row = 0; row < rows.length; row += 1) {
        const fields = rows[row] as Row;
        for (const column of Object.keys(fields)) {
          let shape = shapes.get(column);
          if (shape === undefined) {
            if (!isWellFormed(column)) throw notText(rowPlace(name, row, lineNumbers), column, "name");
            shape = unknownShape();
            shapes.set(column, shape);
          }
          seeValue(shape, rawValue(fields, column), () => rowPlace(name, row, lineNumbers));
        }
      }
    },
    finish() {
      const fields = [...shapes].map(
        ([name, shape]) => new Field(name, columnType(name, storageType(shape, name)), true),
      );
      return new Schema(fields);
    },
  };
}

function columnType(name: string, storage: StorageType | null): DataType {
  if (storage === null) return new Utf8();
  const isEmptyList = storage.kind === "list" && storage.element === null;
  if (isEmptyList && !/^list<(float|bool)/.test(COLUMN_TYPES[name] ?? "")) return new Utf8();
  return arrowType(storage);
}

function arrowType(storage: StorageType): DataType {
  if (storage.kind === "bool") return new Bool();
  if (storage.kind === "int64") return new Int64();
  if (storage.kind === "float64") return new Float64();
  if (storage.kind !== "list") return new Utf8();
  return new List(
    new Field("item", storage.element === null ? new Float64() : arrowType(storage.element), true),
  );
}

/**
 * Rows as one Arrow record batch, by the rules of {@link createRowSchema}. A field that a row lacks is null.
 *
 * @param schema - from {@link createRowSchema}; made from other rows, it may not fit these.
 * @param name - how errors name the source.
 * @param lineNumbers - (rows) line of each row in its file; without it errors give the row's index.
 * @throws CalibrantError `data` when a row has a column or a value that the schema does not hold, or text with half of a
 * surrogate pair, which UTF-8 has not, naming row and column;
 * `schema` for a type that {@link createRowSchema} does not make.
 */
export function recordBatchFromRows(
  rows: readonly Row[],
  schema: Schema,
  name = "rows",
  lineNumbers?: Int32Array,
): RecordBatch {
  const place = (row: number): string => rowPlace(name, row, lineNumbers);
  assertKnownColumns(rows, schema, place);
  const children = schema.fields.map((field) => {
    const values = rows.map((row) => rawValue(row, field.name));
    return dataFromValues(values, field.type, (row, value) => {
      if (typeof value === "string" && !isWellFormed(value)) throw notText(place(row), field.name, "value");
      const problem = `column ${field.name}: expected ${field.type}, as in the rows before, found ${shownValue(value)}`;
      throw new CalibrantError("data", `${place(row)}: ${problem}`, { column: field.name });
    });
  });
  const struct = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type: struct, length: rows.length, nullCount: 0, children }));
}

/** Whether there is no half of a surrogate pair; every Node.js from 20 has the method, the language level here lacks it. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** UTF-8 has no lone surrogates: they would turn into U+FFFD. */
function notText(place: string, column: string, what: "name" | "value"): CalibrantError {
  const subject = what === "name" ? "a column name" : `column ${column}`;
  return new CalibrantError(
    "data",
    `${place}: ${subject} has half of a surrogate pair, which only .jsonl can hold, write .jsonl or mend the text`,
    { column },
  );
}

function assertKnownColumns(rows: readonly Row[], schema: Schema, place: (row: number) => string): void {
  const known = new Set(schema.fields.map((field) => field.name));
  for (let row = 0; row < rows.length; row += 1) {
    for (const column of Object.keys(rows[row] as Row)) {
      if (known.has(column)) continue;
      throw new CalibrantError(
        "data",
        `${place(row)}: the columns were fixed by the rows before, write .jsonl or give a file; found new column ${column}`,
        { column },
      );
    }
  }
}

/** Throws for a value that its column cannot hold. */
type Fail = (index: number, value: unknown) => never;

function dataFromValues(values: readonly unknown[], type: DataType, fail: Fail): Data {
  if (type instanceof Float64) return floatData(values, fail);
  if (type instanceof Int64) return intData(values, fail);
  if (type instanceof Bool) return boolData(values, fail);
  if (type instanceof List) return listData(values, type, fail);
  if (type instanceof Utf8) return textData(values, fail);
  throw new CalibrantError("schema", `rows are not written as this type: ${type}`);
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "number" && Number.isNaN(value));
}

interface Validity {
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array | null;
}

/** One bit a value, 0 where it is missing; no bitmap when none is. */
function validity(values: readonly unknown[], missing: (value: unknown) => boolean): Validity {
  let bitmap: Uint8Array | null = null;
  let nullCount = 0;
  for (let i = 0; i < values.length; i += 1) {
    if (!missing(values[i])) continue;
    bitmap ??= new Uint8Array((values.length + 7) >> 3).fill(255);
    bitmap[i >> 3] = (bitmap[i >> 3] as number) & ~(1 << (i & 7));
    nullCount += 1;
  }
  return { nullCount, nullBitmap: bitmap };
}

function floatData(values: readonly unknown[], fail: Fail): Data {
  const data = new Float64Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === null || value === undefined) continue;
    data[i] = typeof value === "number" ? value : (exactFloat(value) ?? fail(i, value));
  }
  const { nullCount, nullBitmap } = validity(values, (value) => value === null || value === undefined);
  return makeData({ type: new Float64(), length: values.length, nullCount, nullBitmap, data });
}

/** The double that equals a BigInt or stands for a word such as "NaN"; undefined for anything else. */
function exactFloat(value: unknown): number | undefined {
  if (typeof value === "bigint") return BigInt(Number(value)) === value ? Number(value) : undefined;
  return typeof value === "string" ? nonFiniteFromWord(value) : undefined;
}

function intData(values: readonly unknown[], fail: Fail): Data {
  const data = new BigInt64Array(values.length);
  const halves = new Int32Array(data.buffer);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (isMissing(value)) continue;
    if (typeof value === "number" && Number.isSafeInteger(value)) {
      // Two halves are many times faster than BigInt(value); typed arrays are little-endian as Arrow is.
      halves[2 * i] = value | 0;
      halves[2 * i + 1] = Math.floor(value / 4294967296);
    } else if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) {
      data[i] = value;
    } else fail(i, value);
  }
  return makeData({ type: new Int64(), length: values.length, ...validity(values, isMissing), data });
}

function boolData(values: readonly unknown[], fail: Fail): Data {
  const data = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === true) data[i >> 3] = (data[i >> 3] as number) | (1 << (i & 7));
    else if (value !== false && !isMissing(value)) fail(i, value);
  }
  return makeData({ type: new Bool(), length: values.length, ...validity(values, isMissing), data });
}

function textData(values: readonly unknown[], fail: Fail): Data {
  const texts = values.map((value, i) => {
    if (typeof value === "string") return isWellFormed(value) ? value : fail(i, value);
    if (isMissing(value)) return "";
    return typeof value === "object" ? jsonText(value) : fail(i, value);
  });
  const valueOffsets = new Int32Array(values.length + 1);
  let size = 0;
  for (let i = 0; i < texts.length; i += 1) {
    size += Buffer.byteLength(texts[i] as string);
    if (size > 0x7fffffff)
      throw new CalibrantError("data", `a text column may hold 2 GiB in one batch, found ${size} bytes`);
    valueOffsets[i + 1] = size;
  }
  const data = Buffer.allocUnsafeSlow(size);
  for (let i = 0; i < texts.length; i += 1) data.write(texts[i] as string, valueOffsets[i] as number);
  return makeData({
    type: new Utf8(),
    length: values.length,
    ...validity(values, isMissing),
    valueOffsets,
    data,
  });
}

function listData(values: readonly unknown[], type: List, fail: Fail): Data {
  const valueOffsets = new Int32Array(values.length + 1);
  let total = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (!isMissing(value)) total += (asList(value) ?? fail(i, value)).length;
    valueOffsets[i + 1] = total;
  }
  const elements = new Array<unknown>(total);
  const owner = new Int32Array(total);
  for (let i = 0; i < values.length; i += 1) {
    const start = valueOffsets[i] as number;
    for (let at = start; at < (valueOffsets[i + 1] as number); at += 1) {
      elements[at] = (values[i] as readonly unknown[])[at - start];
      owner[at] = i;
    }
  }
  const element = type.children[0] as Field;
  const child = dataFromValues(elements, element.type, (at, value) => fail(owner[at] as number, value));
  return makeData<List>({ type, length: values.length, ...validity(values, isMissing), valueOffsets, child });
}
