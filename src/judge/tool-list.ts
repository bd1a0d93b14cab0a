import { parseJsonLine } from "../data/jsonl/parse-json-line.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The tools of an agent as bare schemas, without OpenAI's `{type: "function", function: …}` around them: of a list, of one
 * tool, or of JSON text of either.
 *
 * @returns null for null, undefined, blank text, and an empty list.
 */
export function toolList(tools: unknown): readonly unknown[] | null {
  const value = typeof tools === "string" ? parsedOr(tools) : tools;
  if (value === null || value === undefined || value === "") return null;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.length === 0 ? null : list.map(bareTool);
}

/** The names of tools; null when none of them has one, so that nothing can be said about a name. */
export function toolNames(tools: unknown): ReadonlySet<string> | null {
  const names = (toolList(tools) ?? []).flatMap((tool) => {
    const name = typeof tool === "string" ? tool : asFields(tool)?.name;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
  return names.length === 0 ? null : new Set(names);
}

function bareTool(tool: unknown): unknown {
  return asFields(asFields(tool)?.function) ?? tool;
}

function asFields(value: unknown): Fields | null {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : null;
}

function parsedOr(text: string): unknown {
  try {
    return parseJsonLine(text).value;
  } catch {
    return text.trim();
  }
}
