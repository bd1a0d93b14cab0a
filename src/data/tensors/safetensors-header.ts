import { CalibrantError, errorMessage } from "../../errors.ts";
import { elementsOf, shapeWords, TENSOR_TYPE_BYTES, type TensorInfo, type TensorType } from "./tensor.ts";

/** The format's own limit. */
const MAX_HEADER_BYTES = 100_000_000;
/** Bytes before the header: its length. */
export const SAFETENSORS_LEAD_BYTES = 8;

/**
 * Where the header of a `.safetensors` file ends.
 *
 * @param lead - the first eight bytes.
 * @throws CalibrantError `data` for a length that the format or the file does not allow.
 */
export function safetensorsHeaderEnd(lead: Uint8Array, fileBytes: number, path: string): number {
  if (lead.length < SAFETENSORS_LEAD_BYTES)
    throw damaged(path, `it has ${lead.length} bytes, too few for the length of a header`);
  const length = new DataView(lead.buffer, lead.byteOffset, lead.byteLength).getBigUint64(0, true);
  if (length > MAX_HEADER_BYTES)
    throw damaged(path, `its header may have ${MAX_HEADER_BYTES} bytes at most, got ${length}`);
  const end = SAFETENSORS_LEAD_BYTES + Number(length);
  if (end > fileBytes)
    throw damaged(path, `the file is cut short: its header ends at byte ${end}, the file at ${fileBytes}`);
  return end;
}

/**
 * Reads the header of a `.safetensors` file. Tensors may have gaps between them, but not overlap.
 *
 * @param text - the header, JSON.
 * @param start - where the header ends: offsets count from there.
 * @throws CalibrantError `data` for a header that is none, or a tensor that lies outside of the file, over another one, or has not the
 *   bytes of its shape.
 */
export function parseSafetensorsHeader(
  text: string,
  start: number,
  fileBytes: number,
  path: string,
): TensorInfo[] {
  const tensors = Object.entries(headerObject(text, path))
    .filter(([name]) => name !== "__metadata__")
    .map(([name, value]) => tensorInfo(name, value, start, path));
  checkPlaces(tensors, fileBytes, path);
  return tensors;
}

const TYPES: Readonly<Record<string, TensorType>> = {
  F64: "float64",
  F32: "float32",
  F16: "float16",
  BF16: "bfloat16",
  I64: "int64",
  I32: "int32",
  I16: "int16",
  I8: "int8",
  U64: "uint64",
  U32: "uint32",
  U16: "uint16",
  U8: "uint8",
  BOOL: "bool",
};

function headerObject(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    throw damaged(path, `its header is no JSON: ${errorMessage(error)}`);
  }
  throw damaged(path, "its header is no JSON object");
}

function tensorInfo(name: string, value: unknown, start: number, path: string): TensorInfo {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  if (typeof dtype !== "string" || !isSizes(shape) || !isSizes(offsets) || offsets.length !== 2)
    throw damaged(path, `the tensor ${name} has no dtype, shape and data_offsets: ${JSON.stringify(value)}`);
  const [from, to] = offsets as [number, number];
  const type = TYPES[dtype];
  const bytes = to - from;
  const needed = type === undefined ? bytes : elementsOf(shape) * TENSOR_TYPE_BYTES[type];
  if (bytes !== needed || bytes < 0)
    throw damaged(
      path,
      `the tensor ${name}, ${dtype} of shape ${shapeWords(shape)}, takes ${needed} bytes, got data_offsets ${from} to ${to}`,
    );
  return { name, type: type ?? { unknown: dtype }, shape, start: start + from, bytes };
}

function isSizes(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((size) => Number.isSafeInteger(size) && size >= 0) &&
    Number.isSafeInteger(elementsOf(value) * 8)
  );
}

function checkPlaces(tensors: readonly TensorInfo[], fileBytes: number, path: string): void {
  const placed = tensors.filter(({ bytes }) => bytes > 0).sort((a, b) => a.start - b.start);
  let end = 0;
  let before = "";
  for (const { name, start, bytes } of placed) {
    if (start < end) throw damaged(path, `the tensors ${before} and ${name} overlap at byte ${start}`);
    end = start + bytes;
    before = name;
  }
  if (end > fileBytes)
    throw damaged(
      path,
      `the file is cut short: the tensor ${before} ends at byte ${end}, the file at ${fileBytes}`,
    );
}

function damaged(path: string, problem: string): CalibrantError {
  return new CalibrantError("data", `${path}: not a whole .safetensors file: ${problem}`, { path });
}
