import { readContent, readToolCalls } from "../calls/messages.ts";
import { jsonText } from "../jsonl/json-text.ts";
import { asFields, type RolloutRow } from "./row-adapter.ts";

/** A tool call as OpenAI writes it; arguments are JSON text. */
export interface WireCall {
  readonly id?: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message in OpenAI's chat format, with only the fields that rollouts keep. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

/**
 * A source's messages in OpenAI's chat format: content as one text, calls with their arguments as JSON text, ids kept.
 * Entries that are no message with a role are left out.
 */
export function wireMessages(messages: readonly unknown[]): WireMessage[] {
  return messages.flatMap((entry) => {
    const message = asFields(entry);
    if (message === null || typeof message.role !== "string") return [];
    const calls = wireCalls(message.tool_calls ?? message.function_call);
    return [
      {
        role: message.role,
        content: readContent(message),
        ...(calls.length > 0 && { tool_calls: calls }),
        ...(typeof message.tool_call_id === "string" && { tool_call_id: message.tool_call_id }),
        ...(typeof message.name === "string" && { name: message.name }),
      },
    ];
  });
}

function wireCalls(value: unknown): WireCall[] {
  const entries = Array.isArray(value) ? (value as unknown[]) : [value];
  return entries.flatMap((entry) => {
    const [call] = readToolCalls([entry]);
    if (call === undefined) return [];
    const id = asFields(entry)?.id;
    return [
      {
        ...(typeof id === "string" && { id }),
        type: "function" as const,
        function: { name: call.name, arguments: rawArguments(entry) ?? jsonText(call.arguments) },
      },
    ];
  });
}

/** Arguments that already are JSON text, or were meant to be: kept as the model wrote them. */
function rawArguments(entry: unknown): string | undefined {
  const fields = asFields(entry);
  const call = asFields(fields?.function) ?? fields;
  const text = call?.arguments ?? call?.kwargs;
  return typeof text === "string" ? text : undefined;
}

/**
 * What the columns say about a conversation: `messages`, `tool_calls` (those of assistant messages, arguments as JSON
 * text) and `response` (the text of the last assistant message; left out when that message only calls tools).
 */
export function conversationColumns(messages: readonly WireMessage[]): RolloutRow {
  const assistant = messages.filter((message) => message.role === "assistant");
  const response = assistant.at(-1)?.content ?? null;
  return {
    messages,
    tool_calls: assistant.flatMap((message) => (message.tool_calls ?? []).map((call) => call.function)),
    ...(response !== null && { response }),
  };
}
