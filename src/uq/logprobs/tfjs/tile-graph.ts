import type { CheckedWant } from "../check-log-prob-input.ts";
import type { TensorOps, TfTensor } from "./tensor-flow.ts";
import type { TileLayout } from "./tile-layout.ts";

/** What is asked of a tile beside its logits. */
export interface TileQuestion {
  readonly rows: number;
  readonly layout: TileLayout;
  readonly scale: number;
  readonly want: CheckedWant;
  /** `(rows)`: the column of the target; any other where the target lies in another tile. */
  readonly targets: Int32Array;
  /** `(rows)`: the target's logit, which ranks count from. */
  readonly aims: Float32Array;
}

/** What a tile tells, `(rows)` each unless it says otherwise. */
export interface TileTensors {
  /** The greatest logit. */
  readonly max: TfTensor;
  /** `(rows, blocks)`: Σ e, with e = exp(scale · (logit − max)). NaN for a row with NaN or +Infinity. */
  readonly sums: TfTensor;
  /** The logit at `targets`. */
  readonly found: TfTensor;
  /** `(rows, blocks)`: Σ e · ln e. */
  readonly weighted: TfTensor | null;
  /** How many logits are greater than `aims`. */
  readonly above: TfTensor | null;
  /** How many columns there are from the first of the greatest logits on, padding included. */
  readonly fromFirst: TfTensor | null;
  /** `(rows, k)` */
  readonly topLogits: TfTensor | null;
  /** `(rows, k)` */
  readonly topColumns: TfTensor | null;
}

const LOWEST = -3.4028234663852886e38;

/** Below it exp is 0 in float32; lower numbers would give NaN, or count, where an exp gives a denormal number instead of 0. */
const NO_PROBABILITY = -1000;

/** Float32 holds no factor beyond, and 0 · −Infinity would be NaN. */
const LEAST_SCALE = 2 ** -126;
const GREATEST_SCALE = -LOWEST;

/**
 * The numbers of one tile of logits, `(rows, layout.padded)`. To be called within `tf.tidy`, which frees what lies between.
 *
 * Differences to the maximum are scaled, never the logits themselves, so that large logits lose nothing.
 */
export function tileTensors(tf: TensorOps, logits: TfTensor, question: TileQuestion): TileTensors {
  const { rows, layout, want, targets, aims } = question;
  const max = tf.max(logits, 1, true);
  // A row without any token in this tile has -Infinity as its maximum.
  const shifted = scaled(tf, tf.sub(logits, tf.maximum(max, LOWEST)), question.scale);
  const powers = tf.exp(shifted);
  const inBlocks = (x: TfTensor): TfTensor => tf.sum(tf.reshape(x, [rows, layout.blocks, layout.size]), 2);
  const places = targets.map((column, row) => row * layout.padded + column);
  return {
    max: tf.reshape(max, [rows]),
    sums: inBlocks(powers),
    found: tf.gather(tf.reshape(logits, [rows * layout.padded]), tf.tensor1d(places, "int32")),
    weighted: want.entropy ? inBlocks(tf.mul(powers, tf.maximum(shifted, NO_PROBABILITY))) : null,
    above: want.rank ? countAbove(tf, logits, tf.tensor2d(aims, [rows, 1], "float32")) : null,
    fromFirst: want.argmax ? columnsFromFirst(tf, logits, max, layout.padded) : null,
    ...top(tf, logits, Math.min(want.topK, layout.padded)),
  };
}

function scaled(tf: TensorOps, x: TfTensor, scale: number): TfTensor {
  if (scale === 1) return x;
  return tf.mul(x, Math.min(GREATEST_SCALE, Math.max(LEAST_SCALE, scale)));
}

/** In float32, which counts to 16,777,216 exactly: TensorFlow sums whole numbers on the CPU even when it uses a GPU. */
function countAbove(tf: TensorOps, logits: TfTensor, aims: TfTensor): TfTensor {
  return tf.sum(tf.cast(tf.greater(logits, aims), "float32"), 1);
}

/** `argMax` promises nothing about equal logits, so the first is found as that with the most columns from it on. */
function columnsFromFirst(tf: TensorOps, logits: TfTensor, max: TfTensor, columns: number): TfTensor {
  const left = tf.sub(columns, tf.range(0, columns, 1, "float32"));
  return tf.max(tf.mul(tf.cast(tf.equal(logits, max), "float32"), left), 1);
}

function top(tf: TensorOps, logits: TfTensor, k: number): Pick<TileTensors, "topLogits" | "topColumns"> {
  if (k === 0) return { topLogits: null, topColumns: null };
  // NaN has no place in an order: a sort of the native library might run out of its array.
  const ordered = tf.where(tf.equal(logits, logits), logits, tf.zerosLike(logits));
  const { values, indices } = tf.topk(ordered, k);
  return { topLogits: values, topColumns: indices };
}
