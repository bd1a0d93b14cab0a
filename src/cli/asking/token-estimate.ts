import { type TokenPrices, tokenCost } from "./run-tally.ts";

/** English text and JSON have about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;

/** What questions will cost. */
export interface TokenEstimate {
  /** Estimated from the characters. */
  readonly promptTokens: number;
  /** If every answer were as long as it may be. */
  readonly maxCompletionTokens: number;
  /** Of those tokens; null without prices. */
  readonly maxCost: number | null;
}

/** Adds up questions. */
export interface TokenEstimator {
  add(messages: readonly { readonly content: string }[]): void;
  /** What it takes to ask each question once. */
  estimate(options: TokenPrices & { readonly maxTokens: number }): TokenEstimate;
}

/** Creates a {@link TokenEstimator}. */
export function createTokenEstimator(): TokenEstimator {
  let characters = 0;
  let questions = 0;
  return {
    add(messages) {
      questions++;
      for (const { content } of messages) characters += content.length;
    },
    estimate({ maxTokens, ...prices }) {
      const promptTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
      const maxCompletionTokens = questions * maxTokens;
      const maxCost = tokenCost(promptTokens, maxCompletionTokens, prices);
      return { promptTokens, maxCompletionTokens, maxCost };
    },
  };
}

/** `about 1,234 prompt tokens (characters / 4), at most 640 completion tokens; cost at most about 0.0123`. */
export function estimateWords({ promptTokens, maxCompletionTokens, maxCost }: TokenEstimate): string {
  const cost = maxCost === null ? "" : `; cost at most about ${maxCost.toFixed(4)}`;
  return `about ${count(promptTokens)} prompt tokens (characters / ${CHARACTERS_PER_TOKEN}), at most ${count(maxCompletionTokens)} completion tokens${cost}`;
}

/** A prompt for people to read. */
export function promptText(messages: readonly { readonly role: string; readonly content: string }[]): string {
  return messages.map(({ role, content }) => `[${role}]\n${content}\n\n`).join("");
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
