import type { ChatAnswer } from "../inference/chat-answer.ts";
import type { ChatMessage } from "../inference/chat-client.ts";

/** A JSON Schema for servers that hold a model to one: `response_format` of the type `json_schema`, strict. */
export interface StructuredSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A question to a model, with the form of its answer. */
export interface JudgeQuestion<T> {
  readonly messages: readonly ChatMessage[];
  readonly schema: StructuredSchema;
  /** Reads the text of an answer; the error is one line that tells the model what to mend. Never throws. */
  readonly read: (text: string) => { readonly value: T } | { readonly error: string };
}

/** One answer of a model, and what came of it: either `value` or `error` is null. */
export interface JudgeAttempt<T> {
  /** From 1; answers of an interrupted run count. */
  readonly attempt: number;
  readonly answer: ChatAnswer;
  readonly value: T | null;
  readonly error: string | null;
}

/** An answer that an interrupted run got and refused. */
export interface EarlierAttempt {
  readonly output: string;
  readonly error: string;
}

/** How {@link askUntilValid} asks. */
export interface AskUntilValidOptions<T> {
  /** Asks the model once; what it throws ends the asking. */
  readonly ask: (
    messages: readonly ChatMessage[],
    schema: StructuredSchema,
    signal: AbortSignal,
  ) => Promise<ChatAnswer>;
  /** The most answers in all, `earlier` ones included; at least 1. */
  readonly maxAttempts: number;
  /** The refused answers of an interrupted run, in order. */
  readonly earlier: readonly EarlierAttempt[];
  /** Told of every answer before anything else happens, so that it can be kept: it is paid for. */
  readonly onAttempt: (attempt: JudgeAttempt<T>) => Promise<void> | void;
  readonly signal: AbortSignal;
}

/**
 * Asks a question until its answer can be read. A refused answer stays in the conversation as the model's own message,
 * followed by the error and the request for the whole JSON again. An answer that was cut off, withheld or is empty is refused
 * without being read.
 *
 * @returns null when the last of `maxAttempts` answers is refused, also when `earlier` holds that many already.
 * @throws what `ask` or `onAttempt` throws; the signal's reason when it aborts.
 *
 * @example
 * ```ts
 * import { askUntilValid, type ChatAnswer, createAnnotator, labelBalance } from "calibrant/judge";
 * // In place of a model: the first answer names a turn that is none, the second is right.
 * const entry = (turn: number) =>
 *   `{"turn_idx": ${turn}, "gt_action": "request_for_info", "rationale": "No size.", "target_answer": "For how many?"}`;
 * const texts = [`{"annotations": [${entry(1)}]}`, `{"annotations": [${entry(0)}]}`];
 * const ask = async (): Promise<ChatAnswer> => ({
 *   text: texts.shift() ?? "", finishReason: "stop", model: null, reasoning: null, reasoningTokens: null,
 *   promptTokens: null, completionTokens: null, tokens: null,
 * });
 * const trajectory = {
 *   messages: [{ role: "user", content: "Book a table." }, { role: "assistant", content: "Done." }],
 *   tools: null,
 *   checklists: null,
 * };
 * const counts = { direct_answer: 0, tool_call: 0, request_for_info: 0, cannot_answer: 0 };
 * const annotator = await createAnnotator();
 * const annotations = await askUntilValid(annotator.question(trajectory, labelBalance(counts)), {
 *   ask,
 *   maxAttempts: 3,
 *   earlier: [],
 *   onAttempt: ({ attempt, error }) => {
 *     if (attempt === 1) console.log(error); // annotations[0].turn_idx must be the number of a turn, …; got 1
 *   },
 *   signal: new AbortController().signal,
 * });
 * for (const { gt_action } of annotations ?? []) counts[gt_action]++;
 * console.log(annotations?.[0]?.target_answer, counts.request_for_info); // For how many? 1
 * ```
 */
export async function askUntilValid<T>(
  question: JudgeQuestion<T>,
  options: AskUntilValidOptions<T>,
): Promise<T | null> {
  const { ask, maxAttempts, earlier, onAttempt, signal } = options;
  const messages = [...question.messages, ...earlier.flatMap(correction)];
  for (let attempt = earlier.length + 1; attempt <= maxAttempts; attempt += 1) {
    signal.throwIfAborted();
    const answer = await ask([...messages], question.schema, signal);
    const refusal = unreadable(answer);
    const read = refusal === null ? question.read(answer.text) : { error: refusal };
    const isValid = "value" in read;
    const error = isValid ? null : read.error;
    await onAttempt({ attempt, answer, value: isValid ? read.value : null, error });
    if (isValid) return read.value;
    messages.push(...correction({ output: answer.text, error: read.error }));
  }
  return null;
}

/** Why the text of an answer is not worth reading; null when it is. */
function unreadable({ text, finishReason }: ChatAnswer): string | null {
  if (finishReason === "length")
    return "the answer was cut off at the token limit: write less, keep rationales to one sentence";
  if (finishReason === "content_filter")
    return "the answer was withheld by the server's content filter (content_filter)";
  return text.trim() === "" ? "the answer is empty: a JSON object is expected" : null;
}

/** Servers refuse an assistant message without text. */
const NO_TEXT = "(no answer)";

function correction({ output, error }: EarlierAttempt): ChatMessage[] {
  return [
    { role: "assistant", content: output.trim() === "" ? NO_TEXT : output },
    { role: "user", content: correctionText(error) },
  ];
}

/** What a model is told about an answer that was refused. */
export function correctionText(error: string): string {
  return `This answer cannot be used. The problem:
${error}

Mend it and write the whole JSON object again, with nothing around it.`;
}
