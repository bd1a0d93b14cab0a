import { type Data, DataType } from "apache-arrow";
import { offsetsOf } from "./arrow-layout.ts";

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

/**
 * Finds the bytes of each value of a text or binary array, whatever its layout (32- or 64-bit offsets, views, fixed
 * width), and hands them to `use`. What it gives for a null has no meaning.
 */
export function spanReader<T>(
  data: Data,
  use: (bytes: Buffer, begin: number, end: number) => T,
): (index: number) => T {
  const { type } = data;
  const bytes = bufferOf(data.values as Uint8Array);
  if (DataType.isFixedSizeBinary(type)) {
    return (i) => use(bytes, type.byteWidth * i, type.byteWidth * (i + 1));
  }
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) {
    return viewSpans(bytes, data.variadicBuffers.map(bufferOf), use);
  }
  const offsets = offsetsOf(data);
  return (i) => use(bytes, offsets[i] as number, offsets[i + 1] as number);
}

/** A view is 16 bytes: length, then up to 12 bytes of value, or 4 bytes of prefix, buffer number and position. */
function viewSpans<T>(
  views: Buffer,
  buffers: readonly Buffer[],
  use: (bytes: Buffer, begin: number, end: number) => T,
): (index: number) => T {
  return (index) => {
    const at = VIEW_BYTES * index;
    const size = views.readInt32LE(at);
    if (size <= INLINE_BYTES) return use(views, at + 4, at + 4 + size);
    const begin = views.readInt32LE(at + 12);
    return use(buffers[views.readInt32LE(at + 8)] as Buffer, begin, begin + size);
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
