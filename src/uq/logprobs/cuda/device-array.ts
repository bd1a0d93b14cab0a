import { CalibrantError } from "../../../errors.ts";
import type { CheckedMatrix } from "../check-log-prob-input.ts";
import type { DeviceArray, LogitType } from "../log-prob-backend.ts";
import type { CudaDevice } from "./cuda-device.ts";

const MEMORY_TYPE = 2;

/** Bytes of a number. */
export function sizeOf(type: LogitType): number {
  return type === "float32" ? 4 : 2;
}

/**
 * The address of the first number of a matrix that lies on the device. A kernel that reads where no memory is breaks the device for the
 * whole process, so that addresses are checked first.
 *
 * @throws CalibrantError `option` for an address that is no memory of a GPU, or not that of a number.
 */
export function devicePointer(
  { driver }: CudaDevice,
  what: string,
  array: DeviceArray,
  matrix: CheckedMatrix,
): bigint {
  const { type, rows, columns, rowStride, offset } = matrix;
  const size = sizeOf(type);
  const wrong = (reason: string): CalibrantError =>
    new CalibrantError("option", `${what} on the device: ${reason}, got 0x${array.pointer.toString(16)}`, {
      pointer: array.pointer,
    });
  if (array.pointer % BigInt(size) !== 0n)
    throw wrong(`the address must be a multiple of ${size} for ${type}`);
  const first = array.pointer + BigInt(offset * size);
  const last = first + BigInt(((rows - 1) * rowStride + columns) * size - 1);
  for (const address of rows > 0 ? [first, last] : [])
    if (driver.status("cuPointerGetAttribute", new Uint32Array(2), MEMORY_TYPE, address) !== 0)
      throw wrong("the numbers must lie in memory of the GPU that is still held");
  return first;
}
