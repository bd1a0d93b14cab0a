import type { ToolCall } from "../../types.ts";
import {
  isPythonObject,
  type PythonJson,
  parsePythonJson,
  pythonJsonOf,
  pythonJsonText,
} from "./python-json.ts";
import { isPythonFalse, pythonStr } from "./python-str.ts";
import { pythonStrip } from "./python-text.ts";
import { allBlocks } from "./released-markers.ts";

/** A tool call: plain data, or with its arguments as Python reads them from JSON. */
export interface RenderableCall {
  readonly name: string;
  readonly arguments: ToolCall["arguments"] | ReadonlyMap<string, PythonJson>;
}

/**
 * The calls in the `<tool_call>` blocks of a text: each an object with a name, or a list of them; key `function` is
 * looked into where it is an object. The name is its trimmed text (null, 0, false and "" are none), arguments are an
 * object or text that reads as one, else `{}`. What has no name or is no JSON is left out. Linear.
 */
export function callsInBlocks(text: string): RenderableCall[] {
  return allBlocks(text, "<tool_call>", "</tool_call>").flatMap(({ inside }) => {
    const value = parsePythonJson(inside)?.value ?? null;
    const items: readonly PythonJson[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => callOf(item) ?? []);
  });
}

function callOf(item: PythonJson): RenderableCall | null {
  if (!isPythonObject(item)) return null;
  const inner = item.get("function");
  const call = isPythonObject(inner) ? inner : item;
  const name = call.get("name") ?? null;
  if (isPythonFalse(name)) return null;
  const trimmed = pythonStrip(pythonStr(name));
  if (trimmed === "") return null;
  const value = call.get("arguments") ?? null;
  return { name: trimmed, arguments: typeof value === "string" || isPythonObject(value) ? value : {} };
}

/**
 * Calls as the authors' code writes them: a block of `<tool_call>`, the JSON text of arguments and name, and
 * `</tool_call>`, on three lines each; keys sorted by code point at every depth. Calls without a name are left out,
 * arguments that are text but no JSON object, or nested deeper than Python writes, become `{}`.
 *
 * @returns the blocks joined by a line feed; "" for no calls.
 */
export function renderReleasedCalls(calls: readonly RenderableCall[]): string {
  return calls
    .map((call) => ({ name: pythonStrip(call.name), arguments: call.arguments }))
    .filter(({ name }) => name !== "")
    .map(({ name, arguments: given }) => {
      const fields = new Map<string, PythonJson>([
        ["arguments", argumentsOf(given)],
        ["name", name],
      ]);
      return `<tool_call>\n${pythonJsonText(fields, { sortKeys: true })}\n</tool_call>`;
    })
    .join("\n");
}

function argumentsOf(given: RenderableCall["arguments"]): ReadonlyMap<string, PythonJson> {
  if (given instanceof Map) return given;
  const value = typeof given === "string" ? parsePythonJson(given)?.value : pythonJsonOf(given);
  return isPythonObject(value) ? value : new Map();
}
