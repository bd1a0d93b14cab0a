import type { CheckedMatrix } from "../check-log-prob-input.ts";
import { bfloat16Values } from "../half-floats.ts";
import { scoreRow } from "../js/score-row.ts";
import { type ReadRow, storedRows } from "../js/stored-rows.ts";
import type { OpenColumns } from "../log-prob-columns.ts";
import type { TensorOps } from "./tensor-flow.ts";

/** A float32 below 2^-126 in size. */
const SUBNORMAL = 2 ** -140;

/** Whether a device takes numbers below 2^-126 for 0, as TensorOps does: they would rank as equals. */
export async function flushesSubnormals(tf: TensorOps): Promise<boolean> {
  const difference = tf.tidy(() =>
    tf.sub(tf.tensor1d(Float32Array.of(SUBNORMAL), "float32"), tf.tensor1d(Float32Array.of(0), "float32")),
  );
  try {
    return ((await difference.data()) as Float32Array)[0] !== SUBNORMAL;
  } finally {
    difference.dispose();
  }
}

/**
 * Scores rows in float64 that hold subnormal numbers, which is next to none. False for any other row. All float16 numbers are normal
 * in float32.
 */
export function subnormalRows(
  logits: CheckedMatrix,
  targets: Int32Array,
  scale: number,
): (row: number, columns: OpenColumns) => boolean {
  const { columns: vocab, type, offset, rowStride } = logits;
  const data = logits.data as Float32Array | Uint16Array;
  if (type === "float16") return () => false;
  const patterns =
    data instanceof Float32Array ? new Uint32Array(data.buffer, data.byteOffset, data.length) : data;
  const has = type === "float32" ? hasSubnormal32 : hasSubnormalBfloat16;
  let read: ReadRow | null = null;
  return (row, columns) => {
    const start = offset + row * rowStride;
    if (!has(patterns, start, start + vocab)) return false;
    const values = new Float64Array(vocab);
    read ??= storedRows("logits", logits, bfloat16Values);
    read(row, values);
    scoreRow(values, scale, targets[row] as number, row, columns);
    return true;
  };
}

function hasSubnormal32(patterns: Uint32Array | Uint16Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const bits = patterns[i] as number;
    if ((bits & 0x7f800000) === 0 && (bits & 0x7fffff) !== 0) return true;
  }
  return false;
}

function hasSubnormalBfloat16(patterns: Uint32Array | Uint16Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const bits = patterns[i] as number;
    if ((bits & 0x7f80) === 0 && (bits & 0x7f) !== 0) return true;
  }
  return false;
}
