import { CalibrantError } from "../../errors.ts";

/** The types of Thrift's compact protocol; the two boolean codes are one type. */
export type ThriftType =
  | "bool"
  | "i8"
  | "i16"
  | "i32"
  | "i64"
  | "double"
  | "binary"
  | "list"
  | "set"
  | "map"
  | "struct";

/** One value of any type: 64-bit integers are bigints, text and bytes are `Uint8Array`. */
export type ThriftValue = boolean | number | bigint | Uint8Array | ThriftList | ThriftMap | ThriftStruct;

/** The items of a list or a set, all of one type. */
export interface ThriftList {
  readonly element: ThriftType;
  readonly items: readonly ThriftValue[];
}

/** The entries of a map in file order; an empty map has no types on the wire and reads as binary to binary. */
export interface ThriftMap {
  readonly key: ThriftType;
  readonly value: ThriftType;
  readonly entries: readonly (readonly [ThriftValue, ThriftValue])[];
}

/** One field of a struct. */
export interface ThriftField {
  readonly id: number;
  readonly type: ThriftType;
  readonly value: ThriftValue;
}

/** A struct: its fields in file order, unknown ones included. */
export type ThriftStruct = readonly ThriftField[];

/** Bounds on what one struct may hold: nesting, and values of every kind together. */
export interface ThriftLimits {
  /** Default 64. */
  readonly depth?: number;
  /** Default 2^24. */
  readonly values?: number;
}

const CODES: readonly ThriftType[] = [
  "bool",
  "bool",
  "i8",
  "i16",
  "i32",
  "i64",
  "double",
  "binary",
  "list",
  "set",
  "map",
  "struct",
];
const CODE_OF: Readonly<Record<ThriftType, number>> = {
  bool: 1,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
};

interface Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
  valuesLeft: number;
  depthLeft: number;
}

/**
 * Reads one struct of Thrift's compact protocol, keeping every field in order, known or not.
 *
 * A list cannot have more items than there are bytes left, so memory is bounded by the input's size times a
 * small constant, and by `limits.values`. Binary values are views into `bytes`.
 *
 * @param bytes - a buffer that holds the struct at `offset`; more bytes may follow it.
 * @returns the struct and the offset just after it.
 * @throws CalibrantError `data` on a truncated, malformed, too deep or too large struct.
 */
export function decodeThrift(
  bytes: Uint8Array,
  offset = 0,
  limits: ThriftLimits = {},
): { readonly value: ThriftStruct; readonly end: number } {
  const { depth = 64, values = 1 << 24 } = limits;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cursor: Cursor = { bytes, view, at: offset, valuesLeft: values, depthLeft: depth };
  const value = readStruct(cursor);
  return { value, end: cursor.at };
}

function readStruct(cursor: Cursor): ThriftStruct {
  descend(cursor);
  const fields: ThriftField[] = [];
  let id = 0;
  for (;;) {
    const head = readByte(cursor);
    if (head === 0) break;
    const code = head & 0x0f;
    id = head >> 4 === 0 ? readSmallInt(cursor, 16) : id + (head >> 4);
    if (id > 0x7fff) throw malformed(cursor, `field id ${id}`);
    const type = typeOf(cursor, code);
    fields.push({ id, type, value: type === "bool" ? code === 1 : readValue(cursor, type) });
    spend(cursor);
  }
  cursor.depthLeft += 1;
  return fields;
}

function readValue(cursor: Cursor, type: ThriftType): ThriftValue {
  switch (type) {
    case "bool":
      return readByte(cursor) === 1;
    case "i8":
      return (readByte(cursor) << 24) >> 24;
    case "i16":
      return readSmallInt(cursor, 16);
    case "i32":
      return readSmallInt(cursor, 32);
    case "i64":
      return readLong(cursor);
    case "double":
      need(cursor, 8);
      cursor.at += 8;
      return cursor.view.getFloat64(cursor.at - 8, true);
    case "binary":
      return readBinary(cursor);
    case "list":
    case "set":
      return readList(cursor);
    case "map":
      return readMap(cursor);
    case "struct":
      return readStruct(cursor);
  }
}

