import { CalibrantError, errorMessage } from "../../errors.ts";
import type { Column, ColumnRequest } from "../columns.ts";
import { parseJsonLine } from "../jsonl/parse-json-line.ts";
import type { ColumnGatherer } from "./column-gatherer.ts";
import { listGatherer } from "./duckdb-lists.ts";
import { isValidAt, numbersOf, type ReadEngineBytes, textsOf } from "./duckdb-vector.ts";
import { grown } from "./grown-array.ts";

/** A gatherer for what the SQL expression of a request gives: DOUBLE, VARCHAR, or lists of numbers. */
export function columnGatherer(
  { name, kind }: ColumnRequest,
  fileName: string,
  read: ReadEngineBytes,
): ColumnGatherer {
  switch (kind) {
    case "number":
      return numberGatherer();
    case "key":
      return keyGatherer(read);
    case "list":
      return listGatherer();
    case "text":
      return textGatherer(read, (texts) => ({ kind, get: (row) => texts[row] ?? null }));
    case "json":
      return textGatherer(read, (texts, firstRow) => ({
        kind,
        get: (row) => parsedText(texts[row] ?? "", { fileName, name, row: firstRow + row }),
      }));
  }
}

function numberGatherer(): ColumnGatherer {
  let values = new Float64Array(0);
  let length = 0;
  return {
    append(vector, rows) {
      const { items, words } = numbersOf(vector);
      values = grown(values, length, length + rows);
      values.set(items.subarray(0, rows), length);
      if (words !== null) {
        for (let i = 0; i < rows; i += 1) if (!isValidAt(words, i)) values[length + i] = Number.NaN;
      }
      length += rows;
      return rows * 8;
    },
    take() {
      const column: Column = { kind: "number", values: values.subarray(0, length) };
      values = new Float64Array(length);
      length = 0;
      return column;
    },
  };
}

function keyGatherer(read: ReadEngineBytes): ColumnGatherer {
  let codes = new Int32Array(0);
  let keys: string[] = [];
  let codeOf = new Map<string, number>();
  let length = 0;
  return {
    append(vector, rows) {
      const chunk = textsOf(vector, rows, read);
      codes = grown(codes, length, length + rows);
      let bytes = rows * 4;
      for (let i = 0; i < rows; i += 1) {
        const key = chunk[i] as string | null;
        let code = key === null ? -1 : codeOf.get(key);
        if (code === undefined) {
          code = keys.length;
          codeOf.set(key as string, code);
          keys.push(key as string);
          bytes += (key as string).length;
        }
        codes[length + i] = code;
      }
      length += rows;
      return bytes;
    },
    take() {
      const column: Column = { kind: "key", codes: codes.subarray(0, length), keys };
      codes = new Int32Array(length);
      keys = [];
      codeOf = new Map();
      length = 0;
      return column;
    },
  };
}

function textGatherer(
  read: ReadEngineBytes,
  columnOf: (texts: readonly (string | null)[], firstRow: number) => Column,
): ColumnGatherer {
  let texts: (string | null)[] = [];
  return {
    append(vector, rows) {
      const chunk = textsOf(vector, rows, read);
      let bytes = rows * 8;
      for (let i = 0; i < rows; i += 1) {
        const value = chunk[i] as string | null;
        texts.push(value);
        bytes += value?.length ?? 0;
      }
      return bytes;
    },
    take(firstRow) {
      const taken = texts;
      texts = [];
      return columnOf(taken, firstRow);
    },
  };
}

/** Blank text is missing, as in every other format. */
function parsedText(text: string, place: { fileName: string; name: string; row: number }): unknown {
  if (text.trim() === "") return null;
  try {
    return parseJsonLine(text, { exactIntegers: true }).value;
  } catch (error) {
    throw new CalibrantError(
      "data",
      `${place.fileName}: row ${place.row}, column ${place.name}: ${errorMessage(error)}`,
      { fileName: place.fileName, column: place.name, row: place.row },
      { cause: error },
    );
  }
}
