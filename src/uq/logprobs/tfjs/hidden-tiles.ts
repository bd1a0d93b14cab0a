import { CalibrantError } from "../../../errors.ts";
import type { HiddenJob } from "../check-log-prob-input.ts";
import type { WeightsTile } from "./device-weights.ts";
import { checkOnHost, type TakeRows } from "./host-rows.ts";
import type { LogitsTile, TiledJob } from "./score-tiles.ts";
import type { TensorOps, TfTensor } from "./tensor-flow.ts";
import { type TileLayout, tileLayout } from "./tile-layout.ts";

/** Rows that a product of matrices needs to be worth reading the weights for. */
const ROWS = 256;
/** Bytes of weights that are decoded at once. */
const WEIGHTS_BYTES = 2 ** 28;

/** Tokens of a tile of weights, for tiles of so many logits. */
export function hiddenTileColumns({ weights }: HiddenJob, tileNumbers: number): number {
  const held = Math.floor(WEIGHTS_BYTES / Float32Array.BYTES_PER_ELEMENT / weights.columns);
  return Math.min(weights.rows, Math.max(1, Math.min(held, Math.floor(tileNumbers / ROWS))));
}

/** @throws CalibrantError `option` for numbers on a CUDA device. */
export function checkHiddenOnHost({ hidden, weights }: HiddenJob): void {
  checkOnHost("hidden states", hidden);
  checkOnHost("the weights of the output layer", weights);
}

/** Hidden states in the memory of the computer and weights on the device: logits are made of them tile by tile. */
export function hiddenTiles(
  tf: TensorOps,
  take: TakeRows,
  job: HiddenJob,
  weightsTiles: readonly WeightsTile[],
  tileNumbers: number,
): TiledJob {
  const { hidden, bias, targets, scale, want } = job;
  const { columns: width } = hidden;
  const { padded } = tileLayout(hiddenTileColumns(job, tileNumbers));
  const takeStates = (rows: Int32Array): Float32Array =>
    take(hidden, { rows, start: 0, columns: width, padded: width, padding: 0 });
  function* tiles(rows: Int32Array): Generator<LogitsTile> {
    const states = tf.tensor2d(takeStates(rows), [rows.length, width], "float32");
    try {
      for (const { start, layout, tensor } of weightsTiles)
        yield { start, layout, logits: () => product(tf, states, tensor, biasOf(bias, start, layout)) };
    } finally {
      states.dispose();
    }
  }
  return {
    targets,
    scale,
    want,
    blockRows: Math.max(1, Math.floor(tileNumbers / padded)),
    aims: (rows) => (want.rank ? aims(take, job, rows, takeStates(rows)) : new Float32Array(rows.length)),
    tiles,
  };
}

function product(tf: TensorOps, states: TfTensor, weights: TfTensor, bias: Float32Array | null): TfTensor {
  const logits = tf.matMul(states, weights, false, true);
  return bias === null ? logits : tf.add(logits, tf.tensor2d(bias, [1, bias.length], "float32"));
}

/** The bias of a tile; -Infinity for the columns that only pad it. Null where it would change nothing. */
function biasOf(
  bias: Float32Array | null,
  start: number,
  { columns, padded }: TileLayout,
): Float32Array | null {
  if (bias === null && padded === columns) return null;
  const out = new Float32Array(padded);
  if (bias !== null) out.set(bias.subarray(start, start + columns));
  return out.fill(Number.NEGATIVE_INFINITY, columns);
}

/** The logits of the targets, before those of the other tokens are there. */
function aims(take: TakeRows, job: HiddenJob, rows: Int32Array, states: Float32Array): Float32Array {
  const { weights, bias, targets } = job;
  const width = weights.columns;
  const ids = rows.map((row) => targets[row] as number);
  const vectors = take(weights, { rows: ids, start: 0, columns: width, padded: width, padding: 0 });
  return Float32Array.from(ids, (id, row) => {
    let sum = bias === null ? 0 : (bias[id] as number);
    for (let i = row * width; i < (row + 1) * width; i++)
      sum += (states[i] as number) * (vectors[i] as number);
    return sum;
  });
}

/** 1 + 2^-12: more bits than TF32 keeps. */
const FINE = 1 + 2 ** -12;

/**
 * TensorFlow multiplies float32 matrices in TF32 on GPUs from Ampere on: with 10 bits behind the point, so that log-probs would be off
 * by 1e-3. 16-bit numbers go through it unharmed.
 *
 * @throws CalibrantError `option` for float32 numbers on such a device.
 */
export async function checkProducts(tf: TensorOps, { hidden, weights }: HiddenJob): Promise<void> {
  if (hidden.type !== "float32" && weights.type !== "float32") return;
  const size = 64;
  const product = tf.tidy(() => {
    const fine = tf.fill([size, size], FINE);
    return tf.max(tf.reshape(tf.matMul(fine, fine, false, true), [1, size * size]), 1);
  });
  try {
    const [sum = 0] = (await product.data()) as Float32Array;
    if (Math.abs(sum - size * FINE ** 2) < 1e-3) return;
  } finally {
    product.dispose();
  }
  const what = hidden.type === "float32" ? "hidden states" : "weights";
  throw new CalibrantError(
    "option",
    `TensorFlow multiplies matrices in TF32 on this GPU, which costs log-probs 1e-3: give 16-bit hidden states and weights, or start with NVIDIA_TF32_OVERRIDE=0 in the environment, got float32 ${what}`,
  );
}
