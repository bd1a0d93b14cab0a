import type { ThriftField, ThriftList, ThriftStruct, ThriftValue } from "./thrift-compact.ts";

/** The value of field `id` when the struct has it with the type asked for, else `undefined`. */
export function thriftNumber(struct: ThriftStruct, id: number): number | undefined {
  const value = valueAt(struct, id);
  return typeof value === "number" ? value : undefined;
}

/** As {@link thriftNumber}, for a 64-bit integer. */
export function thriftLong(struct: ThriftStruct, id: number): bigint | undefined {
  const value = valueAt(struct, id);
  return typeof value === "bigint" ? value : undefined;
}

/** As {@link thriftNumber}, for a boolean. */
export function thriftBool(struct: ThriftStruct, id: number): boolean | undefined {
  const value = valueAt(struct, id);
  return typeof value === "boolean" ? value : undefined;
}

/** As {@link thriftNumber}, for UTF-8 text. */
export function thriftText(struct: ThriftStruct, id: number): string | undefined {
  const value = valueAt(struct, id);
  return value instanceof Uint8Array ? textOf(value) : undefined;
}

/** As {@link thriftNumber}, for a nested struct. */
export function thriftStruct(struct: ThriftStruct, id: number): ThriftStruct | undefined {
  const value = valueAt(struct, id);
  return Array.isArray(value) ? (value as ThriftStruct) : undefined;
}

/** The structs of the list in field `id`; `undefined` when there is no such list, or its items are not structs. */
export function thriftStructs(struct: ThriftStruct, id: number): readonly ThriftStruct[] | undefined {
  const list = listOf(struct, id);
  if (list === undefined || (list.element !== "struct" && list.items.length > 0)) return undefined;
  return list.items as readonly ThriftStruct[];
}

/** The texts of the list in field `id`; `undefined` when there is no such list, or its items are not binary. */
export function thriftTexts(struct: ThriftStruct, id: number): readonly string[] | undefined {
  const list = listOf(struct, id);
  if (list === undefined || (list.element !== "binary" && list.items.length > 0)) return undefined;
  return (list.items as readonly Uint8Array[]).map(textOf);
}

/** A copy of the struct with this field in the place of the one with its id, or put in by id order. */
export function withField(struct: ThriftStruct, field: ThriftField): ThriftStruct {
  const at = struct.findIndex((other) => other.id >= field.id);
  if (at === -1) return [...struct, field];
  const rest = struct[at]?.id === field.id ? at + 1 : at;
  return [...struct.slice(0, at), field, ...struct.slice(rest)];
}

/** A copy of the struct without the fields of these ids. */
export function withoutFields(struct: ThriftStruct, ids: readonly number[]): ThriftStruct {
  return struct.filter((field) => !ids.includes(field.id));
}

/** A field that holds a list of structs. */
export function structsField(id: number, items: readonly ThriftStruct[]): ThriftField {
  return { id, type: "list", value: { element: "struct", items } };
}

/** A field that holds UTF-8 text. */
export function textField(id: number, text: string): ThriftField {
  return { id, type: "binary", value: Buffer.from(text, "utf8") };
}

/** A field that holds a 64-bit integer. */
export function longField(id: number, value: bigint): ThriftField {
  return { id, type: "i64", value };
}

function valueAt(struct: ThriftStruct, id: number): ThriftValue | undefined {
  return struct.find((field) => field.id === id)?.value;
}

function listOf(struct: ThriftStruct, id: number): ThriftList | undefined {
  const field = struct.find((other) => other.id === id);
  return field?.type === "list" ? (field.value as ThriftList) : undefined;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
}
