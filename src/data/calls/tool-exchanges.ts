import type { Message, ToolCall } from "../../types.ts";
import { jsonText } from "../jsonl/json-text.ts";
import { callEntries, readContent, readMessages } from "./messages.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A tool call of the assistant and what came back. */
export interface ToolExchange {
  readonly call: ToolCall;
  /** The text of the result; "" for an empty one, null when the conversation holds none. */
  readonly result: string | null;
  /** The index of the assistant message that holds the call; calls of one message were sent together. */
  readonly message: number;
}

/** A call while its result is looked for. */
interface OpenCall {
  readonly call: ToolCall;
  readonly message: number;
  result: string | null;
}

/** A result, and the calling message that precedes it; -1 when none does. */
interface Result {
  readonly message: Fields;
  readonly caller: number;
}

/**
 * Every tool call of the assistant in a conversation of OpenAI's chat format with its result, in the order of the calls;
 * null when the value is no list of messages with a role. Results are messages with the role `tool` or `function`.
 *
 * A result belongs to the open call with its `tool_call_id`, in the latest message that has one: ids may start anew in
 * each message. Results whose id is missing or fits no open call belong, in order, to the calls of the message before
 * them that are still open, those of the result's `name` first. Results that fit no call are left out.
 *
 * @example
 * ```ts
 * import { toolExchanges } from "calibrant/data";
 * const call = { id: "a", function: { name: "find", arguments: '{"id":7}' } };
 * const messages = [{ role: "assistant", tool_calls: [call] }, { role: "tool", tool_call_id: "a", content: "found" }];
 * console.log(toolExchanges(messages)?.[0]?.result); // found
 * ```
 */
export function toolExchanges(messages: unknown): ToolExchange[] | null {
  const read = readMessages(messages);
  if (read === null) return null;
  const entries = messages as readonly Fields[];
  const calls: OpenCall[] = [];
  const byId = new Map<string, OpenCall[]>();
  const byMessage = new Map<number, OpenCall[]>();
  const unlinked: Result[] = [];
  let caller = -1;
  for (const [index, message] of read.entries()) {
    const entry = entries[index] as Fields;
    if (message.role === "tool" || message.role === "function") {
      if (!answer(latestOpen(byId.get(idOf(entry.tool_call_id)), message.name), entry))
        unlinked.push({ message: entry, caller });
    } else if (message.role === "assistant" && message.toolCalls.length > 0) {
      caller = index;
      const opened = openCalls(message, entry, index, byId);
      byMessage.set(index, opened);
      calls.push(...opened);
    }
  }
  for (const { message, caller } of unlinked) {
    const name = typeof message.name === "string" ? message.name : undefined;
    answer(latestOpen(byMessage.get(caller), name), message);
  }
  return calls.map(({ call, result, message }) => ({ call, result, message }));
}

function openCalls(
  { toolCalls }: Message,
  entry: Fields,
  message: number,
  byId: Map<string, OpenCall[]>,
): OpenCall[] {
  const ids = callEntries(entry.tool_calls ?? entry.function_call).map(({ id }) => idOf(id));
  return toolCalls.map((call, index) => {
    const open: OpenCall = { call, message, result: null };
    const id = ids[index] ?? "";
    if (id !== "") {
      const same = byId.get(id);
      if (same === undefined) byId.set(id, [open]);
      else same.push(open);
    }
    return open;
  });
}

/** The first open call of the latest message that has one, one of the given name before others. */
function latestOpen(calls: readonly OpenCall[] = [], name?: string): OpenCall | undefined {
  let first: OpenCall | undefined;
  let named: OpenCall | undefined;
  for (let i = calls.length - 1; i >= 0; i -= 1) {
    const open = calls[i] as OpenCall;
    if (open.result !== null) continue;
    if (first !== undefined && open.message !== first.message) break;
    first = open;
    if (open.call.name === name) named = open;
  }
  return named ?? first;
}

/** Whether there was a call to answer. */
function answer(open: OpenCall | undefined, message: Fields): boolean {
  if (open === undefined) return false;
  open.result = resultText(message);
  return true;
}

/** Ids may be numbers; "" = none. */
function idOf(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

function resultText(message: Fields): string {
  const { content } = message;
  const isText = content === null || content === undefined || typeof content === "string";
  return isText || isParts(content) ? (readContent(message) ?? "") : jsonText(content);
}

/** Whether content is a list of OpenAI's content parts, not a result that is a list. */
function isParts(content: unknown): boolean {
  const isPart = (part: unknown): boolean =>
    typeof part === "string" || (part !== null && typeof part === "object" && "type" in part);
  return Array.isArray(content) && content.every(isPart);
}
