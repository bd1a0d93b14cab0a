import { CalibrantError, type ErrorCode } from "../../errors.ts";
import type { FallbackMap, FallbackTool } from "./memory-data.ts";
import { compareText } from "./pair-table.ts";
import { shownValue } from "./shown-value.ts";

/**
 * A copy of a fallback map, tools in order, those without alternatives left out.
 *
 * @param name - what to call it in messages
 * @throws CalibrantError for anything else than lists of tools with notes, a tool listed twice with the same note, or as its own alternative.
 */
export function checkFallbacks(value: unknown, name: string, code: ErrorCode): FallbackMap {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw bad(code, name, "an object: for each tool a list of { tool, note }", value);
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  const checked = entries.map(([tool, list]): [string, FallbackTool[]] => {
    const owner = `${name}[${JSON.stringify(tool)}]`;
    if (!Array.isArray(list)) throw bad(code, owner, "a list of { tool, note }", list);
    return [tool, list.map((entry, i) => checkFallback(tool, entry, list.slice(0, i), owner, code))];
  });
  // Object.fromEntries defines properties, so that a tool called __proto__ stays one.
  return Object.fromEntries(checked.filter(([, list]) => list.length > 0));
}

function checkFallback(
  source: string,
  value: unknown,
  before: readonly FallbackTool[],
  owner: string,
  code: ErrorCode,
): FallbackTool {
  const isObject = value !== null && typeof value === "object";
  const { tool, note }: { tool?: unknown; note?: unknown } = isObject ? value : {};
  if (typeof tool !== "string" || !(note === undefined || typeof note === "string"))
    throw bad(code, owner, "a list of { tool, note }", value);
  if (tool === source || before.some((other) => other.tool === tool && other.note === note))
    throw bad(code, owner, "other tools, none twice with the same note", tool);
  return note === undefined || note === "" ? { tool } : { tool, note };
}

/**
 * A copy of the constraints.
 *
 * @throws CalibrantError for anything else than a list of texts.
 */
export function checkConstraints(value: unknown, name: string, code: ErrorCode): readonly string[] {
  if (Array.isArray(value) && value.every((text) => typeof text === "string" && text.trim() !== ""))
    return [...value];
  throw bad(code, name, "a list of sentences", value);
}

function bad(code: ErrorCode, name: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError(code, `${name} must be ${expected}, got ${shownValue(value)}`, { [name]: value });
}
