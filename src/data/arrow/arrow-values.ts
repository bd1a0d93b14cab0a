import { type Data, DataType, Precision, type Union, UnionMode, util } from "apache-arrow";
import { dictionaryReader, nullable, offsetsOf } from "./arrow-layout.ts";
import { dateText, decimalText, timestampText, timeText, unscaledDecimal } from "./arrow-scalars.ts";
import { spanReader } from "./arrow-spans.ts";
import { textReader } from "./arrow-text.ts";
import { isListType, isTextType } from "./arrow-types.ts";

type Reader = (index: number) => unknown;

/**
 * Reads the values of an array by position as what a JSON parser of this package gives for the same data: struct as
 * object, list as array, map as object (as an array of [key, value] pairs unless its keys are text), null and missing
 * as null, integers beyond 2^53 as BigInt, dates and times as ISO 8601 text, binary as base64 text.
 */
export function valueReader(data: Data): Reader {
  const { type } = data;
  if (DataType.isNull(type)) return () => null;
  if (DataType.isDictionary(type)) return dictionaryReader(data, valueReader);
  if (isTextType(type)) return textReader(data);
  if (DataType.isUnion(type)) return unionReader(data, type, valueReader);
  return nullable(data, nestedValue(data) ?? scalarValue(data));
}

/** Reads a union by position: the value of the child that a slot names. */
export function unionReader<T>(
  data: Data,
  type: Union,
  readerOf: (child: Data) => (index: number) => T,
): (index: number) => T {
  const readers = data.children.map(readerOf);
  const typeIds = data.typeIds as Int8Array;
  const offsets = type.mode === UnionMode.Dense ? (data.valueOffsets as Int32Array) : null;
  return (index) => {
    const read = readers[type.typeIdToChildIndex[typeIds[index] as number] as number];
    return (read as (index: number) => T)(offsets === null ? index : (offsets[index] as number));
  };
}

/** Base64 of some bytes, how binary values travel in JSON. */
export function base64(bytes: Buffer, begin: number, end: number): string {
  return bytes.toString("base64", begin, end);
}

/** The parts of an interval by position, each as an exact integer. */
export function intervalReader(data: Data): (index: number) => Readonly<Record<string, number | bigint>> {
  const values = data.values as Int32Array;
  const { stride } = data;
  if (stride === 1) return (i) => ({ months: values[i] as number });
  if (stride === 2)
    return (i) => ({ days: values[2 * i] as number, milliseconds: values[2 * i + 1] as number });
  return (i) => ({
    months: values[4 * i] as number,
    days: values[4 * i + 1] as number,
    nanoseconds: (BigInt(values[4 * i + 3] as number) << 32n) | BigInt((values[4 * i + 2] as number) >>> 0),
  });
}

function nestedValue(data: Data): Reader | null {
  const { type } = data;
  if (isListType(type)) return listValue(data);
  if (DataType.isStruct(type)) return structValue(data);
  return DataType.isMap(type) ? mapValue(data) : null;
}

function listValue(data: Data): Reader {
  const offsets = offsetsOf(data);
  const read = valueReader(data.children[0] as Data);
  return (index) => {
    const list: unknown[] = [];
    for (let i = offsets[index] as number; i < (offsets[index + 1] as number); i += 1) list.push(read(i));
    return list;
  };
}

function structValue(data: Data): Reader {
  const names = data.type.children.map((field: { name: string }) => field.name) as string[];
  const readers = data.children.map(valueReader);
  return (index) => Object.fromEntries(names.map((name, i) => [name, (readers[i] as Reader)(index)]));
}

function mapValue(data: Data): Reader {
  const offsets = offsetsOf(data);
  const [key, value] = (data.children[0] as Data).children.map(valueReader) as [Reader, Reader];
  const hasTextKeys = DataType.isMap(data.type) && isTextType(data.type.keyType);
  return (index) => {
    const entries: [unknown, unknown][] = [];
    for (let i = offsets[index] as number; i < (offsets[index + 1] as number); i += 1)
      entries.push([key(i), value(i)]);
    return hasTextKeys ? Object.fromEntries(entries) : entries;
  };
}

function scalarValue(data: Data): Reader {
  const { type, values, offset } = data;
  if (DataType.isBool(type))
    return (i) => (((values[(offset + i) >> 3] as number) >> ((offset + i) & 7)) & 1) === 1;
  if (DataType.isFloat(type) && type.precision === Precision.HALF)
    return (i) => util.uint16ToFloat64(values[i]);
  if (DataType.isInt(type) || DataType.isFloat(type) || DataType.isDuration(type))
    return (i) => exactNumber(values[i]);
  if (DataType.isDecimal(type)) return (i) => decimalNumber(unscaledDecimal(data, i), type.scale);
  if (DataType.isTimestamp(type)) return (i) => timestampText(values[i], type.unit, Boolean(type.timezone));
  if (DataType.isDate(type)) return (i) => dateText(values[i], type.unit);
  if (DataType.isTime(type)) return (i) => timeText(values[i], type.unit);
  if (DataType.isInterval(type)) return intervalValue(data);
  return spanReader(data, base64);
}

function intervalValue(data: Data): Reader {
  const read = intervalReader(data);
  return (i) =>
    Object.fromEntries(Object.entries(read(i)).map(([part, value]) => [part, exactNumber(value)]));
}

function exactNumber(value: number | bigint): number | bigint {
  if (typeof value === "number") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Whole decimals as integers, others as the nearest double, as a JSON parser reads the same digits. */
function decimalNumber(unscaled: bigint, scale: number): number | bigint {
  const text = decimalText(unscaled, scale);
  return scale > 0 ? Number(text) : exactNumber(BigInt(text));
}
