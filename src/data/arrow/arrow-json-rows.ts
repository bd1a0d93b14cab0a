import { type Data, DataType, Precision, type RecordBatch, util } from "apache-arrow";
import { dictionaryReader, offsetsOf, validityOf } from "./arrow-layout.ts";
import { dateText, decimalText, timestampText, timeText, unscaledDecimal } from "./arrow-scalars.ts";
import { spanReader } from "./arrow-spans.ts";
import { textReader } from "./arrow-text.ts";
import { isListType, isTextType } from "./arrow-types.ts";
import { base64, intervalReader, unionReader } from "./arrow-values.ts";

type TextOf = (index: number) => string;

const NULL = "null";

/**
 * Each row of a record batch as the text of one JSON object, columns in order, without losing a value: integers and
 * decimals with all their digits, float32 as the double it is, non-finite floats as the strings "NaN", "Infinity" and
 * "-Infinity", timestamps ISO 8601 with the digits of their unit (`Z` with a time zone), dates YYYY-MM-DD, times
 * HH:MM:SS, durations as integers of their unit, intervals as an object of their parts, binary as base64; struct to
 * object, list to array, map to object, or to an array of [key, value] pairs unless its keys are text.
 *
 * @throws Error when a text is not UTF-8.
 */
export function arrowJsonRows(batch: RecordBatch): string[] {
  if (batch.numRows === 0) return [];
  const row = structText(
    batch.schema.fields.map((field) => field.name),
    batch.data.children,
  );
  return Array.from({ length: batch.numRows }, (_, index) => row(index));
}

function jsonText(data: Data): TextOf {
  const { type } = data;
  // An array without values may come without offsets, and nobody has checked what it holds.
  if (DataType.isNull(type) || data.length === 0) return () => NULL;
  if (DataType.isDictionary(type)) {
    const read = dictionaryReader(data, jsonText);
    return (i) => read(i) ?? NULL;
  }
  if (isTextType(type)) {
    const read = textReader(data);
    return (i) => JSON.stringify(read(i));
  }
  if (DataType.isUnion(type)) return unionReader(data, type, jsonText);
  const isValid = validityOf(data);
  const read = nestedText(data) ?? scalarText(data);
  return isValid === null ? read : (i) => (isValid(i) ? read(i) : NULL);
}

function nestedText(data: Data): TextOf | null {
  const { type } = data;
  if (isListType(type)) return listText(data);
  if (DataType.isMap(type)) return mapText(data, isTextType(type.keyType));
  if (!DataType.isStruct(type)) return null;
  return structText(
    type.children.map((field) => field.name),
    data.children,
  );
}

function structText(names: readonly string[], children: readonly Data[]): TextOf {
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  const readers = children.map(jsonText);
  return (index) => `{${readers.map((read, i) => `${keys[i]}${read(index)}`).join(",")}}`;
}

function listText(data: Data): TextOf {
  const item = jsonText(data.children[0] as Data);
  return itemsText(offsetsOf(data), "[", item, "]");
}

function mapText(data: Data, hasTextKeys: boolean): TextOf {
  const [key, value] = (data.children[0] as Data).children.map(jsonText) as [TextOf, TextOf];
  const offsets = offsetsOf(data);
  if (hasTextKeys) return itemsText(offsets, "{", (i) => `${key(i)}:${value(i)}`, "}");
  return itemsText(offsets, "[", (i) => `[${key(i)},${value(i)}]`, "]");
}

function itemsText(offsets: ArrayLike<number>, open: string, item: TextOf, close: string): TextOf {
  return (index) => {
    const begin = offsets[index] as number;
    const end = offsets[index + 1] as number;
    let text = open;
    for (let i = begin; i < end; i += 1) text += i === begin ? item(i) : `,${item(i)}`;
    return text + close;
  };
}

function scalarText(data: Data): TextOf {
  const { type, values, offset } = data;
  if (DataType.isBool(type))
    return (i) => String((((values[(offset + i) >> 3] as number) >> ((offset + i) & 7)) & 1) === 1);
  if (DataType.isInt(type) || DataType.isDuration(type)) return (i) => String(values[i]);
  if (DataType.isFloat(type)) {
    return type.precision === Precision.HALF
      ? (i) => floatText(util.uint16ToFloat64(values[i]))
      : (i) => floatText(values[i] as number);
  }
  if (DataType.isDecimal(type)) return (i) => decimalText(unscaledDecimal(data, i), type.scale);
  if (DataType.isInterval(type)) return intervalText(data);
  const read = quotedScalar(data);
  return (i) => `"${read(i)}"`;
}

/** Values whose text needs quotes but no escapes. */
function quotedScalar(data: Data): TextOf {
  const { type, values } = data;
  if (DataType.isTimestamp(type)) return (i) => timestampText(values[i], type.unit, Boolean(type.timezone));
  if (DataType.isDate(type)) return (i) => dateText(values[i], type.unit);
  if (DataType.isTime(type)) return (i) => timeText(values[i], type.unit);
  return spanReader(data, base64);
}

function intervalText(data: Data): TextOf {
  const read = intervalReader(data);
  return (i) => {
    const parts = Object.entries(read(i)).map(([part, value]) => `"${part}":${value}`);
    return `{${parts.join(",")}}`;
  };
}

function floatText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? "-0" : String(value);
}
