import { type Data, DataType, makeData, type Vector } from "apache-arrow";
import { validityOf } from "./arrow-layout.ts";
import { spanReader } from "./arrow-spans.ts";

/** The bytes of a value, one character each; null = missing. */
export type DictionaryKey = string | null;

/** How values of a type lie: after one another with offsets, as views, or with a fixed number of bytes. */
type Layout = "offsets" | "views" | number;

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * The values of a dictionary as keys that are equal where the values are: text, bytes, and anything of a fixed width.
 *
 * @returns null for other types (nested, Boolean, null, union).
 */
export function dictionaryKeys(vector: Vector): DictionaryKey[] | null {
  if (layoutOf(vector.type) === null) return null;
  return vector.data.flatMap(chunkKeys);
}

/**
 * One array of the values that {@link dictionaryKeys} made keys of.
 *
 * @param type - one for which it does not give null.
 */
export function dataFromKeys(type: DataType, keys: readonly DictionaryKey[]): Data {
  const layout = layoutOf(type);
  const values = keys.map((key) => (key === null ? null : Buffer.from(key, "latin1")));
  const common = { type, length: keys.length, ...validity(keys) };
  if (layout === "views") return makeData({ ...common, ...viewParts(values) } as never) as Data;
  if (layout === "offsets") return makeData({ ...common, ...offsetParts(type, values) } as never) as Data;
  const data = new Uint8Array(keys.length * (layout ?? 0));
  for (const [i, value] of values.entries()) if (value !== null) data.set(value, i * (layout ?? 0));
  return makeData({ ...common, data: new type.ArrayType(data.buffer) } as never) as Data;
}

function layoutOf(type: DataType): Layout | null {
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) return "views";
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return "offsets";
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return "offsets";
  const isFixed =
    DataType.isInt(type) ||
    DataType.isFloat(type) ||
    DataType.isDecimal(type) ||
    DataType.isDate(type) ||
    DataType.isTime(type) ||
    DataType.isTimestamp(type) ||
    DataType.isDuration(type) ||
    DataType.isInterval(type) ||
    DataType.isFixedSizeBinary(type);
  return isFixed ? type.ArrayType.BYTES_PER_ELEMENT * makeData({ type } as never).stride : null;
}

function chunkKeys(data: Data): DictionaryKey[] {
  const isValid = validityOf(data);
  const layout = layoutOf(data.type);
  const text = (bytes: Buffer, begin: number, end: number): string => bytes.toString("latin1", begin, end);
  const read = typeof layout === "number" ? fixedReader(data, layout, text) : spanReader(data, text);
  return Array.from({ length: data.length }, (_, i) => (isValid === null || isValid(i) ? read(i) : null));
}

function fixedReader<T>(
  { values }: Data,
  width: number,
  use: (bytes: Buffer, begin: number, end: number) => T,
): (index: number) => T {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return (i) => use(bytes, i * width, (i + 1) * width);
}

function validity(keys: readonly DictionaryKey[]): { nullCount: number; nullBitmap?: Uint8Array } {
  const nullCount = keys.reduce((count, key) => count + (key === null ? 1 : 0), 0);
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array(Math.ceil(keys.length / 64) * 8);
  for (const [i, key] of keys.entries())
    if (key !== null) nullBitmap[i >> 3] = (nullBitmap[i >> 3] as number) | (1 << (i & 7));
  return { nullCount, nullBitmap };
}

function offsetParts(type: DataType, values: readonly (Buffer | null)[]): object {
  const isLarge = DataType.isLargeUtf8(type) || DataType.isLargeBinary(type);
  const valueOffsets = isLarge ? new BigInt64Array(values.length + 1) : new Int32Array(values.length + 1);
  let end = 0;
  for (const [i, value] of values.entries()) {
    end += value?.length ?? 0;
    valueOffsets[i + 1] = isLarge ? BigInt(end) : end;
  }
  return { valueOffsets, data: joined(values) };
}

function viewParts(values: readonly (Buffer | null)[]): object {
  const views = new Uint8Array(values.length * VIEW_BYTES);
  const view = new DataView(views.buffer);
  const long: Buffer[] = [];
  let end = 0;
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    const at = i * VIEW_BYTES;
    view.setInt32(at, value.length, true);
    views.set(value.subarray(0, value.length > INLINE_BYTES ? 4 : INLINE_BYTES), at + 4);
    if (value.length <= INLINE_BYTES) continue;
    view.setInt32(at + 12, end, true);
    long.push(value);
    end += value.length;
  }
  return { views, variadicBuffers: end === 0 ? [] : [joined(long)] };
}

function joined(values: readonly (Buffer | null)[]): Uint8Array {
  return new Uint8Array(Buffer.concat(values.filter((value) => value !== null)));
}
