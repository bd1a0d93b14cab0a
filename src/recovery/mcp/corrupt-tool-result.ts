import { canonicalJson } from "../../data/calls/canonical-json.ts";
import { asRecord } from "./mcp-message.ts";

/** The result of `tools/call`. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** A text block that holds a JSON object or array. */
interface JsonBlock {
  readonly at: number;
  readonly text: string;
  readonly value: unknown;
  /** {@link canonicalJson} of the value: equal data, however it is spelt. */
  readonly key: string;
}

/**
 * Lets `corrupt` change the data in a result of `tools/call`. The data are `structuredContent` and the text blocks that hold a
 * JSON object or array; where the same data stand in both, as the protocol advises, both change alike. Images, other blocks and
 * `_meta` stay as they are. A result without such data gives its first text to `corrupt`.
 *
 * @param corrupt - called exactly once: with the data; with the list of them when there are several different ones.
 * @returns a new result; the argument is not changed.
 */
export function corruptToolResult(result: ToolResult, corrupt: (value: unknown) => unknown): ToolResult {
  const content = Array.isArray(result.content) ? (result.content as readonly unknown[]) : [];
  const blocks = content.flatMap((block, at) => jsonBlock(block, at) ?? []);
  const structured = result.structuredContent;
  if (blocks.length === 0 && structured === undefined) return corruptFirstText(result, content, corrupt);
  const [only] = blocks;
  if (structured === undefined && only !== undefined && blocks.length === 1) {
    return { ...result, content: replaceTexts(content, [[only.at, String(corrupt(only.text))]]) };
  }
  const changed = corruptDistinct(structured, blocks, corrupt);
  const texts = blocks.map((block): [number, string] => {
    const value = changed.get(block.key);
    return [block.at, canonicalJson(value) === block.key ? block.text : written(value, block)];
  });
  return {
    ...result,
    ...(Array.isArray(result.content) && { content: replaceTexts(content, texts) }),
    ...(structured !== undefined && { structuredContent: changed.get(canonicalJson(structured)) }),
  };
}

/** The changed data by the key of the data before; equal data are changed once. */
function corruptDistinct(
  structured: unknown,
  blocks: readonly JsonBlock[],
  corrupt: (value: unknown) => unknown,
): Map<string, unknown> {
  const distinct = new Map<string, unknown>();
  if (structured !== undefined) distinct.set(canonicalJson(structured), structured);
  for (const { key, value } of blocks) if (!distinct.has(key)) distinct.set(key, value);
  const values = [...distinct.values()];
  const changed = corrupt(values.length === 1 ? values[0] : values);
  const list = values.length === 1 ? [changed] : (changed as readonly unknown[]);
  return new Map([...distinct.keys()].map((key, index) => [key, list[index]]));
}

function corruptFirstText(
  result: ToolResult,
  content: readonly unknown[],
  corrupt: (value: unknown) => unknown,
): ToolResult {
  const at = content.findIndex((block) => textOf(block) !== null);
  const text = at < 0 ? null : textOf(content[at]);
  const changed = corrupt(text);
  if (changed === text || at < 0) return result;
  return { ...result, content: replaceTexts(content, [[at, String(changed)]]) };
}

function replaceTexts(
  content: readonly unknown[],
  texts: readonly (readonly [number, string])[],
): readonly unknown[] {
  const copy = [...content];
  for (const [at, text] of texts) copy[at] = { ...asRecord(copy[at]), text };
  return copy;
}

function jsonBlock(block: unknown, at: number): JsonBlock | null {
  const text = textOf(block);
  if (text === null || !/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return { at, text, value, key: canonicalJson(value) };
  } catch {
    return null;
  }
}

function textOf(block: unknown): string | null {
  const record = asRecord(block);
  return record?.type === "text" && typeof record.text === "string" ? record.text : null;
}

/** JSON with the line breaks and the indent that the text before had. */
function written(value: unknown, { text }: JsonBlock): string {
  const indent = /^\s*[[{]\r?\n([ \t]+)/.exec(text)?.[1];
  return JSON.stringify(value, null, indent);
}
