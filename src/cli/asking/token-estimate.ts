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

/** What is assumed of a request to mend an answer; the refused answer itself is as long as it may be. */
const CORRECTION_TOKENS = 200;

type EstimateOptions = TokenPrices & { readonly maxTokens: number };

/** Adds up questions. */
export interface TokenEstimator {
  /** @param answers - the most answers to the question; each refused one makes the next prompt longer. */
  add(messages: readonly { readonly content: string }[], answers?: number): void;
  /** What it takes to ask each question once. */
  estimate(options: EstimateOptions): TokenEstimate;
  /** The same if every question takes all its answers. */
  bound(options: EstimateOptions): TokenEstimate;
}

/** Creates a {@link TokenEstimator}. */
export function createTokenEstimator(): TokenEstimator {
  const once = { characters: 0, answers: 0, mended: 0 };
  const most = { ...once };
  const estimate = (
    { characters, answers, mended }: typeof once,
    { maxTokens, ...prices }: EstimateOptions,
  ): TokenEstimate => {
    const promptTokens =
      Math.ceil(characters / CHARACTERS_PER_TOKEN) + mended * (maxTokens + CORRECTION_TOKENS);
    const maxCompletionTokens = answers * maxTokens;
    return {
      promptTokens,
      maxCompletionTokens,
      maxCost: tokenCost(promptTokens, maxCompletionTokens, prices),
    };
  };
  return {
    add(messages, answers = 1) {
      const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
      once.characters += characters;
      once.answers++;
      most.characters += answers * characters;
      most.answers += answers;
      // The second prompt holds one refused answer, the third two, …
      most.mended += (answers * (answers - 1)) / 2;
    },
    estimate: (options) => estimate(once, options),
    bound: (options) => estimate(most, options),
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
