import { findToolFaultAnswer, type TextSpan } from "./parse-answer.ts";

/** A generated token, as an OpenAI-compatible server describes it. */
export interface TokenLogprob {
  readonly token: string;
  /** Natural logarithm of the probability. */
  readonly logprob: number;
  /** The token's UTF-8 bytes, which its text cannot show where it is a part of a character. */
  readonly bytes?: readonly number[] | null;
}

/** How sure a model was of the labels in its answer. */
export interface LabelLogprobs {
  /** Sum of the log-probabilities of the tokens that hold the fault type, in nats. */
  readonly fault: number;
  /** The same of the next action. */
  readonly action: number;
  readonly faultTokens: number;
  readonly actionTokens: number;
}

/**
 * The log-probabilities of both labels of the answer that `parseToolFaultAnswer` reads: summed over the tokens that share
 * at least one byte with a label, also where a token holds a quote or a colon besides.
 *
 * @param text - the model's text.
 * @param tokens - the tokens of that text in order; more of them may follow (an end mark, a stop word).
 * @returns null when the tokens do not spell the text, byte for byte, or the text has no answer.
 *
 * @example
 * ```ts
 * import { labelLogprobs } from "calibrant/metrics";
 * const tokens = ['{"fault_type":"', "time", "out", '","next_action":"', "proceed", '"}'].map((token, i) => {
 *   return { token, logprob: -i / 4 };
 * });
 * const text = tokens.map(({ token }) => token).join("");
 * console.log(labelLogprobs(text, tokens)); // { fault: -0.75, action: -1, faultTokens: 2, actionTokens: 1 }
 * ```
 */
export function labelLogprobs(text: string, tokens: readonly TokenLogprob[]): LabelLogprobs | null {
  const found = findToolFaultAnswer(text);
  const ends = found === null ? null : tokenEnds(text, tokens);
  if (found === null || ends === null) return null;
  const fault = sumOver(byteSpan(text, found.faultSpan), tokens, ends);
  const action = sumOver(byteSpan(text, found.actionSpan), tokens, ends);
  return { fault: fault.sum, action: action.sum, faultTokens: fault.count, actionTokens: action.count };
}

/** Byte positions after each token, up to the one that reaches the end of the text; null when they spell another text. */
function tokenEnds(text: string, tokens: readonly TokenLogprob[]): number[] | null {
  const encoder = new TextEncoder();
  const expected = encoder.encode(text);
  const ends: number[] = [];
  let at = 0;
  for (const { token, bytes } of tokens) {
    if (at >= expected.length) break;
    for (const byte of bytes ?? encoder.encode(token)) {
      // The text may have lost white space at its end, which its last token still has.
      if (at < expected.length && byte !== expected[at]) return null;
      at += 1;
    }
    ends.push(at);
  }
  return at < expected.length ? null : ends;
}

function byteSpan(text: string, [start, end]: TextSpan): TextSpan {
  const encoder = new TextEncoder();
  const first = encoder.encode(text.slice(0, start)).length;
  return [first, first + encoder.encode(text.slice(start, end)).length];
}

function sumOver(
  [start, end]: TextSpan,
  tokens: readonly TokenLogprob[],
  ends: readonly number[],
): { readonly sum: number; readonly count: number } {
  let sum = 0;
  let count = 0;
  let tokenStart = 0;
  for (let i = 0; i < ends.length; i += 1) {
    const tokenEnd = ends[i] as number;
    if (tokenEnd > tokenStart && tokenStart < end && tokenEnd > start) {
      sum += (tokens[i] as TokenLogprob).logprob;
      count += 1;
    }
    tokenStart = tokenEnd;
  }
  return { sum, count };
}
