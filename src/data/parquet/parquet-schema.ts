import type { ColumnKind, FoundColumn } from "../columns.ts";
import { type ParquetFooter, readParquetFooter } from "./parquet-footer.ts";
import { type ParquetNode, parquetAnnotation } from "./parquet-tree.ts";
import type { ThriftStruct } from "./thrift-compact.ts";
import { thriftBool, thriftNumber, thriftStruct } from "./thrift-fields.ts";

/**
 * The columns of a Parquet file, their types in Arrow's words and the kinds that each can be read as. Only the
 * footer is read, and no package is needed.
 *
 * - `number`: integers, floats, booleans, decimals; `key`: text and integers; `text`: text;
 * - `list`: lists of numbers or booleans, in the three-level form, the older two-level ones and plain repeated fields;
 * - `json`: text, lists, structs and maps;
 * - a column of type null (nothing but nulls) can be read as anything.
 *
 * @throws CalibrantError as `readParquetFooter`.
 */
export async function foundParquetColumns(path: string): Promise<FoundColumn[]> {
  return parquetColumnsOf(await readParquetFooter(path));
}

/** As {@link foundParquetColumns}, from a footer that was read before. */
export function parquetColumnsOf(footer: ParquetFooter): FoundColumn[] {
  return footer.root.children.map((node) => ({
    name: node.name,
    type: describeParquetType(node),
    kinds: kindsOf(shapeOf(node)),
  }));
}

/** The type of a schema element in Arrow's words, for example `list<float>` or `struct<a: int64>`. */
export function describeParquetType(node: ParquetNode): string {
  return wordsOf(shapeOf(node));
}

/** A column as its readers see it: a leaf's word, or what it is made of. */
type Shape =
  | { readonly is: "leaf"; readonly word: string }
  | { readonly is: "list"; readonly item: Shape }
  | { readonly is: "map"; readonly key: Shape; readonly value: Shape }
  | { readonly is: "struct"; readonly fields: readonly { readonly name: string; readonly shape: Shape }[] };

const LOGICAL_MAP = 2;
const LOGICAL_LIST = 3;
const CONVERTED_MAP = 1;
const CONVERTED_MAP_KEY_VALUE = 2;
const CONVERTED_LIST = 3;

function shapeOf(node: ParquetNode): Shape {
  // A repeated field that no list annotation wraps is a list of required elements.
  return node.repetition === "repeated" ? { is: "list", item: shapeOfOne(node) } : shapeOfOne(node);
}

function shapeOfOne(node: ParquetNode): Shape {
  if (node.children.length === 0) return { is: "leaf", word: leafWord(node) };
  const { logical, converted } = parquetAnnotation(node);
  const [only, ...others] = node.children;
  if (only?.repetition === "repeated" && others.length === 0) {
    if (logical === LOGICAL_LIST || converted === CONVERTED_LIST)
      return { is: "list", item: listItem(only, node.name) };
    const isMap =
      logical === LOGICAL_MAP || converted === CONVERTED_MAP || converted === CONVERTED_MAP_KEY_VALUE;
    const [key, value] = only.children;
    // A map without values is read as the list of its keys.
    if (isMap && key !== undefined && value === undefined) return { is: "list", item: shapeOf(key) };
    if (isMap && key !== undefined && value !== undefined) {
      return { is: "map", key: shapeOf(key), value: shapeOf(value) };
    }
  }
  return {
    is: "struct",
    fields: node.children.map((child) => ({ name: child.name, shape: shapeOf(child) })),
  };
}

/** The backward-compatibility rules of LIST in parquet-format's LogicalTypes.md. */
function listItem(repeated: ParquetNode, listName: string): Shape {
  const [only, ...others] = repeated.children;
  const isItem =
    only === undefined ||
    others.length > 0 ||
    only.repetition === "repeated" ||
    repeated.name === "array" ||
    repeated.name === `${listName}_tuple`;
  return isItem ? shapeOfOne(repeated) : shapeOf(only);
}

