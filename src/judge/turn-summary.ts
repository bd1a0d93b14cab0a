import { jsonText } from "../data/jsonl/json-text.ts";
import type { Message, ToolCall } from "../types.ts";
import type { QuotedLine } from "./quoted-part.ts";
import { shortenMiddle } from "./shorten-texts.ts";

/** Names come from models and files too, and can be of any length. */
const NAME_LIMIT = 200;

/**
 * What happened in a turn, one JSON object a line: texts `{"role","text"}`, calls `{"role","call","arguments"}` and tool
 * results `{"role","name","result"}`, in their order. A message with text and calls gives a line for each; one without
 * either gives an empty text. Arguments are JSON, or a JSON string where they are broken or were shortened.
 *
 * @param isRead - whether the turn is the one to read: what the assistant wrote and called is needed word for word.
 */
export function turnSummary(turn: readonly Message[], isRead: boolean): readonly QuotedLine[] {
  return turn.flatMap((message) => {
    const isNeeded = isRead && message.role === "assistant";
    return messageLines(message).map((line) => ({ ...line, isNeeded }));
  });
}

type BareLine = Omit<QuotedLine, "isNeeded">;

function messageLines({ role, content, toolCalls, name }: Message): BareLine[] {
  const start = { role: shortName(role) };
  const text = content ?? "";
  if (role === "tool") {
    const from = name === undefined ? {} : { name: shortName(name) };
    return [{ text, line: (result) => JSON.stringify({ ...start, ...from, result }) }];
  }
  const calls = toolCalls.map((call) => callLine(start, call));
  if (text === "" && calls.length > 0) return calls;
  return [{ text, line: (shown) => JSON.stringify({ ...start, text: shown }) }, ...calls];
}

function callLine(start: { readonly role: string }, call: ToolCall): BareLine {
  const isBroken = typeof call.arguments === "string";
  const text = typeof call.arguments === "string" ? call.arguments : jsonText(call.arguments);
  const head = JSON.stringify({ ...start, call: shortName(call.name) }).slice(0, -1);
  const line = (shown: string): string =>
    `${head},"arguments":${!isBroken && shown === text ? text : JSON.stringify(shown)}}`;
  return { text, line };
}

function shortName(name: string): string {
  return shortenMiddle(name, NAME_LIMIT);
}
