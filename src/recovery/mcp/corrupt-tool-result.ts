import { linkedParts, wrappedResult } from "./linked-parts.ts";
import { asRecord } from "./mcp-message.ts";
import { isJsonText, type TextBlock, textBlocks, writtenLike } from "./text-blocks.ts";

/** The result of `tools/call`. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Changes data; what `accepts` refuses is not to be the answer. */
export type Corrupt = (value: unknown, accepts?: (changed: unknown) => boolean) => unknown;

/** A text block with what it is to hold; null = the block goes. */
type NewText = readonly [block: TextBlock, text: string | null];

/**
 * Lets `corrupt` change the data in a result of `tools/call`. The data are `structuredContent` and the text blocks that hold a
 * JSON object or array; where the same data stand in both, as the protocol advises, both change alike, also where the structured
 * content has them under `result` (as FastMCP wraps what is no object) and the blocks have them one by one. Images, other blocks and
 * `_meta` stay as they are. A result without such data gives its first text to `corrupt`.
 *
 * @param corrupt - called exactly once: with the data; with the list of them when there are several different ones.
 * @param fits - whether structured content is what the tool declares. Default: anything is.
 * @returns a new result; the argument is not changed.
 */
export function corruptToolResult(
  result: ToolResult,
  corrupt: Corrupt,
  fits: (structuredContent: unknown) => boolean = () => true,
): ToolResult {
  const blocks = textBlocks(result.content);
  const { structuredContent } = result;
  if (structuredContent !== undefined)
    return corruptStructured(result, structuredContent, blocks, corrupt, fits);
  const json = blocks.filter(isJsonText);
  const [first] = json.length > 0 ? json : blocks;
  const distinct = new Map(json.map(({ key, value }) => [key, value]));
  if (first === undefined || distinct.size < 2) {
    const text = first?.text ?? null;
    const changed = corrupt(text);
    if (first === undefined || changed === text) return result;
    const alike = json.length > 0 ? json : [first];
    return withTexts(
      result,
      alike.map((block) => [block, String(changed)]),
    );
  }
  const changed = corrupt([...distinct.values()]) as readonly unknown[];
  const byKey = new Map([...distinct.keys()].map((key, index) => [key, changed[index]]));
  return withTexts(
    result,
    json.map((block) => [block, writtenLike(byKey.get(block.key), block)]),
  );
}

function corruptStructured(
  result: ToolResult,
  structured: unknown,
  blocks: readonly TextBlock[],
  corrupt: Corrupt,
  fits: (structuredContent: unknown) => boolean,
): ToolResult {
  const { linked, others } = linkedParts(structured, blocks);
  const distinct = new Map(others.map(({ key, value }) => [key, value]));
  const alone = distinct.size === 0;
  // A text may hold JSON, which is changed in its place.
  const inner = wrappedResult(structured);
  const isText = typeof inner === "string";
  const wrapped = (value: unknown): unknown => (isText ? { result: value } : value);
  const data = isText ? inner : structured;
  const changed = corrupt(alone ? data : [data, ...distinct.values()], (value) =>
    fits(wrapped(alone ? value : (value as readonly unknown[])[0])),
  );
  const [first, ...rest] = alone ? [changed] : (changed as readonly unknown[]);
  const structuredContent = wrapped(first);
  const byKey = new Map([...distinct.keys()].map((key, index) => [key, rest[index]]));
  const texts: NewText[] = [
    ...linked.map(({ block, read }): NewText => {
      const part = read(structuredContent);
      return [block, part === undefined ? null : writtenLike(part, block)];
    }),
    ...others.map((block): NewText => [block, writtenLike(byKey.get(block.key), block)]),
  ];
  return { ...withTexts(result, texts), structuredContent };
}

function withTexts(result: ToolResult, texts: readonly NewText[]): ToolResult {
  if (texts.length === 0) return result;
  const byPlace = new Map(texts.map(([{ at }, text]) => [at, text]));
  const content = (result.content as readonly unknown[]).flatMap((block, at) => {
    const text = byPlace.get(at);
    if (text === null) return [];
    return [text === undefined ? block : { ...asRecord(block), text }];
  });
  return { ...result, content };
}
