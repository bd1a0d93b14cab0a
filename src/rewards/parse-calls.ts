import { canonicalJson } from "../data/calls/canonical-json.ts";
import { readToolCalls } from "../data/calls/messages.ts";
import { parseJsonLine } from "../data/jsonl/parse-json-line.ts";
import type { ToolCall } from "../types.ts";
import { CALL, CALL_END, opensJson, tagAt } from "./response-tags.ts";

/**
 * Reads the tool calls that a text writes out: the `<tool_call>…</tool_call>` blocks in it (markers in any letter
 * case, prose around them ignored), each one JSON object or an array of them; without a block, the whole text as one
 * JSON object or an array.
 *
 * A `function` wrapper is opened; `arguments` may be an object or JSON text; missing or null arguments are `{}`;
 * arguments that are no JSON object stay as raw text. JSON is Python's dialect: NaN is a number, integers beyond
 * 2^53 keep their digits.
 *
 * What is marked as a call but cannot be read (broken JSON, no name) is kept as a call named `""`: it is one call
 * more, and equals none. Without a block, JSON in which nothing has a name is data, not calls.
 *
 * @returns the calls in order; empty when the text holds none. Never throws.
 *
 * @example
 * ```ts
 * import { parseCalls } from "calibrant/rewards";
 * const [call] = parseCalls('<tool_call>{"name": "ls", "arguments": {"a": true}}</tool_call>');
 * console.log(call?.name, JSON.stringify(call?.arguments)); // ls {"a":true}
 * ```
 */
export function parseCalls(text: string): ToolCall[] {
  const blocks = callBlocks(text);
  if (blocks.length > 0) {
    return blocks.flatMap((block) => readJsonCalls(block) ?? [namelessCall(block)]);
  }
  const calls = readJsonCalls(text) ?? [];
  return calls.some((call) => call.name !== "") ? calls : [];
}

/** Whether a text can hold calls at all: false, at the cost of a glance, for free text, of which `parseCalls` gives none. */
export function mayHoldCalls(text: string): boolean {
  return text.includes("<") || opensJson(text, 0);
}

/** The insides of complete `<tool_call>` blocks: from an opening marker to the nearest closing one. */
function callBlocks(text: string): string[] {
  const blocks: string[] = [];
  let start = -1;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const tag = tagAt(text, at + 1);
    if (tag?.kind === CALL && start < 0) start = at + 1 + tag.units.length;
    else if (tag?.kind === CALL_END && start >= 0) {
      blocks.push(text.slice(start, at));
      start = -1;
    }
  }
  return blocks;
}

/** The calls of JSON text; null when it is not a JSON object or array. */
function readJsonCalls(text: string): ToolCall[] | null {
  // A look at the first character spares free text the cost of a thrown SyntaxError.
  if (!opensJson(text, 0)) return null;
  let value: unknown;
  try {
    value = parseJsonLine(text, { exactIntegers: true }).value;
  } catch {
    return null;
  }
  return Array.isArray(value) ? value.map(readCall) : [readCall(value)];
}

function readCall(item: unknown): ToolCall {
  const [call] = readToolCalls([item]);
  return call === undefined || call.name === "" ? namelessCall(canonicalJson(item)) : call;
}

function namelessCall(raw: string): ToolCall {
  return { name: "", arguments: raw };
}
