import type { NumericArray } from "../types.ts";
import { type PerplexityOptions, perplexity } from "./perplexity.ts";
import { type PerplexityFlag, perplexityFlags } from "./perplexity-flags.ts";

/** The perplexity of one sequence; the fields are those of PerplexityColumns. */
export interface SequencePerplexity {
  readonly n: number;
  readonly sumLogprob: number;
  readonly nll: number;
  readonly ppl: number;
  readonly flags: readonly PerplexityFlag[];
}

/**
 * {@link perplexity} of a single sequence.
 *
 * @param logprobs natural-log probabilities of the tokens, `(n)`; null = missing
 * @throws CalibrantError as {@link perplexity} does.
 *
 * @example
 * ```ts
 * import { sequencePerplexity } from "calibrant/uq";
 * console.log(sequencePerplexity([-1, -3]).ppl); // 7.38905609893065
 * console.log(sequencePerplexity([-0.3, -Infinity]).flags); // [ 'neg-inf' ]
 * ```
 */
export function sequencePerplexity(
  logprobs: NumericArray | readonly (number | null)[],
  options: PerplexityOptions = {},
): SequencePerplexity {
  const { n, sumLogprob, nll, ppl, flags } = perplexity(logprobs, Int32Array.of(0, logprobs.length), options);
  return {
    n: n[0] as number,
    sumLogprob: sumLogprob[0] as number,
    nll: nll[0] as number,
    ppl: ppl[0] as number,
    flags: perplexityFlags(flags[0] as number),
  };
}
