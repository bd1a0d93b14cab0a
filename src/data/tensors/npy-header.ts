import { CalibrantError } from "../../errors.ts";
import { elementsOf, shapeWords, TENSOR_TYPE_BYTES, type TensorInfo, type TensorType } from "./tensor.ts";

/** The first bytes of a `.npy` file. */
export const NPY_MAGIC = "\x93NUMPY";
/** Bytes that say where the header of any version ends. */
export const NPY_LEAD_BYTES = 12;
/** NumPy itself reads headers of up to 10,000 characters. */
const MAX_HEADER_BYTES = 1 << 20;

/**
 * Where the header of a `.npy` file lies.
 *
 * @param lead - the first {@link NPY_LEAD_BYTES} bytes.
 * @throws CalibrantError `data` for a version other than 1 to 3, or a header that is too long.
 */
export function npyHeaderPlace(
  lead: Uint8Array,
  path: string,
): { readonly start: number; readonly end: number } {
  const [version = 0] = lead.subarray(6);
  if (version < 1 || version > 3)
    throw new CalibrantError("data", `${path}: the .npy format has versions 1 to 3, got ${version}`, {
      path,
    });
  const start = version === 1 ? 10 : 12;
  if (lead.length < start) throw truncated(path);
  const view = new DataView(lead.buffer, lead.byteOffset, lead.byteLength);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MAX_HEADER_BYTES)
    throw new CalibrantError(
      "data",
      `${path}: the header of a .npy file has at most ${MAX_HEADER_BYTES} bytes, got ${length}`,
      { path },
    );
  return { start, end: start + length };
}

/**
 * Reads the header of a `.npy` file, a Python dictionary.
 *
 * @param text - the header.
 * @param start - where the numbers begin.
 * @throws CalibrantError `data` for a header that is none, big-endian numbers, Fortran order, a type that cannot be read, or a file
 *   that has more or fewer bytes than the header says.
 */
export function parseNpyHeader(text: string, start: number, fileBytes: number, path: string): TensorInfo {
  const descr = /'descr'\s*:\s*('[^']*'|"[^"]*"|\[)/.exec(text)?.[1];
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const shapeText = /'shape'\s*:\s*\(([^)]*)\)/.exec(text)?.[1];
  if (descr === undefined || order === undefined || shapeText === undefined)
    throw new CalibrantError(
      "data",
      `${path}: the header of a .npy file is damaged: ${text.slice(0, 60).trim()}`,
      {
        path,
      },
    );
  const type = npyType(descr.replace(/['"]/g, ""), path);
  const shape = npyShape(shapeText, path);
  if (order === "True" && shape.filter((size) => size > 1).length > 1)
    throw new CalibrantError(
      "data",
      `${path}: its numbers are in Fortran order; save np.ascontiguousarray(array), shape ${shapeWords(shape)}`,
      { path },
    );
  const bytes = elementsOf(shape) * TENSOR_TYPE_BYTES[type];
  checkSize({ path, type, shape, bytes, found: fileBytes - start });
  return { name: "", type, shape, start, bytes };
}

const KINDS: Readonly<Record<string, TensorType>> = {
  f8: "float64",
  f4: "float32",
  f2: "float16",
  i8: "int64",
  i4: "int32",
  i2: "int16",
  i1: "int8",
  u8: "uint64",
  u4: "uint32",
  u2: "uint16",
  u1: "uint8",
  b1: "bool",
};

function npyType(descr: string, path: string): TensorType {
  const type = KINDS[descr.slice(1)];
  if (descr.startsWith(">") && type !== undefined && TENSOR_TYPE_BYTES[type] > 1)
    throw new CalibrantError(
      "data",
      `${path}: its numbers are big-endian; save array.astype(array.dtype.newbyteorder("<")), got ${descr}`,
      { path, descr },
    );
  if (type !== undefined && /^[<|=>]/.test(descr)) return type;
  const hint = /V2$/.test(descr) ? " (bfloat16? .npy has no type for it: save as .safetensors)" : "";
  throw new CalibrantError(
    "data",
    `${path}: its type cannot be read${hint}; known are <f2, <f4, <f8, integers and bool, got ${descr === "[" ? "a structured type" : descr}`,
    { path, descr },
  );
}

function npyShape(text: string, path: string): number[] {
  const sizes = text
    .split(",")
    .map((size) => size.trim().replace(/L$/, ""))
    .filter((size) => size !== "");
  const shape = sizes.map((size) => (/^\d+$/.test(size) ? Number(size) : Number.NaN));
  if (shape.every(Number.isSafeInteger) && Number.isSafeInteger(elementsOf(shape) * 8)) return shape;
  throw new CalibrantError("data", `${path}: the shape of a .npy file must be whole numbers, got (${text})`, {
    path,
  });
}

interface Sizes {
  readonly path: string;
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly found: number;
}

function checkSize({ path, type, shape, bytes, found }: Sizes): void {
  if (bytes === found) return;
  const problem = found < bytes ? "the file is cut short" : "bytes follow the array";
  throw new CalibrantError(
    "data",
    `${path}: ${problem}: ${type} of shape ${shapeWords(shape)} takes ${bytes} bytes, got ${found}`,
    { path, bytes, found },
  );
}

function truncated(path: string): CalibrantError {
  return new CalibrantError("data", `${path}: the file is cut short: it ends inside of its header`, { path });
}
