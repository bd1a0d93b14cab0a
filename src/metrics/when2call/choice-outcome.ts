import { nonFiniteFromWord } from "../../data/jsonl/non-finite.ts";
import { asList } from "../../data/jsonl/row-value.ts";
import { compensatedSum } from "../../math/sum.ts";
import { ACTIONS } from "../../types.ts";
import { valueOfChoice, type When2CallItem } from "./when2call-item.ts";

/** How an item's prediction was read. */
export const WHEN2CALL_STATUSES = [
  "ok",
  "missing",
  "unparsed_label",
  "bad_logprob",
  "few_tokens",
  "no_choice_text",
] as const;

/**
 * How an item's prediction was read: `ok`; `missing`, there is none; `unparsed_label`, it names no category;
 * `bad_logprob`, a choice has no log-prob, NaN or a positive one; `few_tokens`, a choice's log-probs cover fewer tokens
 * than its text plausibly has, so that the item gets no score; `no_choice_text`, a choice has no characters to divide by,
 * so that the item has no length-normalised score.
 */
export type When2CallStatus = (typeof WHEN2CALL_STATUSES)[number];

/** What an item was answered with: codes of `ACTIONS`, -1 = none. */
export interface Outcome {
  readonly status: When2CallStatus;
  /** By the largest summed log-prob; of labels the label. */
  readonly acc: number;
  /** By the largest summed log-prob a character; of labels the label. */
  readonly norm: number;
}

const NONE = { acc: -1, norm: -1 } as const;

/** The outcome where a row has log-probs that are none, and no label. */
export const BAD_LOG_PROB: Outcome = { status: "bad_logprob", ...NONE };

/** The outcome of a label, by its code + 1. */
export const LABEL_OUTCOMES: readonly Outcome[] = [
  { status: "unparsed_label", ...NONE },
  ...ACTIONS.map((_, code): Outcome => ({ status: "ok", acc: code, norm: code })),
];

/** The summed log-probs of the choices, and how many tokens each sum covers; NaN = not known. */
export interface ChoiceScores {
  readonly sums: readonly number[];
  readonly tokens: readonly number[];
}

/**
 * The scores of a row: each choice has a sum in nats, or the list of its tokens' log-probs, whose length is then the
 * number of tokens.
 *
 * @param logProbs by choice; null where there is none
 * @param tokens numbers of tokens by choice
 */
export function choiceScores(
  logProbs: Readonly<Record<string, unknown>>,
  tokens: Readonly<Record<string, unknown>>,
): ChoiceScores {
  const sums: number[] = [];
  const counts: number[] = [];
  for (let choice = 0; choice < ACTIONS.length; choice++) {
    const value = valueOfChoice(logProbs, choice);
    const list = asList(value);
    sums.push(list === null ? logProbOf(value) : listSum(list));
    counts.push(list === null ? tokenCount(valueOfChoice(tokens, choice)) : list.length);
  }
  return { sums, tokens: counts };
}

/** Positive log-probs up to this size are rounding of 0, as in rollouts. */
const ROUNDING = 1e-3;

/** NaN where an element is no log-prob. */
function listSum(list: ArrayLike<unknown>): number {
  const values = Array.from(list, logProbOf);
  return values.some((value) => value > 0) ? Number.NaN : compensatedSum(values);
}

function tokenCount(value: unknown): number {
  const count = numberOf(value);
  return Number.isInteger(count) && count >= 0 ? count : Number.NaN;
}

function logProbOf(value: unknown): number {
  const number = numberOf(value);
  return number > 0 && number <= ROUNDING ? 0 : number;
}

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" ? (nonFiniteFromWord(value) ?? Number.NaN) : Number.NaN;
}

/**
 * The choice with the largest summed log-prob, and with the largest summed log-prob a Unicode code point of its text;
 * ties go to the first choice, −Infinity is a legal sum.
 *
 * @param mostCharacters code points that a token spells at most, on average over a text
 */
export function logProbOutcome(
  { sums, tokens }: ChoiceScores,
  answers: When2CallItem["answers"],
  mostCharacters: number,
): Outcome {
  if (sums.some((sum) => !(sum <= 0))) return BAD_LOG_PROB;
  const texts = answers === null ? null : ACTIONS.map((_, choice) => String(valueOfChoice(answers, choice)));
  const lengths = texts === null ? null : texts.map(codePoints);
  if (coversFewTokens(tokens, lengths, mostCharacters)) return { status: "few_tokens", ...NONE };
  const acc = firstLargest(sums);
  if (lengths === null || lengths.includes(0)) return { status: "no_choice_text", acc, norm: -1 };
  return { status: "ok", acc, norm: firstLargest(sums.map((sum, i) => sum / (lengths[i] as number))) };
}

/** Without texts only one thing is certain: four answers of one token each are no answers. */
function coversFewTokens(
  tokens: readonly number[],
  lengths: readonly number[] | null,
  mostCharacters: number,
): boolean {
  if (lengths === null) return tokens.every((count) => count <= 1);
  return tokens.some((count, i) => count < Math.ceil((lengths[i] as number) / mostCharacters));
}

function firstLargest(values: readonly number[]): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
}

/** Unicode code points: UTF-16 units less one for every pair. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
