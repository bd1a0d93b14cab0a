/**
 * What can be said of one perplexity; bit b of a flags value stands for `PERPLEXITY_FLAGS[b]`.
 *
 * - `empty`: no generated token; PPL NaN
 * - `first-null-skipped`: the first entry of a prompt was null, as servers send it; left out
 * - `null`, `nan`: a missing or not-a-number log-probability; PPL NaN
 * - `neg-inf`, `sentinel`: probability 0, as -Infinity or as a server's stand-in for it; PPL Infinity
 * - `positive`: a log-probability above 1e-3, which is none; PPL NaN
 * - `clamped-positive`: one in (0, 1e-3], taken as rounding and set to 0
 * - `overflow`: PPL is Infinity because e^nll is too large for a float64, while nll is finite
 * - `all-zero-logprobs`: every log-probability is exactly 0, as engines send that computed none; PPL 1
 * - `no-logprobs`: the list itself is missing (null); PPL NaN
 */
export const PERPLEXITY_FLAGS = [
  "empty",
  "first-null-skipped",
  "null",
  "nan",
  "neg-inf",
  "sentinel",
  "positive",
  "clamped-positive",
  "overflow",
  "all-zero-logprobs",
  "no-logprobs",
] as const;

/** The name of one perplexity flag. */
export type PerplexityFlag = (typeof PERPLEXITY_FLAGS)[number];

/**
 * The names of the flags set in `bits`, in the order of {@link PERPLEXITY_FLAGS}.
 *
 * @example
 * ```ts
 * import { perplexityFlags } from "calibrant/uq";
 * console.log(perplexityFlags(1)); // [ 'empty' ]
 * ```
 */
export function perplexityFlags(bits: number): PerplexityFlag[] {
  return PERPLEXITY_FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** The bit value of each flag of {@link PERPLEXITY_FLAGS}. */
export const FLAG_BIT = {
  empty: 1,
  firstNullSkipped: 2,
  null: 4,
  nan: 8,
  negInf: 16,
  sentinel: 32,
  positive: 64,
  clampedPositive: 128,
  overflow: 256,
  allZero: 512,
  noLogprobs: 1024,
} as const;
