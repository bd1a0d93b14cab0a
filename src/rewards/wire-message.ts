import type { Message } from "../types.ts";

/** A message with its calls under the name that chat logs use, which `readMessages` reads. */
export function wireMessage(message: Message | Readonly<Record<string, unknown>>): unknown {
  const toolCalls: unknown = message?.toolCalls;
  return toolCalls === undefined ? message : { ...message, tool_calls: toolCalls };
}
