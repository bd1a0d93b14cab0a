import {
  DataType,
  DateUnit,
  type Field,
  IntervalUnit,
  Precision,
  type Schema,
  TimeUnit,
  UnionMode,
} from "apache-arrow";
import type { ColumnKind, FoundColumn } from "../columns.ts";

/**
 * An Arrow type in words, close to how pyarrow prints it: `large_list<float>`, `dictionary<int8, utf8>`,
 * `timestamp[us, tz=UTC]`, `decimal128(10, 2)`.
 */
export function describeArrowType(type: DataType): string {
  if (DataType.isDictionary(type)) {
    return `dictionary<${describeArrowType(type.indices)}, ${describeArrowType(type.dictionary)}>`;
  }
  return nestedName(type) ?? temporalName(type) ?? plainName(type);
}

/**
 * The columns of a schema with the kinds each can be read as by {@link batchFromArrow}. A column of the null type
 * (all values missing) can be read as anything; dictionaries as what their values can.
 */
export function foundArrowColumns(schema: Schema): FoundColumn[] {
  return schema.fields.map(({ name, type }) => ({
    name,
    type: describeArrowType(type),
    kinds: kindsOf(type),
  }));
}

/** Whether values of the type are numbers: integers, floats, booleans (1/0), decimals, nulls. */
export function isNumberType(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isNumberType(type.dictionary);
  return (
    DataType.isInt(type) ||
    DataType.isFloat(type) ||
    DataType.isBool(type) ||
    DataType.isDecimal(type) ||
    DataType.isNull(type)
  );
}

/** Whether values of the type are text, in any of Arrow's three layouts. */
export function isTextType(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isTextType(type.dictionary);
  return (
    DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type) || DataType.isNull(type)
  );
}

/** Whether values of the type are lists, in any layout that apache-arrow reads. */
export function isListType(type: DataType): boolean {
  return DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type);
}

function isKeyType(type: DataType): boolean {
  return isTextType(type) || DataType.isInt(DataType.isDictionary(type) ? type.dictionary : type);
}

function isJsonType(type: DataType): boolean {
  const values = DataType.isDictionary(type) ? type.dictionary : type;
  return isTextType(values) || isListType(values) || DataType.isStruct(values) || DataType.isMap(values);
}

function kindsOf(type: DataType): ColumnKind[] {
  const kinds: ColumnKind[] = [];
  if (isNumberType(type)) kinds.push("number");
  if (isTextType(type)) kinds.push("text");
  if (isKeyType(type)) kinds.push("key");
  if (DataType.isNull(type) || (isListType(type) && isNumberType(childType(type)))) kinds.push("list");
  if (isJsonType(type)) kinds.push("json");
  return kinds;
}

function childType(type: DataType): DataType {
  return (type.children[0] as Field).type as DataType;
}

function nestedName(type: DataType): string | null {
  const inner = (): string => describeArrowType(childType(type));
  if (DataType.isList(type)) return `list<${inner()}>`;
  if (DataType.isLargeList(type)) return `large_list<${inner()}>`;
  if (DataType.isFixedSizeList(type)) return `fixed_size_list<${inner()}>[${type.listSize}]`;
  if (DataType.isMap(type))
    return `map<${describeArrowType(type.keyType)}, ${describeArrowType(type.valueType)}>`;
  if (DataType.isStruct(type)) return `struct<${fieldNames(type)}>`;
  if (!DataType.isUnion(type)) return null;
  return `${type.mode === UnionMode.Dense ? "dense" : "sparse"}_union<${fieldNames(type)}>`;
}

function fieldNames(type: DataType): string {
  return type.children.map((field: Field) => `${field.name}: ${describeArrowType(field.type)}`).join(", ");
}

function temporalName(type: DataType): string | null {
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? "date32[day]" : "date64[ms]";
  if (DataType.isTime(type)) return `time${type.bitWidth}[${UNITS[type.unit]}]`;
  if (DataType.isTimestamp(type)) {
    return `timestamp[${UNITS[type.unit]}${type.timezone ? `, tz=${type.timezone}` : ""}]`;
  }
  if (DataType.isDuration(type)) return `duration[${UNITS[type.unit]}]`;
  return DataType.isInterval(type) ? `${INTERVALS[type.unit]}_interval` : null;
}

function plainName(type: DataType): string {
  if (DataType.isInt(type)) return `${type.isSigned ? "" : "u"}int${type.bitWidth}`;
  if (DataType.isFloat(type)) return FLOATS[type.precision];
  if (DataType.isDecimal(type)) return `decimal${type.bitWidth}(${type.precision}, ${type.scale})`;
  if (DataType.isFixedSizeBinary(type)) return `fixed_size_binary[${type.byteWidth}]`;
  if (DataType.isNull(type)) return "null";
  if (DataType.isBool(type)) return "bool";
  if (DataType.isUtf8(type)) return "utf8";
  if (DataType.isLargeUtf8(type)) return "large_utf8";
  if (DataType.isUtf8View(type)) return "utf8_view";
  if (DataType.isBinary(type)) return "binary";
  if (DataType.isLargeBinary(type)) return "large_binary";
  return DataType.isBinaryView(type) ? "binary_view" : String(type);
}

const UNITS: Readonly<Record<TimeUnit, string>> = {
  [TimeUnit.SECOND]: "s",
  [TimeUnit.MILLISECOND]: "ms",
  [TimeUnit.MICROSECOND]: "us",
  [TimeUnit.NANOSECOND]: "ns",
};

const INTERVALS: Readonly<Record<IntervalUnit, string>> = {
  [IntervalUnit.YEAR_MONTH]: "month",
  [IntervalUnit.DAY_TIME]: "day_time",
  [IntervalUnit.MONTH_DAY_NANO]: "month_day_nano",
};

const FLOATS: Readonly<Record<Precision, string>> = {
  [Precision.HALF]: "halffloat",
  [Precision.SINGLE]: "float",
  [Precision.DOUBLE]: "double",
};
