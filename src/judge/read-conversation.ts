import { readMessages } from "../data/calls/messages.ts";
import { CalibrantError } from "../errors.ts";
import { wireMessage } from "../rewards/wire-message.ts";
import type { Message } from "../types.ts";

/** Something with a conversation whose messages are read. */
export type WithMessages<T> = Omit<T, "messages"> & { readonly messages: readonly Message[] };

/**
 * The messages of a conversation, given as `readMessages` gives them or in OpenAI's chat format.
 *
 * @throws CalibrantError `data` for anything else.
 */
export function readConversation(
  messages: readonly (Message | Readonly<Record<string, unknown>>)[],
): readonly Message[] {
  const wire: unknown = messages;
  const read = Array.isArray(wire) ? readMessages(messages.map(wireMessage)) : null;
  if (read !== null) return read;
  const bad = Array.isArray(wire) ? messages.findIndex((message) => readMessages([message]) === null) : -1;
  const what = bad < 0 ? "the messages must be a list" : `message ${bad} must be an object with a role`;
  throw new CalibrantError("data", `${what}, got ${shown(bad < 0 ? wire : messages[bad])}`);
}

function shown(value: unknown): string {
  return value !== null && typeof value === "object" ? "another object" : String(value);
}
