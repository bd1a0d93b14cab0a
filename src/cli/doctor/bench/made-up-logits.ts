import type { BenchType } from "./bench-report.ts";

/** Standard deviation of the logits. */
const SPREAD = 3;
/** That of a sum of four uniform 16-bit numbers. */
const SPREAD_OF_SUM: number = 65_536 / Math.sqrt(3);

/** Logits as they are stored: bell-shaped, within 3.5 standard deviations of 3, the same for the same seed (1 to 2³² − 1). */
export function madeUpLogits(count: number, type: BenchType, seed: number): Float32Array | Uint16Array {
  const floats = new Float32Array(count);
  const scale = SPREAD / SPREAD_OF_SUM;
  let state = Math.imul(seed, 0x9e37_79b1) | 1;
  for (let i = 0; i < count; i++) {
    const first = next(state);
    state = next(first);
    const sum = (first & 0xffff) + (first >>> 16) + (state & 0xffff) + (state >>> 16);
    floats[i] = (sum - 131_070) * scale;
  }
  return type === "float32" ? floats : upperHalves(floats);
}

/** Xorshift of 32 bits (Marsaglia 2003). */
function next(state: number): number {
  let x = state ^ (state << 13);
  x ^= x >>> 17;
  return x ^ (x << 5);
}

/** Float32 numbers cut to bfloat16. */
function upperHalves(floats: Float32Array): Uint16Array {
  const words = new Uint32Array(floats.buffer);
  const halves = new Uint16Array(floats.length);
  for (let i = 0; i < halves.length; i++) halves[i] = (words[i] as number) >>> 16;
  return halves;
}

/** Targets, spread over the vocabulary. */
export function madeUpTargets(rows: number, vocab: number): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => (row * 7919 + 13) % vocab);
}
