import { parseCalls } from "../rewards/parse-calls.ts";

const [OPEN, CLOSE] = ["<tool_call>", "</tool_call>"];

/** What a target of `tool_call` must look like, for errors. */
const FORM = '<tool_call>{"name": "…", "arguments": {…}}</tool_call>';

/**
 * What is wrong with the target answer of a `tool_call`: it must be one or more `<tool_call>…</tool_call>` blocks with
 * nothing else around them, each a JSON object with a name and an object of arguments.
 *
 * @param names - the tools there are; null = any name is right.
 * @returns null when nothing is wrong.
 */
export function targetCallsError(target: string, names: ReadonlySet<string> | null): string | null {
  const blocks = callBlocks(target);
  if (blocks === null) return `must be one or more blocks ${FORM} and nothing else`;
  for (const [index, block] of blocks.entries()) {
    const problem = blockError(block, names);
    if (problem !== null) return `call ${index + 1} ${problem}`;
  }
  return null;
}

/** The insides of the blocks that make up a text; null where there are none, or something else is around them. */
function callBlocks(text: string): string[] | null {
  const blocks: string[] = [];
  let rest = text.trim();
  while (rest.startsWith(OPEN)) {
    const end = rest.indexOf(CLOSE);
    if (end < 0) return null;
    blocks.push(rest.slice(OPEN.length, end));
    rest = rest.slice(end + CLOSE.length).trimStart();
  }
  return rest === "" && blocks.length > 0 ? blocks : null;
}

function blockError(block: string, names: ReadonlySet<string> | null): string | null {
  const syntax = syntaxError(block);
  if (syntax !== null) return `is no valid JSON: ${syntax}`;
  const value: unknown = JSON.parse(block);
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return `must be one JSON object: ${FORM}`;
  const { name, arguments: args } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || name.trim() === "") return 'needs a "name", the name of a tool';
  if (args === null || typeof args !== "object" || Array.isArray(args))
    return 'needs "arguments", a JSON object ({} without arguments)';
  if (names !== null && !names.has(name))
    return `names no tool of the agent: ${quoted(name)}. ${toolsText(names)}`;
  // The reader that rewards use has the last word: what it cannot read as this one call is of no use.
  const [call, ...more] = parseCalls(`${OPEN}${block}${CLOSE}`);
  return call?.name === name && typeof call.arguments === "object" && more.length === 0
    ? null
    : `cannot be read as a call: ${FORM}`;
}

function syntaxError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message.replace(/\s+/g, " ");
  }
}

const MOST_NAMES = 40;

function toolsText(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, MOST_NAMES);
  const more = names.size > shown.length ? `, and ${names.size - shown.length} more` : "";
  return `Its tools: ${shown.map(quoted).join(", ")}${more}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
