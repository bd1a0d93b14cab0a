import type { GoldAction, Message, ToolCall } from "../../types.ts";
import { jsonText } from "../jsonl/json-text.ts";
import { parseJsonLine } from "../jsonl/parse-json-line.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A conversation in OpenAI's chat format, with its tool calls read; null when the value is no list of messages with a
 * role. Content parts are joined ({type: "text", text}; other parts have no text); a refusal is content; the older
 * `function_call` is a tool call. Tool results may be empty, ids may repeat and a message may hold text and calls.
 *
 * @example
 * ```ts
 * import { readMessages } from "calibrant/data";
 * const call = { function: { name: "find", arguments: '{"id":7}' } };
 * const [message] = readMessages([{ role: "assistant", content: null, tool_calls: [call] }]) ?? [];
 * console.log(message?.content, message?.toolCalls[0]?.arguments); // null { id: 7 }
 * ```
 */
export function readMessages(value: unknown): Message[] | null {
  if (!Array.isArray(value)) return null;
  const messages: Message[] = [];
  for (const entry of value as unknown[]) {
    if (!isFields(entry) || typeof entry.role !== "string") return null;
    messages.push({
      role: entry.role,
      content: readContent(entry),
      toolCalls: readToolCalls(entry.tool_calls ?? entry.function_call),
      ...(typeof entry.tool_call_id === "string" && { toolCallId: entry.tool_call_id }),
      ...(typeof entry.name === "string" && { name: entry.name }),
    });
  }
  return messages;
}

/** The text of a message: its content, the text parts of its content joined, or its refusal; null when it has none. */
export function readContent(message: Fields): string | null {
  const { content, refusal } = message;
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(partText).join("");
  return typeof refusal === "string" ? refusal : null;
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isFields(part)) return "";
  return typeof part.text === "string" ? part.text : typeof part.refusal === "string" ? part.refusal : "";
}

/**
 * Tool calls, in order: OpenAI's `{function: {name, arguments}}`, or flat `{name, arguments}` (`kwargs` too), one or a
 * list, or JSON text of either. Arguments may be JSON text, an object, or null or blank (no arguments: `{}`); text that
 * is not a JSON object stays as it is, and so never equals a gold call. Integers beyond 2^53 in JSON text are BigInt.
 * A call without a name is kept, named "": the model made it. Null entries and other values are no calls.
 */
export function readToolCalls(value: unknown): ToolCall[] {
  return callEntries(value).map(readCall);
}

/** A tool call whose arguments are as they were written: text that is JSON stays text. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Fields | string;
}

/**
 * Tool calls as {@link readToolCalls} finds them, with arguments that are text left as text. Once parsed, `1.0` and `1` are the
 * same number.
 */
function readWrittenCalls(value: unknown): WrittenCall[] {
  return callEntries(value).map((entry) => {
    const call = isFields(entry.function) ? entry.function : entry;
    const args = call.arguments ?? call.kwargs;
    return {
      name: typeof call.name === "string" ? call.name : "",
      arguments: typeof args === "string" || isFields(args) ? args : {},
    };
  });
}

/** The calls of a message as they were written, see {@link readWrittenCalls}. */
export function messageCalls(message: unknown): WrittenCall[] {
  return isFields(message) ? readWrittenCalls(message.tool_calls ?? message.function_call) : [];
}

/**
 * Gold actions, in order: as {@link readToolCalls} reads calls, with `compare_args` (or `compareArgs`): the names of the
 * arguments that count, an empty list for the name alone; absent or null = all count.
 */
export function readGoldActions(value: unknown): GoldAction[] {
  return callEntries(value).map((entry) => {
    const names = entry.compare_args ?? entry.compareArgs;
    const call = readCall(entry);
    return Array.isArray(names) ? { ...call, compareArgs: names.map(String) } : call;
  });
}

/** The entries of tool calls that {@link readToolCalls} reads, one for each call and in its order, as they stand. */
export function callEntries(value: unknown): Readonly<Record<string, unknown>>[] {
  const list = typeof value === "string" ? parsedOr(value, null) : value;
  return (Array.isArray(list) ? (list as unknown[]) : [list]).filter(isFields);
}

function readCall(entry: Fields): ToolCall {
  const call = isFields(entry.function) ? entry.function : entry;
  return {
    name: typeof call.name === "string" ? call.name : "",
    arguments: readArguments(call.arguments ?? call.kwargs),
  };
}

function readArguments(value: unknown): ToolCall["arguments"] {
  if (value === null || value === undefined) return {};
  if (isFields(value)) return value;
  if (typeof value !== "string") return jsonText(value);
  if (value.trim() === "") return {};
  const parsed = parsedOr(value, value);
  return parsed === null ? {} : isFields(parsed) ? parsed : value;
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return parseJsonLine(text, { exactIntegers: true }).value;
  } catch {
    return otherwise;
  }
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
