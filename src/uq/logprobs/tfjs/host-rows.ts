import { CalibrantError } from "../../../errors.ts";
import { type CheckedMatrix, isOnDevice } from "../check-log-prob-input.ts";
import { float16Values } from "../half-floats.ts";

/** Rows and columns of a matrix to take. */
export interface Cut {
  /** Numbers of the rows, in the order wanted. */
  readonly rows: ArrayLike<number>;
  readonly start: number;
  readonly columns: number;
  /** Numbers a row to give: `columns`, and padding behind them. */
  readonly padded: number;
  /** How many rows to give; those behind `rows` are padding. Default `rows.length`. */
  readonly paddedRows?: number;
  readonly padding: number;
}

/** Takes rows out of a matrix, as float32; an array that is already such is given as it is. */
export type TakeRows = (matrix: CheckedMatrix, cut: Cut) => Float32Array;

/** A {@link TakeRows} that keeps the table of float16 values. TensorFlow.js has no 16-bit numbers, so they are decoded here, exactly. */
export function rowTaker(): TakeRows {
  let half: Float32Array | null = null;
  return (matrix, cut) => {
    const whole = asItIs(matrix, cut);
    if (whole !== null) return whole;
    const { rows, padded, padding, paddedRows = rows.length } = cut;
    const out = new Float32Array(paddedRows * padded);
    if (padded > cut.columns || paddedRows > rows.length) out.fill(padding);
    if (matrix.type === "bfloat16") takeBfloat16(matrix, cut, out);
    else if (matrix.type === "float16") {
      half ??= Float32Array.from(float16Values());
      takeFloat16(matrix, cut, out, half);
    } else takeFloat32(matrix, cut, out);
    return out;
  };
}

/**
 * Numbers that a device of TensorFlow.js can be given.
 *
 * @throws CalibrantError `option` for numbers on a CUDA device.
 */
export function checkOnHost(what: string, { data }: CheckedMatrix): void {
  if (!isOnDevice(data)) return;
  throw new CalibrantError(
    "option",
    `the tfjs back end reads numbers in the memory of the computer, use the cuda back end: ${what} are on a device`,
  );
}

function asItIs({ data, columns, rowStride, offset }: CheckedMatrix, cut: Cut): Float32Array | null {
  const { rows, start, padded, paddedRows = rows.length } = cut;
  if (!(data instanceof Float32Array) || data.buffer instanceof SharedArrayBuffer) return null;
  if (start !== 0 || cut.columns !== columns || padded !== columns || rowStride !== columns) return null;
  if (rows.length === 0 || paddedRows !== rows.length) return null;
  const first = rows[0] as number;
  for (let i = 1; i < rows.length; i++) if (rows[i] !== first + i) return null;
  const from = offset + first * rowStride;
  return data.subarray(from, from + rows.length * columns);
}

function takeFloat32({ data, offset, rowStride }: CheckedMatrix, cut: Cut, out: Float32Array): void {
  const { rows, start, columns, padded } = cut;
  for (let i = 0; i < rows.length; i++) {
    const from = offset + (rows[i] as number) * rowStride + start;
    out.set((data as Float32Array).subarray(from, from + columns), i * padded);
  }
}

function takeFloat16(
  { data, offset, rowStride }: CheckedMatrix,
  { rows, start, columns, padded }: Cut,
  out: Float32Array,
  values: Float32Array,
): void {
  const patterns = data as Uint16Array;
  for (let i = 0; i < rows.length; i++) {
    const from = offset + (rows[i] as number) * rowStride + start;
    const to = i * padded;
    for (let id = 0; id < columns; id++) out[to + id] = values[patterns[from + id] as number] as number;
  }
}

/** A bfloat16 pattern is the upper half of the float32 pattern of the same number. */
function takeBfloat16(
  { data, offset, rowStride }: CheckedMatrix,
  { rows, start, columns, padded }: Cut,
  out: Float32Array,
): void {
  const patterns = data as Uint16Array;
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < rows.length; i++) {
    const from = offset + (rows[i] as number) * rowStride + start;
    const to = i * padded;
    for (let id = 0; id < columns; id++) bits[to + id] = (patterns[from + id] as number) << 16;
  }
}
