import { CalibrantError } from "../../errors.ts";
import type { ListResult, ResultColumn } from "../columns.ts";
import { resultRows } from "../result-rows.ts";

const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;
/** Characters of the longest number in JavaScript's shortest form, such as -0.0000012345678901234567. */
const LONGEST_NUMBER = 25;

/**
 * JSON Lines with result columns added. Each original line is kept byte for byte (key order, digits, bare NaN), with
 * `,"name":value` put before its last `}`, and ends in LF whatever ended it before.
 *
 * Numbers are in JavaScript's shortest form that reads back equal; NaN and code -1 are null, and ±Infinity are the
 * strings `"Infinity"` and `"-Infinity"`; the same in lists, where -1 of int32 is null too. Text that is JSON stands as its value. Added text is ASCII: other characters are escaped. A name that a row already
 * has appears twice in its line; JSON readers keep the last, so callers refuse or rename such columns beforehand.
 *
 * @param bytes - a chunk of lines, each one JSON object.
 * @param lineStarts - (rows) first byte of each line.
 * @param lineEnds - (rows) byte after each line; blanks and a line ending before it are dropped.
 * @param columns - each with one value a row; none copies the lines.
 * @throws CalibrantError `length-mismatch` when a column has another number of rows, `data` when a line has no `}`.
 */
export function appendToLines(
  bytes: Uint8Array,
  lineStarts: Int32Array,
  lineEnds: Int32Array,
  columns: readonly ResultColumn[],
): Uint8Array {
  const rows = lineStarts.length;
  for (const column of columns) {
    const length = resultRows(column);
    if (length !== rows) {
      throw new CalibrantError(
        "length-mismatch",
        `column ${column.name}: expected ${rows} rows, got ${length}`,
      );
    }
  }
  const fields = columns.map(fieldWriter);
  const out = Buffer.allocUnsafeSlow(
    bytes.length + fields.reduce((sum, field) => sum + field.most, 2 * rows),
  );
  let used = 0;
  for (let row = 0; row < rows; row += 1) {
    const start = lineStarts[row] as number;
    const end = lastBrace(bytes, start, lineEnds[row] as number, row);
    out.set(bytes.subarray(start, end), used);
    used += end - start;
    let text = fields.length === 0 || isOpen(bytes, start, end) ? "" : ",";
    for (let at = 0; at < fields.length; at += 1) {
      const field = (fields[at] as FieldWriter).text(row);
      text += at === 0 ? field : `,${field}`;
    }
    used += out.write(`${text}}\n`, used, "latin1");
  }
  return new Uint8Array(out.buffer, 0, used);
}

/** Writes the `"name":value` of one column; `most` is the largest number of bytes, with commas, that all its rows can take. */
interface FieldWriter {
  readonly most: number;
  readonly text: (row: number) => string;
}

function fieldWriter(column: ResultColumn): FieldWriter {
  const label = `${asciiJson(column.name)}:`;
  const rows = resultRows(column);
  if (column.type === "float64") {
    const { values } = column;
    return {
      most: rows * (label.length + LONGEST_NUMBER + 1),
      text: (row) => label + numberText(values[row] as number),
    };
  }
  if (column.type !== "utf8") return listWriter(column, label, rows);
  const { codes } = column;
  const missing = `${label}null`;
  const write = column.isJson === true ? ascii : asciiJson;
  const words = column.dictionary.map((word) => label + write(word));
  const longest = words.reduce((length, word) => Math.max(length, word.length), missing.length);
  return { most: rows * (longest + 1), text: (row) => words[codes[row] as number] ?? missing };
}

function listWriter(column: ListResult, label: string, rows: number): FieldWriter {
  const { values, offsets, rowValid } = column;
  const text = column.type === "list<int32>" ? countText : numberText;
  const elements = (offsets[rows] as number) - (offsets[0] as number);
  return {
    most: rows * (label.length + "null,".length) + elements * (LONGEST_NUMBER + 1),
    text(row) {
      if (rowValid !== undefined && rowValid[row] === 0) return `${label}null`;
      const end = offsets[row + 1] as number;
      let list = "";
      for (let at = offsets[row] as number; at < end; at += 1)
        list += `${list === "" ? "" : ","}${text(values[at] as number)}`;
      return `${label}[${list}]`;
    },
  };
}

function countText(value: number): string {
  return value < 0 ? "null" : String(value);
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "null" : `"${value}"`;
}

function asciiJson(text: string): string {
  return ascii(JSON.stringify(text));
}

/** JSON text with every character outside ASCII escaped: it stands in strings only. */
function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The position of the `}` that ends a line. */
function lastBrace(bytes: Uint8Array, start: number, end: number, row: number): number {
  for (let at = end - 1; at > start; at -= 1) {
    if (bytes[at] === BRACE_CLOSE) return at;
  }
  throw new CalibrantError("data", `row ${row} of the chunk is not one JSON object a line`, { row });
}

/** Whether the object that ends at `end` has no field: only blanks lie between its braces. */
function isOpen(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = end - 1; at > start; at -= 1) {
    const byte = bytes[at] as number;
    if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  }
  return bytes[start] === BRACE_OPEN;
}
