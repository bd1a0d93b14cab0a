import type { Data, Vector } from "apache-arrow";

/**
 * Whether two arrays of one type have the same bytes in all their parts. A "no" means little: equal values may lie
 * differently.
 */
export function sameArray(a: Data, b: Data): boolean {
  if (a === b) return true;
  if (a.length !== b.length || a.offset !== b.offset || a.nullCount !== b.nullCount) return false;
  return (
    (a.nullCount === 0 || sameBytes(a.nullBitmap, b.nullBitmap)) &&
    sameBytes(a.valueOffsets, b.valueOffsets) &&
    sameBytes(a.values, b.values) &&
    sameBytes(a.typeIds, b.typeIds) &&
    sameItems(a.variadicBuffers, b.variadicBuffers, sameBytes) &&
    sameItems(a.children, b.children, sameArray) &&
    sameItems(chunks(a.dictionary), chunks(b.dictionary), sameArray)
  );
}

function chunks(vector: Vector | undefined): readonly Data[] {
  return vector?.data ?? [];
}

function sameItems<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((item, i) => same(item, b[i] as T));
}

function sameBytes(a: ArrayBufferView | undefined, b: ArrayBufferView | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.byteLength === b.byteLength && bytesOf(a).equals(bytesOf(b));
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
