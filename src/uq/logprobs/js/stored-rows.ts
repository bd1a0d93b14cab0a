import { CalibrantError } from "../../../errors.ts";
import { type CheckedMatrix, type HiddenJob, isOnDevice } from "../check-log-prob-input.ts";
import type { HalfType } from "../half-floats.ts";

/** Values of all patterns of a 16-bit type. */
export type HalfTable = (type: HalfType) => Float64Array;

/** Puts one row of a matrix into `into`, `(columns)`, exactly. */
export type ReadRow = (row: number, into: Float64Array) => void;

/**
 * A reader of the rows of a matrix.
 *
 * @throws CalibrantError `option` when the numbers lie on a device.
 */
export function storedRows(what: string, matrix: CheckedMatrix, table: HalfTable): ReadRow {
  const { data, type, columns, offset, rowStride } = matrix;
  if (isOnDevice(data))
    throw new CalibrantError(
      "option",
      `the js back end reads numbers in the memory of the computer, use the cuda back end: ${what} are on a device`,
    );
  if (type === "float32")
    return (row, into) => {
      const start = offset + row * rowStride;
      into.set(data.subarray(start, start + columns));
    };
  const values = table(type);
  return (row, into) => {
    const start = offset + row * rowStride;
    for (let i = 0; i < columns; i++) into[i] = values[data[start + i] as number] as number;
  };
}

/**
 * A reader of rows of logits, `(vocab)`, that are dot products of hidden states and weights, plus the bias: one row at a time.
 *
 * @throws CalibrantError as {@link storedRows}.
 */
export function projectedRows({ hidden, weights, bias }: HiddenJob, table: HalfTable): ReadRow {
  const readState = storedRows("hidden states", hidden, table);
  const readWeights = storedRows("the weights of the output layer", weights, table);
  const width = hidden.columns;
  const state = new Float64Array(width);
  const weight = new Float64Array(width);
  return (row, into) => {
    readState(row, state);
    for (let id = 0; id < weights.rows; id++) {
      readWeights(id, weight);
      let sum = bias === null ? 0 : (bias[id] as number);
      for (let i = 0; i < width; i++) sum += (state[i] as number) * (weight[i] as number);
      into[id] = sum;
    }
  };
}
