import type { Message } from "../types.ts";

/** A message with its calls under the name that chat logs use, which `readMessages` reads. */
export function wireMessage(message: Message | Readonly<Record<string, unknown>>): unknown {
  const toolCalls: unknown = message?.toolCalls;
  return toolCalls === undefined ? message : { ...message, tool_calls: toolCalls };
}

/** {@link wireMessage} of each message; what is no list stays as it is, for the reader of the column to judge. */
export function wireMessages(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.map(wireMessageOf) : messages;
}

function wireMessageOf(message: unknown): unknown {
  return message !== null && typeof message === "object" ? wireMessage(message as Message) : message;
}
