import { isPythonObject, type PythonJson, parsePythonJson, pythonJsonOf } from "./python-json.ts";
import { pythonStr } from "./python-str.ts";
import { pythonStrip } from "./python-text.ts";
import { indexOfMarker } from "./released-markers.ts";

/** A tool call as the released alignment reads it. */
export interface ReleasedCall {
  /** "" when there is no call, or the call has no name. */
  readonly name: string;
  /** Empty when there are none, or they are no object. */
  readonly arguments: ReadonlyMap<string, PythonJson>;
}

/**
 * Reads the one call that the released alignment compares: from what stands between the first `<tool_call>` or
 * `<toolcall>` and the nearest closing of either kind, else from all of the text. Of a list it is the first item; a
 * `function` wrapper is not opened.
 */
export function readReleasedCall(text: string): ReleasedCall {
  const value = parsePythonJson(callText(text))?.value;
  const first = Array.isArray(value) ? (value as readonly PythonJson[])[0] : value;
  if (!isPythonObject(first)) return { name: "", arguments: new Map() };
  const args = first.get("arguments");
  return { name: nameOf(first), arguments: isPythonObject(args) ? args : new Map() };
}

function callText(text: string): string {
  const open = nearest(text, "<tool_call>", "<toolcall>", 0);
  const close = open === null ? null : nearest(text, "</tool_call>", "</toolcall>", open.end);
  return pythonStrip(open === null || close === null ? text : text.slice(open.end, close.start));
}

function nearest(text: string, a: string, b: string, from: number): { start: number; end: number } | null {
  const first = indexOfMarker(text, a, from);
  const second = indexOfMarker(text, b, from);
  if (first < 0 && second < 0) return null;
  return second < 0 || (first >= 0 && first < second)
    ? { start: first, end: first + a.length }
    : { start: second, end: second + b.length };
}

/**
 * The names that a `tools` list allows, null when it restricts nothing: it is no list, or no entry of it is an object or
 * the JSON text of one. An entry without a top-level `name` (the OpenAI form) allows the name "" only.
 */
export function allowedNames(tools: unknown): ReadonlySet<string> | null {
  if (!Array.isArray(tools)) return null;
  const names = new Set<string>();
  for (const tool of tools as readonly unknown[]) {
    const name = toolName(tool);
    if (name !== null) names.add(name);
  }
  return names.size === 0 ? null : names;
}

function toolName(tool: unknown): string | null {
  if (typeof tool === "string") {
    const value = parsePythonJson(tool)?.value;
    return isPythonObject(value) ? nameOf(value) : null;
  }
  if (tool === null || typeof tool !== "object" || Array.isArray(tool)) return null;
  // Only the name is converted: a schema can be large.
  const name: unknown = Object.hasOwn(tool, "name") ? (tool as { readonly name: unknown }).name : undefined;
  return name === undefined ? "" : pythonStrip(pythonStr(pythonJsonOf(name)));
}

function nameOf(object: ReadonlyMap<string, PythonJson>): string {
  const name = object.get("name");
  return name === undefined ? "" : pythonStrip(pythonStr(name));
}
