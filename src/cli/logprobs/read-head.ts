import { elementsOf } from "../../data/tensors/tensor.ts";
import { CalibrantError } from "../../errors.ts";
import { decodeHalf } from "../../uq/logprobs/half-floats.ts";
import type { OutputHead } from "../../uq/logprobs/log-prob-backend.ts";
import { shapesWords, type TensorSeries } from "./tensor-series.ts";

/**
 * Reads an output layer into memory.
 *
 * @param weights - `(V, d)`.
 * @param bias - `(V)`, or null.
 * @param width - d of the hidden states.
 * @throws CalibrantError `length-mismatch` for shapes that do not fit, `data` for integers.
 */
export async function readHead(
  weights: TensorSeries,
  bias: TensorSeries | null,
  width: number,
): Promise<OutputHead> {
  const [shape = []] = weights.shapes;
  const [vocab = 0, columns = 0] = shape;
  if (shape.length !== 2 || columns !== width || vocab === 0)
    throw new CalibrantError(
      "length-mismatch",
      `--head must have shape (V, ${width}) for hidden states of width ${width}, got ${shapesWords(weights)}`,
    );
  const storage = weights.storage;
  if (storage === null) throw notFloat("--head", weights);
  const length = elementsOf(shape);
  const data = storage === "float32" ? new Float32Array(length) : new Uint16Array(length);
  await weights.readFloats(0, data);
  return {
    weights: data,
    type: storage,
    vocab,
    width,
    ...(bias !== null && { bias: await readBias(bias, vocab) }),
  };
}

async function readBias(bias: TensorSeries, vocab: number): Promise<Float32Array> {
  const [shape = []] = bias.shapes;
  const { storage } = bias;
  if (shape.length !== 1 || shape[0] !== vocab)
    throw new CalibrantError(
      "length-mismatch",
      `--bias must have shape (${vocab},), got ${shapesWords(bias)}`,
    );
  if (storage === null) throw notFloat("--bias", bias);
  const values = new Float32Array(vocab);
  if (storage === "float32") {
    await bias.readFloats(0, values);
    return values;
  }
  const patterns = new Uint16Array(vocab);
  await bias.readFloats(0, patterns);
  for (let at = 0; at < vocab; at += 1) values[at] = decodeHalf(patterns[at] as number, storage);
  return values;
}

/** @param option - what names the tensor. */
export function notFloat(option: string, { label }: TensorSeries): CalibrantError {
  return new CalibrantError("data", `${option} must hold floating-point numbers, ${label} holds integers`);
}
