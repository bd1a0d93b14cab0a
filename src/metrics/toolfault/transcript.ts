import { readContent, readMessages } from "../../data/calls/messages.ts";
import { jsonText } from "../../data/jsonl/json-text.ts";
import type { ToolFaultItem } from "./tool-fault-item.ts";

/** A piece of a conversation: what somebody wrote, a call, or what a call gave back. Messages and calls count from 1. */
export type TranscriptEntry =
  | { readonly kind: "text"; readonly message: number; readonly role: string; readonly text: string }
  | {
      readonly kind: "call";
      readonly message: number;
      readonly call: number;
      readonly tool: string;
      /** JSON; text of another kind where the agent wrote broken JSON. */
      readonly arguments: string;
    }
  | {
      readonly kind: "result";
      readonly message: number;
      /** The call it answers, and that call's tool; null where no call is open. */
      readonly call: number | null;
      readonly tool: string | null;
      readonly text: string;
    };

/** A call that has no result yet. */
interface OpenCall {
  readonly call: number;
  readonly tool: string;
  readonly id: unknown;
}

/**
 * The conversation of an item, piece by piece. A result belongs to the oldest open call with its `tool_call_id`, else to
 * the oldest open call: ids may repeat or be missing.
 */
export function toolFaultTranscript(messages: ToolFaultItem["messages"]): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  const open: OpenCall[] = [];
  let calls = 0;
  for (const [index, message] of messages.entries()) {
    const [read] = readMessages([message]) ?? [];
    if (read === undefined) continue;
    const place = { message: index + 1 };
    const text = messageText(message);
    if (read.role === "tool") {
      const answered = takeCall(open, message.tool_call_id);
      const tool = read.name ?? answered?.tool ?? null;
      entries.push({ kind: "result", ...place, call: answered?.call ?? null, tool, text });
      continue;
    }
    if (text !== "" || read.toolCalls.length === 0)
      entries.push({ kind: "text", ...place, role: read.role, text });
    const ids = callIds(message, read.toolCalls.length);
    for (const [i, call] of read.toolCalls.entries()) {
      calls += 1;
      const text = typeof call.arguments === "string" ? call.arguments : jsonText(call.arguments);
      entries.push({ kind: "call", ...place, call: calls, tool: call.name, arguments: text });
      open.push({ call: calls, tool: call.name, id: ids[i] });
    }
  }
  return entries;
}

/** The text of a message as it stands; JSON text of content that is no text. */
function messageText(message: Readonly<Record<string, unknown>>): string {
  const { content } = message;
  if (content === null || content === undefined || typeof content === "string" || isParts(content))
    return readContent(message) ?? "";
  return jsonText(content);
}

/** Whether content is a list of OpenAI's content parts. */
function isParts(content: unknown): boolean {
  const isPart = (part: unknown): boolean =>
    part !== null && typeof part === "object" && "type" in part && "text" in part;
  return Array.isArray(content) && content.every(isPart);
}

function callIds(message: Readonly<Record<string, unknown>>, count: number): readonly unknown[] {
  const calls = message.tool_calls;
  if (!Array.isArray(calls) || calls.length !== count) return [];
  return calls.map((call: unknown) => (call as { readonly id?: unknown }).id);
}

function takeCall(open: OpenCall[], id: unknown): OpenCall | null {
  const named = id === undefined || id === null ? -1 : open.findIndex((call) => call.id === id);
  return open.splice(Math.max(named, 0), 1)[0] ?? null;
}