function readList(cursor: Cursor): ThriftList {
  const head = readByte(cursor);
  const size = head >> 4 === 15 ? readUnsigned(cursor) : head >> 4;
  const element = typeOf(cursor, head & 0x0f);
  need(cursor, size);
  descend(cursor);
  const items: ThriftValue[] = [];
  for (let i = 0; i < size; i += 1) {
    spend(cursor);
    items.push(readValue(cursor, element));
  }
  cursor.depthLeft += 1;
  return { element, items };
}

function readMap(cursor: Cursor): ThriftMap {
  const size = readUnsigned(cursor);
  if (size === 0) return { key: "binary", value: "binary", entries: [] };
  const types = readByte(cursor);
  const key = typeOf(cursor, types >> 4);
  const value = typeOf(cursor, types & 0x0f);
  need(cursor, size * 2);
  descend(cursor);
  const entries: [ThriftValue, ThriftValue][] = [];
  for (let i = 0; i < size; i += 1) {
    spend(cursor);
    entries.push([readValue(cursor, key), readValue(cursor, value)]);
  }
  cursor.depthLeft += 1;
  return { key, value, entries };
}

function readBinary(cursor: Cursor): Uint8Array {
  const length = readUnsigned(cursor);
  need(cursor, length);
  cursor.at += length;
  return cursor.bytes.subarray(cursor.at - length, cursor.at);
}

function readByte(cursor: Cursor): number {
  need(cursor, 1);
  cursor.at += 1;
  return cursor.bytes[cursor.at - 1] as number;
}

/** An unsigned varint of at most 32 bits. */
function readUnsigned(cursor: Cursor): number {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = readByte(cursor);
    value += (byte & 0x7f) * scale;
    if (value > 0xffffffff || scale > 2 ** 28) throw malformed(cursor, "integer of more than 32 bits");
    if (byte < 0x80) return value;
  }
}

function readSmallInt(cursor: Cursor, bits: 16 | 32): number {
  const raw = readUnsigned(cursor);
  const value = raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2;
  if (bits === 16 && (value > 0x7fff || value < -0x8000))
    throw malformed(cursor, "integer of more than 16 bits");
  return value;
}

function readLong(cursor: Cursor): bigint {
  let low = 0;
  let scale = 1;
  for (let i = 0; i < 7; i += 1, scale *= 128) {
    const byte = readByte(cursor);
    low += (byte & 0x7f) * scale;
    if (byte < 0x80) return BigInt(low % 2 === 0 ? low / 2 : -(low + 1) / 2);
  }
  let raw = BigInt(low);
  for (let shift = 49n; ; shift += 7n) {
    const byte = readByte(cursor);
    raw |= BigInt(byte & 0x7f) << shift;
    if (raw >> 64n !== 0n || shift > 63n) throw malformed(cursor, "integer of more than 64 bits");
    if (byte < 0x80) return raw & 1n ? -((raw + 1n) >> 1n) : raw >> 1n;
  }
}

function typeOf(cursor: Cursor, code: number): ThriftType {
  const type = code === 0 ? undefined : CODES[code - 1];
  if (type === undefined) throw malformed(cursor, `type code ${code}`);
  return type;
}

function need(cursor: Cursor, count: number): void {
  if (cursor.at + count > cursor.bytes.length) throw malformed(cursor, `${count} bytes past the end`);
}

function spend(cursor: Cursor): void {
  cursor.valuesLeft -= 1;
  if (cursor.valuesLeft < 0) throw malformed(cursor, "more values than the limit");
}

function descend(cursor: Cursor): void {
  cursor.depthLeft -= 1;
  if (cursor.depthLeft < 0) throw malformed(cursor, "nesting deeper than the limit");
}

function malformed(cursor: Cursor, what: string): CalibrantError {
  return new CalibrantError("data", `malformed Thrift at byte ${cursor.at}: ${what}`, { at: cursor.at });
}

interface Output {
  bytes: Uint8Array;
  at: number;
}

