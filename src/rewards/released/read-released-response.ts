import type { Action } from "../../types.ts";
import { readLetter, readSuggestedLetter } from "./released-letter.ts";
import { actionOfLetter, allBlocks, findTag, firstBlock, type ReleasedLetter } from "./released-markers.ts";
import { readSource } from "./released-source.ts";

/** A response as the authors' published code reads it. */
export interface ReleasedResponse {
  /** The trimmed inside of the think block, else of the `[uq]` block; null = absent, "" = empty. */
  readonly reasoning: string | null;
  /** The tool-call blocks with their markers, one a line; else the trimmed inside of the answer block; null = absent. */
  readonly answer: string | null;
  /** The decision; null when no letter can be read. */
  readonly letter: ReleasedLetter | null;
  /** The action of the letter, whatever name stands beside it. */
  readonly predAction: Action | null;
  /** Whether the response holds a tag, an action name followed by its `<L>`. */
  readonly categoryMatch: boolean;
  /** Whether the tag or the reasoning suggests a letter, and the same one. */
  readonly selfConsistent: boolean;
  /** The source that the reasoning names, trimmed; "" for none. */
  readonly source: string;
}

/**
 * Reads a response by the rules of TRUST's released code (`parse-response.ts` reads the paper's format): any letter case,
 * Python's idea of whitespace and words, the first complete block anywhere, tool-call blocks within the reasoning too.
 * Linear in the length of the text; never throws.
 */
export function readReleasedResponse(text: string): ReleasedResponse {
  const reasoning = firstBlock(text, "<think>", "</think>") ?? firstBlock(text, "[uq]", "[/uq]");
  const answer = readAnswer(text);
  const tag = findTag(text);
  const letter = readLetter(text, tag, answer);
  const suggested = tag === null ? readSuggestedLetter(reasoning) : tag.letter;
  return {
    reasoning,
    answer,
    letter,
    predAction: actionOfLetter(letter),
    categoryMatch: tag !== null,
    selfConsistent: suggested !== null && suggested === letter,
    source: readSource(reasoning),
  };
}

function readAnswer(text: string): string | null {
  const calls = allBlocks(text, "<tool_call>", "</tool_call>");
  if (calls.length > 0) return calls.map(({ start, end }) => text.slice(start, end)).join("\n");
  return firstBlock(text, "<answer>", "</answer>") ?? firstBlock(text, "[answer]", "[/answer]");
}
