/**
 * A table inside a flatbuffer, the encoding of Arrow's message headers (https://flatbuffers.dev/internals/).
 * Every read goes through a DataView, so an offset that points outside the bytes is a RangeError, never a wrong value.
 */
export interface FlatTable {
  readonly view: DataView;
  /** Position of the table in `view`. */
  readonly at: number;
}

/** A vector of fixed-size structs inside a flatbuffer; element i starts at `at + i * width`. */
export interface FlatStructs {
  readonly view: DataView;
  readonly at: number;
  readonly length: number;
}

/**
 * The root table of a flatbuffer.
 *
 * @throws RangeError when there are fewer than four bytes.
 */
export function rootTable(bytes: Uint8Array): FlatTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { view, at: view.getUint32(0, true) };
}

/** The 8-bit integer (or boolean, or enum) in a field, `absent` where the table leaves it out. */
export function int8Of(table: FlatTable, field: number, absent = 0): number {
  const at = fieldAt(table, field);
  return at === 0 ? absent : table.view.getInt8(at);
}

/** The 16-bit integer in a field, `absent` where the table leaves it out. */
export function int16Of(table: FlatTable, field: number, absent = 0): number {
  const at = fieldAt(table, field);
  return at === 0 ? absent : table.view.getInt16(at, true);
}

/** The 32-bit integer in a field, `absent` where the table leaves it out. */
export function int32Of(table: FlatTable, field: number, absent = 0): number {
  const at = fieldAt(table, field);
  return at === 0 ? absent : table.view.getInt32(at, true);
}

/**
 * The 64-bit integer in a field as a number, 0 where the table leaves it out.
 *
 * @throws RangeError when it is negative or beyond 2^53: Arrow's headers hold lengths and positions only.
 */
export function lengthOf(table: FlatTable, field: number): number {
  const at = fieldAt(table, field);
  return at === 0 ? 0 : lengthAt(table.view, at);
}

/** The non-negative 64-bit integer at a position, as {@link lengthOf}. */
export function lengthAt(view: DataView, at: number): number {
  const value = view.getBigInt64(at, true);
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`impossible length ${value}`);
  return Number(value);
}

/** The table a field refers to; null where the field is absent. */
export function tableOf(table: FlatTable, field: number): FlatTable | null {
  const at = fieldAt(table, field);
  return at === 0 ? null : { view: table.view, at: at + table.view.getUint32(at, true) };
}

/** The tables of a vector field; empty where the field is absent. */
export function tablesOf(table: FlatTable, field: number): FlatTable[] {
  const { view, at, length } = structsOf(table, field, 4);
  return Array.from({ length }, (_, i) => {
    const element = at + 4 * i;
    return { view, at: element + view.getUint32(element, true) };
  });
}

/** The structs of a vector field, `width` bytes each; length 0 where the field is absent. */
export function structsOf(table: FlatTable, field: number, width: number): FlatStructs {
  const { view } = table;
  const reference = fieldAt(table, field);
  if (reference === 0) return { view, at: 0, length: 0 };
  const vector = reference + view.getUint32(reference, true);
  const length = view.getUint32(vector, true);
  if (vector + 4 + length * width > view.byteLength)
    throw new RangeError(`impossible vector length ${length}`);
  return { view, at: vector + 4, length };
}

/** The text of a field; empty where the field is absent. */
export function textOf(table: FlatTable, field: number): string {
  const { view, at, length } = structsOf(table, field, 1);
  return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, length));
}

/** Where a field of a table lies; 0 = the table leaves it out, so it has its default. */
function fieldAt({ view, at }: FlatTable, field: number): number {
  const vtable = at - view.getInt32(at, true);
  const slot = 4 + 2 * field;
  if (slot >= view.getUint16(vtable, true)) return 0;
  const offset = view.getUint16(vtable + slot, true);
  return offset === 0 ? 0 : at + offset;
}
