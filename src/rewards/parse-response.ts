import { jsonText } from "../data/jsonl/json-text.ts";
import { ACTIONS, type Action, type Message, type ToolCall } from "../types.ts";
import { parseCalls } from "./parse-calls.ts";
import { type ResponseScan, scanResponse } from "./scan-response.ts";

/** Why the format of a response is not valid: the first of these that holds, or `ok`. */
export type ResponseReason =
  | "ok"
  /** No text at all, or only whitespace. */
  | "empty"
  /** The last message carries native tool calls: read without a format. */
  | "native_calls"
  /** No complete `<think>…</think>`. */
  | "no_think"
  /** More than one `<think>…</think>`, or a nested or stray think marker. */
  | "extra_think"
  /** No action tag outside `<think>` and `<answer>`. */
  | "no_action"
  /** More than one action tag. */
  | "extra_action"
  /** The name and the letter of the tag disagree. */
  | "inconsistent_action"
  /** No complete `<answer>…</answer>`. */
  | "no_answer"
  /** More than one `<answer>…</answer>`, or a nested or stray answer marker. */
  | "extra_answer"
  /** Not in the order thought, action, answer. */
  | "out_of_order"
  /** Something other than whitespace outside the three. */
  | "text_outside"
  /** An answer without text. */
  | "empty_answer"
  /** A `tool_call` answer in which no call, or a call without a name, can be read. */
  | "answer_without_call"
  /** Another action's answer that holds a call. */
  | "answer_with_call";

/** A response read by TRUST's rules. */
export interface ParsedResponse {
  /** The decision; null = unparsed. */
  readonly action: Action | null;
  /** The realised payload, trimmed; null = absent. */
  readonly answer: string | null;
  /** The calls that the answer holds, see `parseCalls`; null when it holds none. */
  readonly calls: readonly ToolCall[] | null;
  /** Whether R_fmt is 1. */
  readonly formatValid: boolean;
  /** `ok` exactly when the format is valid. */
  readonly reason: ResponseReason;
}

/**
 * Reads a sampled response in TRUST's format, `(<think> … </think>)<ACTION><answer> … </answer>` (Eq. 6 and the text
 * around it; tag forms of the released code).
 *
 * The format is valid when the text is exactly one `<think>…</think>`, then one action tag, then one
 * `<answer>…</answer>`, with nothing but whitespace around them, and the answer agrees with the action: the answer of
 * `tool_call` parses into one or more calls, all with a name; any other answer is non-empty text without a call.
 * The action tag is `<NAME>`, `NAME<L>` or `<L>`: NAME a canonical name or an alias, L a letter A to D, all markers in
 * any letter case. A thought may quote any other marker; an answer may quote anything but think and answer markers.
 *
 * The action is also read from a text whose format is not valid, when the tags outside thoughts and answers name
 * exactly one action (as often as they like) and none contradicts itself. Free text without a tag is unparsed (null).
 * There, `<L>` is no tag when it is markup (`<b>bold</b>`) or sits on a word (`List<A>`), and a `<tool_call>` block
 * names `tool_call`. The answer is the first complete answer block; without one, the text's own `<tool_call>` blocks.
 *
 * Linear in the length of the text. Never throws.
 *
 * @param text - the raw response; null = missing.
 *
 * @example
 * ```ts
 * import { parseResponse } from "calibrant/rewards";
 * const { action, answer, reason } = parseResponse("<think>Known.</think> direct<A> <answer>Paris</answer>");
 * console.log(action, answer, reason); // direct_answer Paris ok
 * ```
 */
export function parseResponse(text: string | null): ParsedResponse {
  return readResponse(text, parseCalls);
}

/** {@link parseResponse} with another way to read the calls of an answer, which must give what `parseCalls` gives. */
export function readResponse(
  text: string | null,
  callsOf: (answer: string) => readonly ToolCall[],
): ParsedResponse {
  if (text === null) return withoutText();
  const scan = scanResponse(text);
  const action = readAction(scan);
  const answer = readAnswer(text, scan);
  const found = answer === null ? [] : callsOf(answer);
  const calls = found.length === 0 ? null : found;
  const reason = formatReason(scan) ?? answerReason(action, answer ?? "", calls);
  if (reason === "no_think" && text.trim() === "") return withoutText();
  return { action, answer, calls, formatValid: reason === "ok", reason };
}

/**
 * Reads the response that ends a conversation: the last message that is no tool result. Native tool calls of an
 * assistant message read as `tool_call` with those calls as the answer (format not valid: there is no text to have
 * one); otherwise its content is read by {@link parseResponse}. A conversation that ends on another role has no response.
 */
export function parseLastMessage(messages: readonly Message[]): ParsedResponse {
  const last = messages.findLast((message) => message.role !== "tool");
  if (last === undefined || last.role !== "assistant") return withoutText();
  const calls = last.toolCalls;
  if (calls.length === 0) return parseResponse(last.content);
  const answer = jsonText(calls.length === 1 ? calls[0] : calls);
  return { action: "tool_call", answer, calls, formatValid: false, reason: "native_calls" };
}

function withoutText(): ParsedResponse {
  return { action: null, answer: null, calls: null, formatValid: false, reason: "empty" };
}

function readAction(scan: ResponseScan): Action | null {
  if (scan.inconsistent) return null;
  const codes = scan.named | (scan.bare & ~scan.closed);
  if (codes === 0 || (codes & (codes - 1)) !== 0) return null;
  return ACTIONS[31 - Math.clz32(codes)] as Action;
}

function readAnswer(text: string, scan: ResponseScan): string | null {
  if (scan.answerStart >= 0) return text.slice(scan.answerStart, scan.answerEnd).trim();
  return scan.callsEnd < 0 ? null : text.slice(scan.callsStart, scan.callsEnd);
}

/** The first fault in the frame of a response; null when it has none. */
function formatReason(scan: ResponseScan): ResponseReason | null {
  if (scan.thinkBlocks === 0) return "no_think";
  if (scan.thinkBlocks > 1 || scan.strayThinks > 0) return "extra_think";
  if (scan.tags === 0) return "no_action";
  if (scan.tags > 1) return "extra_action";
  if (scan.inconsistent) return "inconsistent_action";
  if (scan.answerBlocks === 0) return "no_answer";
  if (scan.answerBlocks > 1 || scan.strayAnswers > 0) return "extra_answer";
  if (scan.thinkEnd > scan.tagStart || scan.tagStart > scan.answerStart) return "out_of_order";
  return scan.textOutside ? "text_outside" : null;
}

function answerReason(
  action: Action | null,
  answer: string,
  calls: readonly ToolCall[] | null,
): ResponseReason {
  if (answer === "") return "empty_answer";
  if (action === "tool_call") {
    return calls?.every((call) => call.name !== "") ? "ok" : "answer_without_call";
  }
  return calls === null ? "ok" : "answer_with_call";
}
