import {
  type Data,
  type DataType,
  Field,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import { CalibrantError } from "../../errors.ts";
import type { ListResult, ResultColumn } from "../columns.ts";
import { resultRows } from "../result-rows.ts";

/** What a schema needs to know of a column to add. */
export type AppendedColumn = Pick<ResultColumn, "name" | "type">;

/**
 * A schema with columns added behind its own, all nullable: `double`, `utf8`, or lists of nullable `double` or
 * `int32`. The fields there keep type and metadata.
 *
 * @param metadata - further entries of the schema's own metadata; they replace entries of the same key.
 * @throws CalibrantError `data` when a column of that name is there already.
 */
export function appendedSchema(
  schema: Schema,
  columns: readonly AppendedColumn[],
  metadata: ReadonlyMap<string, string> = new Map(),
): Schema {
  const names = new Set(schema.fields.map((field) => field.name));
  const fields = columns.map(({ name, type }) => {
    if (names.has(name)) {
      throw new CalibrantError(
        "data",
        `the input already has a column of this name, rename or drop it: ${name}`,
        {
          column: name,
        },
      );
    }
    names.add(name);
    return new Field(name, arrowTypeOf(type), true);
  });
  return new Schema(
    [...schema.fields, ...fields],
    new Map([...schema.metadata, ...metadata]),
    new Map(schema.dictionaries),
  );
}

/**
 * A record batch with result columns added; its own columns keep their memory, and NaN (an element of a list too) or
 * -1 of codes and int32 becomes null.
 *
 * @param columns - one value a row of the batch each, in the order of {@link appendedSchema}.
 * @param schema - what {@link appendedSchema} made of the batch's schema and these columns.
 * @throws CalibrantError `length-mismatch` when a column has not one value a row.
 */
export function appendArrowColumns(
  batch: RecordBatch,
  columns: readonly ResultColumn[],
  schema: Schema,
): RecordBatch {
  const added = columns.map((column) => {
    const length = resultRows(column);
    if (length === batch.numRows) return resultData(column);
    throw new CalibrantError(
      "length-mismatch",
      `result column ${column.name} must have ${batch.numRows} values, one a row, got ${length}`,
      { column: column.name, rows: batch.numRows, length },
    );
  });
  const children: Data[] = [...batch.data.children, ...added];
  const data = makeData({ type: new Struct(schema.fields), length: batch.numRows, nullCount: 0, children });
  return new RecordBatch(schema, data, batch.metadata);
}

function arrowTypeOf(type: ResultColumn["type"]): DataType {
  if (type === "float64") return new Float64();
  if (type === "utf8") return new Utf8();
  const item = type === "list<float64>" ? new Float64() : new Int32();
  return new List(new Field("item", item, true));
}

/** A result column as Arrow data. */
export function resultData(column: ResultColumn): Data {
  if (column.type === "float64") return numberData(column.values);
  return column.type === "utf8" ? textData(column) : listData(column);
}

function listData(column: ListResult): Data {
  const { offsets, rowValid, type } = column;
  const rows = offsets.length - 1;
  const start = offsets[0] as number;
  const end = offsets[rows] as number;
  const child =
    column.type === "list<float64>"
      ? numberData(column.values.subarray(start, end))
      : countData(column.values.subarray(start, end));
  const valueOffsets = start === 0 ? offsets : offsets.map((offset) => offset - start);
  const validity =
    rowValid === undefined ? { nullCount: 0 } : validityBits(rows, (row) => rowValid[row] !== 0);
  return makeData({ type: arrowTypeOf(type) as List, length: rows, valueOffsets, child, ...validity });
}

function countData(values: Int32Array): Data<Int32> {
  const validity = validityBits(values.length, (at) => (values[at] as number) >= 0);
  return makeData({ type: new Int32(), length: values.length, data: values, ...validity });
}

function numberData(values: Float64Array): Data<Float64> {
  const validity = validityBits(values.length, (row) => !Number.isNaN(values[row]));
  return makeData({ type: new Float64(), length: values.length, data: values, ...validity });
}

function textData({ codes, dictionary }: Extract<ResultColumn, { type: "utf8" }>): Data<Utf8> {
  const words = dictionary.map((word) => Buffer.from(word, "utf8"));
  const valueOffsets = new Int32Array(codes.length + 1);
  let end = 0;
  for (let row = 0; row < codes.length; row += 1) {
    end += words[codes[row] as number]?.length ?? 0;
    valueOffsets[row + 1] = end;
  }
  const data = new Uint8Array(end);
  for (let row = 0; row < codes.length; row += 1) {
    const word = words[codes[row] as number];
    if (word !== undefined) data.set(word, valueOffsets[row]);
  }
  const validity = validityBits(codes.length, (row) => (codes[row] as number) >= 0);
  return makeData({ type: new Utf8(), length: codes.length, valueOffsets, data, ...validity });
}

/** Arrow's validity bitmap, least significant bit first; none when every row is valid. */
function validityBits(
  rows: number,
  isValid: (row: number) => boolean,
): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(rows / 64) * 8);
  let valid = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isValid(row)) continue;
    valid += 1;
    nullBitmap[row >> 3] = (nullBitmap[row >> 3] as number) | (1 << (row & 7));
  }
  return valid === rows ? { nullCount: 0 } : { nullCount: rows - valid, nullBitmap };
}
