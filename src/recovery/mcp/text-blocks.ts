import { canonicalJson } from "../../data/calls/canonical-json.ts";
import { asRecord } from "./mcp-message.ts";

/** A text block of a tool's result. */
export interface TextBlock {
  /** Its place in `content`. */
  readonly at: number;
  readonly text: string;
}

/** A text block that holds a JSON object or array. */
export interface JsonBlock extends TextBlock {
  readonly value: unknown;
  /** `canonicalJson` of the value: equal for equal data, however they are spelt. */
  readonly key: string;
}

/** The text blocks of a `content`, in order, those with JSON read. */
export function textBlocks(content: unknown): (TextBlock | JsonBlock)[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).flatMap((block, at) => {
    const { type, text } = asRecord(block) ?? {};
    return type === "text" && typeof text === "string" ? [{ at, text, ...jsonIn(text) }] : [];
  });
}

/** Whether a block holds a JSON object or array. */
export function isJsonText(block: TextBlock): block is JsonBlock {
  return "key" in block;
}

/** A value as the text of a block that held another one: JSON with its line breaks and indent; the same text for the same data. */
export function writtenLike(value: unknown, block: TextBlock): string {
  if (typeof value === "string") return value;
  if (!isJsonText(block)) return JSON.stringify(value);
  if (canonicalJson(value) === block.key) return block.text;
  const indent = /^\s*[[{]\r?\n([ \t]+)/.exec(block.text)?.[1];
  return JSON.stringify(value, null, indent);
}

function jsonIn(text: string): { readonly value: unknown; readonly key: string } | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return { value, key: canonicalJson(value) };
  } catch {
    return null;
  }
}
