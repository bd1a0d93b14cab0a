import type { Data, RecordBatch, Schema } from "apache-arrow";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { Column, ColumnRequest, FoundColumn, JsonColumn, RolloutBatch, TextColumn } from "../columns.ts";
import { parseJsonLine } from "../jsonl/parse-json-line.ts";
import { keysFromArrow } from "./arrow-keys.ts";
import { listsFromArrow } from "./arrow-lists.ts";
import { numbersFromArrow } from "./arrow-numbers.ts";
import { textReader } from "./arrow-text.ts";
import { foundArrowColumns, isTextType } from "./arrow-types.ts";
import { valueReader } from "./arrow-values.ts";

/** What an error says of a column. */
interface Place {
  readonly fileName: string;
  readonly name: string;
  readonly firstRow: number;
}

/**
 * The requested columns of a record batch as the kernels read them, without row objects. Numbers and lists of floats
 * share the batch's memory where they can; text and JSON are decoded when a row asks for them.
 *
 * @param requests - columns that the batch does not have are left out of the result.
 * @param fileName - what errors call the source.
 * @param firstRow - row number of the batch's first row, from 0, for errors.
 * @throws CalibrantError `schema` when a column cannot be read as the kind requested (ask {@link foundArrowColumns}
 *   first); `data`, also later from a column's `get`, naming file, row and column for text that is not UTF-8 or JSON
 *   that is broken.
 */
export function batchFromArrow(
  batch: RecordBatch,
  requests: readonly ColumnRequest[],
  fileName: string,
  firstRow: number,
): RolloutBatch {
  const columns = new Map<string, Column>();
  const found = foundArrowColumns(batch.schema as Schema);
  for (const request of requests) {
    const index = found.findIndex((column) => column.name === request.name);
    if (index < 0) continue;
    checkKind(found[index] as FoundColumn, request, fileName);
    const place = { fileName, name: request.name, firstRow };
    columns.set(request.name, columnOf(batch.data.children[index] as Data, request, place));
  }
  return { rows: batch.numRows, columns, place: (row) => `${fileName}: row ${firstRow + row}` };
}

function checkKind(column: FoundColumn, request: ColumnRequest, fileName: string): void {
  if (column.kinds.includes(request.kind)) return;
  throw new CalibrantError(
    "schema",
    `${fileName}: column ${column.name} cannot be read as ${request.kind}, its type is ${column.type}`,
    { fileName, column: column.name, kind: request.kind, type: column.type },
  );
}

function columnOf(data: Data, request: ColumnRequest, place: Place): Column {
  // A vector that was made of nothing has no buffers, no children and no dictionary.
  if (data.length === 0) return emptyColumn(request.kind);
  switch (request.kind) {
    case "number":
      return { kind: "number", values: numbersFromArrow(data) };
    case "list":
      return atPlace(place, null, () => listsFromArrow(data));
    case "key":
      return atPlace(place, null, () => keysFromArrow(data));
    case "text":
      return textColumn(data, place);
    case "json":
      return isTextType(data.type) ? jsonTextColumn(data, place) : valueColumn(data, place);
  }
}

function emptyColumn(kind: ColumnRequest["kind"]): Column {
  switch (kind) {
    case "number":
      return { kind, values: new Float64Array(0) };
    case "list":
      return { kind, values: new Float64Array(0), offsets: new Int32Array(1) };
    case "key":
      return { kind, codes: new Int32Array(0), keys: [] };
    case "text":
    case "json":
      return { kind, get: () => null };
  }
}

function textColumn(data: Data, place: Place): TextColumn {
  const read = textReader(data);
  return { kind: "text", get: (row) => atPlace(place, row, () => read(row)) };
}

function valueColumn(data: Data, place: Place): JsonColumn {
  const read = valueReader(data);
  return { kind: "json", get: (row) => atPlace(place, row, () => read(row)) };
}

function jsonTextColumn(data: Data, place: Place): JsonColumn {
  const read = textReader(data);
  return {
    kind: "json",
    get: (row) =>
      atPlace(place, row, () => {
        const text = read(row);
        // Blank text is missing, as in every other format.
        if (text === null || text.trim() === "") return null;
        return parseJsonLine(text, { exactIntegers: true }).value;
      }),
  };
}

function atPlace<T>({ fileName, name, firstRow }: Place, row: number | null, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const where = row === null ? `rows from ${firstRow}` : `row ${firstRow + row}`;
    throw new CalibrantError(
      "data",
      `${fileName}: ${where}, column ${name}: ${errorMessage(error)}`,
      { fileName, column: name, row: row === null ? firstRow : firstRow + row },
      { cause: error },
    );
  }
}