const CONVERTED: Readonly<Record<number, string>> = {
  0: "utf8",
  4: "utf8",
  6: "date32[day]",
  7: "time32[ms]",
  8: "time64[us]",
  9: "timestamp[ms, tz=UTC]",
  10: "timestamp[us, tz=UTC]",
  11: "uint8",
  12: "uint16",
  13: "uint32",
  14: "uint64",
  15: "int8",
  16: "int16",
  17: "int32",
  18: "int64",
  19: "json",
  20: "bson",
  21: "interval",
};
const LOGICAL: Readonly<Record<number, string>> = {
  1: "utf8",
  4: "utf8",
  6: "date32[day]",
  11: "null",
  12: "json",
  13: "bson",
  14: "uuid",
  15: "halffloat",
  16: "variant",
  17: "geometry",
  18: "geography",
};
const PLAIN: Readonly<Record<string, string>> = {
  BOOLEAN: "bool",
  INT32: "int32",
  INT64: "int64",
  INT96: "timestamp[ns]",
  FLOAT: "float",
  DOUBLE: "double",
  BYTE_ARRAY: "binary",
};
const LOGICAL_DECIMAL = 5;
const LOGICAL_TIME = 7;
const LOGICAL_TIMESTAMP = 8;
const LOGICAL_INTEGER = 10;
const CONVERTED_DECIMAL = 5;
const UNITS = ["?", "ms", "us", "ns"];
const TIME_UNITS = ["time", "time32[ms]", "time64[us]", "time64[ns]"];

function leafWord(node: ParquetNode): string {
  const { logical, detail, converted } = parquetAnnotation(node);
  const plain = PLAIN[node.physical ?? ""] ?? `fixed_size_binary[${thriftNumber(node.thrift, 2) ?? 0}]`;
  if (logical === LOGICAL_DECIMAL || converted === CONVERTED_DECIMAL) return decimalWord(node.thrift, detail);
  if (logical === LOGICAL_INTEGER) {
    return `${thriftBool(detail, 2) === false ? "u" : ""}int${thriftNumber(detail, 1) ?? 0}`;
  }
  if (logical === LOGICAL_TIME) return TIME_UNITS[timeUnit(detail)] ?? "time";
  if (logical === LOGICAL_TIMESTAMP) {
    return `timestamp[${UNITS[timeUnit(detail)] ?? "?"}${thriftBool(detail, 1) === true ? ", tz=UTC" : ""}]`;
  }
  const named = logical === undefined ? undefined : LOGICAL[logical];
  if (named !== undefined) return named;
  return (converted === undefined ? undefined : CONVERTED[converted]) ?? plain;
}

function decimalWord(element: ThriftStruct, detail: ThriftStruct): string {
  const precision = thriftNumber(element, 8) ?? thriftNumber(detail, 2) ?? 0;
  const scale = thriftNumber(element, 7) ?? thriftNumber(detail, 1) ?? 0;
  return `decimal${precision > 38 ? 256 : 128}(${precision}, ${scale})`;
}

/** Of TimeType and TimestampType: the unit's field number in the TimeUnit union. */
function timeUnit(detail: ThriftStruct): number {
  return thriftStruct(detail, 2)?.[0]?.id ?? 0;
}

function wordsOf(shape: Shape): string {
  switch (shape.is) {
    case "leaf":
      return shape.word;
    case "list":
      return `list<${wordsOf(shape.item)}>`;
    case "map":
      return `map<${wordsOf(shape.key)}, ${wordsOf(shape.value)}>`;
    case "struct":
      return `struct<${shape.fields.map(({ name, shape: field }) => `${name}: ${wordsOf(field)}`).join(", ")}>`;
  }
}

const INTEGER = /^u?int(8|16|32|64)$/;
const NUMBER = /^(u?int(8|16|32|64)|float|double|halffloat|bool|decimal\d+\(.*\)|null)$/;

function kindsOf(shape: Shape): ColumnKind[] {
  if (shape.is === "list" && shape.item.is === "leaf" && NUMBER.test(shape.item.word))
    return ["list", "json"];
  if (shape.is !== "leaf") return ["json"];
  if (shape.word === "null") return ["number", "key", "text", "list", "json"];
  if (shape.word === "utf8" || shape.word === "json") return ["text", "key", "json"];
  if (INTEGER.test(shape.word)) return ["number", "key"];
  return NUMBER.test(shape.word) ? ["number"] : [];
}
