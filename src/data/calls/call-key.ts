import type { ToolCall } from "../../types.ts";
import { canonicalJson } from "./canonical-json.ts";

/**
 * A text that two calls share exactly when they are the same call: same name, and same arguments as
 * {@link canonicalJson} (key order, whitespace and 1 against 1.0 do not matter; array order does).
 *
 * Arguments that are raw text (broken JSON) compare as that text, and never with parsed arguments: a model that
 * sends the same broken call again repeats itself, but a broken call matches no gold call
 * (`hasReadableArguments`).
 */
export function callKey(call: ToolCall): string {
  const name = JSON.stringify(call.name);
  // A blank after the name marks raw text: canonical arguments start with a brace.
  return typeof call.arguments === "string"
    ? `${name} ${call.arguments}`
    : name + canonicalJson(call.arguments);
}

/** Whether the arguments of a call were read: false for raw text, which equals no gold call. */
export function hasReadableArguments<Call extends ToolCall>(
  call: Call,
): call is Call & { readonly arguments: Readonly<Record<string, unknown>> } {
  return typeof call.arguments !== "string";
}
