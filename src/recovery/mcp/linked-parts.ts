import { canonicalJson } from "../../data/calls/canonical-json.ts";
import { asRecord } from "./mcp-message.ts";
import { isJsonText, type JsonBlock, type TextBlock } from "./text-blocks.ts";

/** Reads the part from structured content of the same shape; undefined when it is not there any more. */
type ReadPart = (structured: unknown) => unknown;

/** A text block that holds what a part of the structured content does. */
export interface LinkedBlock {
  readonly block: TextBlock;
  readonly read: ReadPart;
}

/**
 * Finds the text blocks that repeat the structured content: as a whole, what it has under `result` when that is all it has, or an
 * element of that. Elements that are alike are taken in their order.
 *
 * @returns `others`: the JSON blocks that hold something else.
 */
export function linkedParts(
  structured: unknown,
  blocks: readonly TextBlock[],
): { readonly linked: readonly LinkedBlock[]; readonly others: readonly JsonBlock[] } {
  const parts = partsOf(structured);
  const linked: LinkedBlock[] = [];
  const others: JsonBlock[] = [];
  for (const block of blocks) {
    const reads = parts.get(block.text) ?? (isJsonText(block) ? parts.get(block.key) : undefined);
    const read = reads === undefined || reads.length < 2 ? reads?.[0] : reads.shift();
    if (read !== undefined) linked.push({ block, read });
    else if (isJsonText(block)) others.push(block);
  }
  return { linked, others };
}

/** What structured content has under `result` when it has nothing else; undefined for any other. */
export function wrappedResult(structured: unknown): unknown {
  const fields = asRecord(structured);
  return fields !== null && Object.keys(fields).join() === "result" ? fields.result : undefined;
}

/** The parts by the text that a block would have: canonical JSON, or a text or number as it is. */
function partsOf(structured: unknown): Map<string, ReadPart[]> {
  const parts = new Map<string, ReadPart[]>();
  const add = (value: unknown, read: ReadPart): void => {
    const key = typeof value === "string" ? value : canonicalJson(value);
    const same = parts.get(key);
    if (same === undefined) parts.set(key, [read]);
    else same.push(read);
  };
  add(structured, (changed) => changed);
  const result = wrappedResult(structured);
  if (result === undefined) return parts;
  add(result, (changed) => asRecord(changed)?.result);
  if (!Array.isArray(result)) return parts;
  for (const [index, element] of (result as readonly unknown[]).entries())
    add(element, (changed) => (asRecord(changed)?.result as readonly unknown[] | undefined)?.[index]);
  return parts;
}