/**
 * Writes a struct in Thrift's compact protocol: the bytes that {@link decodeThrift} reads back to the same
 * struct, and for canonical input (short field headers, minimal varints) the very bytes it was read from.
 *
 * @throws CalibrantError `data` when an integer does not fit its type.
 */
export function encodeThrift(struct: ThriftStruct): Uint8Array {
  const out: Output = { bytes: new Uint8Array(256), at: 0 };
  writeStruct(out, struct);
  return out.bytes.slice(0, out.at);
}

function writeStruct(out: Output, struct: ThriftStruct): void {
  let last = 0;
  for (const { id, type, value } of struct) {
    const code = type === "bool" && value === false ? 2 : CODE_OF[type];
    const delta = id - last;
    if (delta >= 1 && delta <= 15) writeByte(out, (delta << 4) | code);
    else {
      writeByte(out, code);
      writeSmallInt(out, id, 16);
    }
    last = id;
    if (type !== "bool") writeValue(out, type, value);
  }
  writeByte(out, 0);
}

const WRITERS: Readonly<Record<ThriftType, (out: Output, value: never) => void>> = {
  bool: (out, value: boolean) => writeByte(out, value ? 1 : 2),
  i8: (out, value: number) => writeByte(out, value & 0xff),
  i16: (out, value: number) => writeSmallInt(out, value, 16),
  i32: (out, value: number) => writeSmallInt(out, value, 32),
  i64: writeLong,
  double: writeDouble,
  binary: writeBinary,
  list: writeList,
  set: writeList,
  map: writeMap,
  struct: writeStruct,
};

function writeValue(out: Output, type: ThriftType, value: ThriftValue): void {
  WRITERS[type](out, value as never);
}

function writeList(out: Output, { element, items }: ThriftList): void {
  const code = CODE_OF[element];
  if (items.length < 15) writeByte(out, (items.length << 4) | code);
  else {
    writeByte(out, 0xf0 | code);
    writeUnsigned(out, items.length);
  }
  for (const item of items) writeValue(out, element, item);
}

function writeMap(out: Output, { key, value, entries }: ThriftMap): void {
  writeUnsigned(out, entries.length);
  if (entries.length === 0) return;
  writeByte(out, (CODE_OF[key] << 4) | CODE_OF[value]);
  for (const [entryKey, entryValue] of entries) {
    writeValue(out, key, entryKey);
    writeValue(out, value, entryValue);
  }
}

function writeBinary(out: Output, value: Uint8Array): void {
  writeUnsigned(out, value.length);
  reserve(out, value.length);
  out.bytes.set(value, out.at);
  out.at += value.length;
}

function writeDouble(out: Output, value: number): void {
  reserve(out, 8);
  new DataView(out.bytes.buffer).setFloat64(out.at, value, true);
  out.at += 8;
}

function writeByte(out: Output, byte: number): void {
  reserve(out, 1);
  out.bytes[out.at] = byte;
  out.at += 1;
}

function writeUnsigned(out: Output, value: number): void {
  let rest = value;
  while (rest >= 128) {
    writeByte(out, (rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  writeByte(out, rest);
}

function writeSmallInt(out: Output, value: number, bits: 16 | 32): void {
  const bound = 2 ** (bits - 1);
  if (!Number.isInteger(value) || value >= bound || value < -bound) throw overflow(value, bits);
  writeUnsigned(out, value >= 0 ? value * 2 : -value * 2 - 1);
}

function writeLong(out: Output, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) throw overflow(value, 64);
  let rest = value >= 0n ? value << 1n : (-value << 1n) - 1n;
  while (rest >= 128n) {
    writeByte(out, Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  writeByte(out, Number(rest));
}

function reserve(out: Output, count: number): void {
  if (out.at + count <= out.bytes.length) return;
  const grown = new Uint8Array(Math.max(out.bytes.length * 2, out.at + count));
  grown.set(out.bytes.subarray(0, out.at));
  out.bytes = grown;
}

function overflow(value: number | bigint, bits: number): CalibrantError {
  return new CalibrantError("data", `Thrift integer does not fit ${bits} bits: ${value}`, { bits });
}
