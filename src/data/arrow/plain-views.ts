import { Data, util } from "apache-arrow";
import { validityOf } from "./arrow-layout.ts";

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * The same `utf8_view` or `binary_view` values in an array that begins at offset 0, with empty views under nulls. When
 * the values are less than half of the bytes behind them, which other slices of an array share, these are copied.
 */
export function plainViews(data: Data): Data {
  const { type, length, nullCount, offset } = data;
  const isValid = validityOf(data) ?? (() => true);
  const given = (data.values as Uint8Array).subarray(0, VIEW_BYTES * length);
  const total = data.variadicBuffers.reduce((sum, buffer) => sum + buffer.length, 0);
  const used = usedBytes(given, length, isValid);
  const isWasteful = 2 * used.long < total && used.long <= 0x7fffffff;
  const views = isWasteful || used.underNulls ? given.slice() : given;
  if (used.underNulls) clearNulls(views, length, isValid);
  const buffers = isWasteful
    ? compacted(views, length, data.variadicBuffers, used.long)
    : data.variadicBuffers;
  const bitmap = nullCount > 0 ? util.truncateBitmap(offset, length, data.nullBitmap) : undefined;
  const parts = [undefined, views, bitmap] as never;
  return new Data(type, 0, length, nullCount, parts, [], undefined, [...buffers]) as Data;
}

interface UsedBytes {
  /** Bytes of all values that do not lie in their view. */
  readonly long: number;
  /** Whether a view under a null is not empty. */
  readonly underNulls: boolean;
}

function usedBytes(views: Uint8Array, length: number, isValid: (index: number) => boolean): UsedBytes {
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  let long = 0;
  let underNulls = false;
  for (let i = 0; i < length; i += 1) {
    const size = view.getInt32(VIEW_BYTES * i, true);
    if (!isValid(i)) underNulls ||= size !== 0;
    else if (size > INLINE_BYTES) long += size;
  }
  return { long, underNulls };
}

function clearNulls(views: Uint8Array, length: number, isValid: (index: number) => boolean): void {
  for (let i = 0; i < length; i += 1) if (!isValid(i)) views.fill(0, VIEW_BYTES * i, VIEW_BYTES * (i + 1));
}

/** Copies the bytes of long values into one buffer and points the views there. */
function compacted(
  views: Uint8Array,
  length: number,
  buffers: readonly Uint8Array[],
  size: number,
): readonly Uint8Array[] {
  if (size === 0) return [];
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  const bytes = new Uint8Array(size);
  let end = 0;
  for (let i = 0; i < length; i += 1) {
    const at = VIEW_BYTES * i;
    const count = view.getInt32(at, true);
    if (count <= INLINE_BYTES) continue;
    const begin = view.getInt32(at + 12, true);
    bytes.set((buffers[view.getInt32(at + 8, true)] as Uint8Array).subarray(begin, begin + count), end);
    view.setInt32(at + 8, 0, true);
    view.setInt32(at + 12, end, true);
    end += count;
  }
  return [bytes];
}
