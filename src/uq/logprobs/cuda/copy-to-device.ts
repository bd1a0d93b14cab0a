import { nextTurn } from "./chunk-slot.ts";
import type { CudaDevice } from "./cuda-device.ts";

/** So much is copied at once from memory that is not pinned; the event loop lives on in between. */
const PIECE_BYTES = 2 ** 26;

/**
 * Copies numbers of the host to the device, as work of the stream. The driver has read the numbers when this resolves.
 *
 * @throws CalibrantError `io` when the device fails; the signal's reason.
 */
export async function copyToDevice(
  { driver, enter }: CudaDevice,
  pointer: bigint,
  data: Float32Array | Uint16Array,
  stream: bigint,
  signal?: AbortSignal,
): Promise<void> {
  const piece = PIECE_BYTES / data.BYTES_PER_ELEMENT;
  for (let start = 0; start < data.length; start += piece) {
    if (start > 0) await nextTurn();
    signal?.throwIfAborted();
    enter();
    const part = nativePart(data, start, start + piece);
    const to = pointer + BigInt(start * data.BYTES_PER_ELEMENT);
    driver.call("copying to the GPU", "cuMemcpyHtoDAsync_v2", to, part, part.byteLength, stream);
  }
}

/** Numbers in memory that a native function can be handed: shared memory cannot. */
export function nativePart<Data extends Float32Array | Uint16Array>(
  data: Data,
  start: number,
  end: number,
): Data {
  const isShared = data.buffer instanceof SharedArrayBuffer;
  return (isShared ? data.slice(start, end) : data.subarray(start, end)) as Data;
}
