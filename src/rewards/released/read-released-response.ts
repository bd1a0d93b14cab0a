import type { Action } from "../../types.ts";
import type { ReleasedLetter } from "../action-letters.ts";
import { pythonStrip, startsWithFolded } from "./python-text.ts";
import { readLetter, readSuggestedLetter } from "./released-letter.ts";
import { actionOfLetter, firstBlock, type ReleasedTag, tagAt } from "./released-markers.ts";
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
  const marked = readMarked(text);
  const { tag } = marked;
  const reasoning = marked.think ?? firstBlock(text, "[uq]", "[/uq]");
  const answer = marked.calls ?? marked.answer ?? firstBlock(text, "[answer]", "[/answer]");
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

/** What stands between markers in angle brackets; null = no complete one. */
interface MarkedText {
  readonly think: string | null;
  /** All blocks of calls with their markers, one a line. */
  readonly calls: string | null;
  readonly answer: string | null;
  readonly tag: ReleasedTag | null;
}

const SLASH = 0x2f;
const LOWER_A = 0x61;
const LOWER_D = 0x64;
const LOWER_T = 0x74;

/**
 * Reads the first think and answer block, all call blocks and the first tag in one walk over the brackets of a text. As
 * everywhere, a block ends at the nearest closing marker behind its opening one.
 */
function readMarked(text: string): MarkedText {
  let thinkStart = -1;
  let think: string | null = null;
  let answerStart = -1;
  let answer: string | null = null;
  let callStart = -1;
  let calls: string | null = null;
  let tag: ReleasedTag | null = null;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const unit = text.charCodeAt(at + 1) | 0x20;
    if (unit === LOWER_T) {
      if (thinkStart < 0 && startsWithFolded(text, "<think>", at)) thinkStart = at + 7;
      else if (callStart < 0 && startsWithFolded(text, "<tool_call>", at)) callStart = at;
    } else if (unit === SLASH) {
      if (thinkStart >= 0 && think === null && startsWithFolded(text, "</think>", at)) {
        think = pythonStrip(text.slice(thinkStart, at));
      } else if (answerStart >= 0 && answer === null && startsWithFolded(text, "</answer>", at)) {
        answer = pythonStrip(text.slice(answerStart, at));
      } else if (callStart >= 0 && startsWithFolded(text, "</tool_call>", at)) {
        const call = text.slice(callStart, at + 12);
        calls = calls === null ? call : `${calls}\n${call}`;
        callStart = -1;
      }
    } else if (unit >= LOWER_A && unit <= LOWER_D) {
      if (answerStart < 0 && startsWithFolded(text, "<answer>", at)) answerStart = at + 8;
      else tag ??= tagAt(text, at);
    }
  }
  return { think, calls, answer, tag };
}
