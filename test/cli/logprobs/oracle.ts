import { decodeHalf } from "../../../src/uq/logprobs/half-floats.ts";

/** The numbers of one position, in float64. */
export interface OracleRow {
  readonly logprob: number;
  readonly entropy: number;
  readonly rank: number;
  readonly argmax: number;
}

/** Log-prob, entropy and rank of `target` among `logits`, by the textbook. */
export function oracleRow(logits: ArrayLike<number>, target: number, temperature = 1): OracleRow {
  const x = Array.from(logits, (value) => value / temperature);
  const most = Math.max(...x);
  const total = x.reduce((sum, value) => sum + Math.exp(value - most), 0);
  const logs = x.map((value) => value - most - Math.log(total));
  const entropy = logs.reduce(
    (sum, log) => sum - (log === Number.NEGATIVE_INFINITY ? 0 : Math.exp(log) * log),
    0,
  );
  const own = x[target] as number;
  const rank = 1 + x.filter((value) => value > own).length;
  return { logprob: logs[target] as number, entropy, rank, argmax: x.indexOf(most) };
}

/** Patterns of 16 bits as numbers. */
export function decoded(patterns: Uint16Array, type: "float16" | "bfloat16"): number[] {
  return Array.from(patterns, (bits) => decodeHalf(bits, type));
}

/** Numbers that look random and are the same every time, in [-scale, scale). */
export function noise(length: number, scale = 4, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * scale;
  });
}
