import type { FileHandle } from "node:fs/promises";
import { CalibrantError, errorMessage } from "../../errors.ts";
import {
  elementsOf,
  shapeWords,
  TENSOR_TYPE_BYTES,
  type Tensor,
  type TensorInfo,
  type TensorType,
} from "./tensor.ts";

/** Bytes of one read at most: the system takes less than 2 GiB at a time. */
const READ_BYTES = 1 << 28;
/** Bytes that are converted at a time. */
const CONVERT_BYTES = 1 << 20;

/**
 * Fills `into` with the bytes of a file from `position` on.
 *
 * @throws CalibrantError `io` when it cannot be read, or ends before.
 */
export async function readExactly(
  handle: FileHandle,
  path: string,
  position: number,
  into: Uint8Array,
): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const length = Math.min(READ_BYTES, into.length - done);
    const { bytesRead } = await handle.read(into, done, length, position + done).catch((error: unknown) => {
      throw new CalibrantError(
        "io",
        `cannot read ${path}: ${errorMessage(error)}`,
        { path },
        { cause: error },
      );
    });
    if (bytesRead === 0)
      throw new CalibrantError("io", `${path} became shorter while it was read, at byte ${position + done}`, {
        path,
      });
    done += bytesRead;
  }
}

/** A tensor of an open file. */
export function openTensor(
  handle: FileHandle,
  path: string,
  info: Omit<TensorInfo, "type"> & { readonly type: TensorType },
  label: string,
): Tensor {
  const { type, shape } = info;
  const size = TENSOR_TYPE_BYTES[type];
  const elements = elementsOf(shape);
  const storage = type === "float64" ? "float32" : isFloat(type) ? type : null;
  const scratch = createScratch(Math.min(CONVERT_BYTES, info.bytes));
  const readBytes = (start: number, into: ArrayBufferView): Promise<void> => {
    if (start < 0 || start + into.byteLength / size > elements)
      throw new CalibrantError(
        "length-mismatch",
        `${label} has ${elements} numbers, asked for those from ${start} on`,
        { elements, start },
      );
    const bytes = new Uint8Array(into.buffer as ArrayBuffer, into.byteOffset, into.byteLength);
    return readExactly(handle, path, info.start + start * size, bytes);
  };
  const convert = async (start: number, into: Float32Array | Int32Array): Promise<void> => {
    const step = CONVERT_BYTES / size;
    for (let at = 0; at < into.length; at += step) {
      const count = Math.min(step, into.length - at);
      const numbers = scratch(type, count);
      await readBytes(start + at, numbers);
      if (into instanceof Float32Array) into.set(numbers as Float64Array, at);
      else putIntegers(numbers, into, at, (i) => outside(label, shape, start + at + i, numbers[i]));
    }
  };
  return {
    label,
    type,
    shape,
    storage,
    async readFloats(start, into) {
      if (storage === null || into instanceof Float32Array !== (storage === "float32"))
        throw new CalibrantError("data", `${label} must hold floating-point numbers, got ${type}`, { type });
      await (type === "float64" ? convert(start, into as Float32Array) : readBytes(start, into));
    },
    async readIntegers(start, into) {
      if (isFloat(type) || type === "float64" || type === "bool")
        throw new CalibrantError("data", `${label} must hold integers, got ${type}`, { type });
      await (type === "int32" ? readBytes(start, into) : convert(start, into));
    },
  };
}

function isFloat(type: TensorType): type is "float32" | "float16" | "bfloat16" {
  return type === "float32" || type === "float16" || type === "bfloat16";
}

const ARRAYS = {
  float64: Float64Array,
  float32: Float32Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  int64: BigInt64Array,
  int32: Int32Array,
  int16: Int16Array,
  int8: Int8Array,
  uint64: BigUint64Array,
  uint32: Uint32Array,
  uint16: Uint16Array,
  uint8: Uint8Array,
  bool: Uint8Array,
} as const;

type Numbers = InstanceType<(typeof ARRAYS)[TensorType]>;

/** One buffer for all conversions of a tensor, made at the first of them. */
function createScratch(bytes: number): (type: TensorType, count: number) => Numbers {
  let buffer: ArrayBuffer | null = null;
  return (type, count) => {
    buffer ??= new ArrayBuffer(bytes);
    return new ARRAYS[type](buffer, 0, count);
  };
}

/** `refuse` is told the place of a number that int32 does not hold. */
function putIntegers(numbers: Numbers, into: Int32Array, at: number, refuse: (i: number) => never): void {
  for (let i = 0; i < numbers.length; i += 1) {
    const value = Number(numbers[i]);
    if ((value | 0) !== value) refuse(i);
    into[at + i] = value;
  }
}

function outside(label: string, shape: readonly number[], at: number, value: unknown): never {
  throw new CalibrantError(
    "data",
    `${label}: number ${at} of shape ${shapeWords(shape)} must lie in int32, got ${String(value)}`,
    { at, value: String(value) },
  );
}
