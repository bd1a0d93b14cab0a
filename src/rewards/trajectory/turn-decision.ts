import { jsonText } from "../../data/jsonl/json-text.ts";
import type { Action, Message, ToolCall } from "../../types.ts";
import { type ParsedResponse, parseResponse } from "../parse-response.ts";

/** What an assistant decided in one user turn, read without a model. */
export interface TurnDecision {
  /** Null where the turn has to be judged by a model: free text without a tag. */
  readonly action: Action | null;
  /** The calls as JSON text, or the answer; null without. */
  readonly answer: string | null;
  /** `no_assistant`: the assistant neither wrote nor called anything in the turn, so nothing was decided. */
  readonly source: "native_calls" | "text" | "unparsed" | "no_assistant";
  /** Index in the turn of the message that holds the decision; -1 without. */
  readonly message: number;
}

/**
 * The decision of a user turn, as the authors' code reads it: the native calls of the first assistant message that has
 * any are a `tool_call`; else the text of the last assistant message is read by `parseResponse`.
 *
 * @param turn - the messages of the turn.
 *
 * @example
 * ```ts
 * import { turnDecision } from "calibrant/rewards";
 * const call = { name: "find", arguments: { id: 7 } };
 * const turn = [
 *   { role: "user", content: "Find 7.", toolCalls: [] },
 *   { role: "assistant", content: null, toolCalls: [call] },
 * ];
 * console.log(turnDecision(turn).action, turnDecision(turn).answer); // tool_call {"name":"find","arguments":{"id":7}}
 * ```
 */
export function turnDecision(turn: readonly Message[]): TurnDecision {
  const calling = turn.findIndex(({ role, toolCalls }) => role === "assistant" && toolCalls.length > 0);
  if (calling >= 0) {
    const answer = callsText((turn[calling] as Message).toolCalls);
    return { action: "tool_call", answer, source: "native_calls", message: calling };
  }
  const last = turn.findLastIndex(({ role }) => role === "assistant");
  if (!turn.some(isSpoken)) return { action: null, answer: null, source: "no_assistant", message: -1 };
  const { action, answer }: ParsedResponse = parseResponse((turn[last] as Message).content);
  return { action, answer, source: action === null ? "unparsed" : "text", message: last };
}

function isSpoken({ role, content }: Message): boolean {
  return role === "assistant" && content !== null && content.trim() !== "";
}

function callsText(calls: readonly ToolCall[]): string {
  return jsonText(calls.length === 1 ? calls[0] : calls);
}
