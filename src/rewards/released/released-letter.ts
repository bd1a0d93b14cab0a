import type { ReleasedLetter } from "../action-letters.ts";
import { isPythonWord, skipSpace } from "./python-text.ts";
import { letterInBrackets, letterOfUnit, nextAssignment, type ReleasedTag } from "./released-markers.ts";

/**
 * The letter that a response decides for: its tag's; else the answer's, the first `<L>` that ends a line there or else
 * the last stand-alone letter (which is also the last one of the last line that has any); else the last stand-alone
 * letter of the whole response; null for none.
 *
 * @param answer null = absent
 */
export function readLetter(
  response: string,
  tag: ReleasedTag | null,
  answer: string | null,
): ReleasedLetter | null {
  if (tag !== null) return tag.letter;
  const answered = answer === null ? null : (letterAtLineEnd(answer) ?? lastLetter(answer));
  return answered ?? lastLetter(response);
}

/**
 * The letter that a reasoning suggests: the first `suggested_action =` followed by optional `<` and a letter A to D, which
 * may begin a word: `=cannot_answer` reads C. Null for none.
 *
 * @param reasoning null = absent
 */
export function readSuggestedLetter(reasoning: string | null): ReleasedLetter | null {
  if (reasoning === null) return null;
  let next = nextAssignment(reasoning, "suggested_action", 0);
  while (next !== null) {
    const at = skipSpace(reasoning, next.value);
    const letter = letterOfUnit(reasoning.charCodeAt(reasoning.charCodeAt(at) === 0x3c ? at + 1 : at));
    if (letter !== null) return letter;
    next = nextAssignment(reasoning, "suggested_action", next.value);
  }
  return null;
}

/** The first `<L>` followed by nothing but whitespace up to an LF or the end of the text. */
function letterAtLineEnd(text: string): ReleasedLetter | null {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const letter = letterInBrackets(text, at);
    if (letter === null) continue;
    const next = skipSpace(text, at + 3);
    if (next === text.length || text.slice(at + 3, next).includes("\n")) return letter;
  }
  return null;
}

/** The last letter A to D, in any case, with no word character on either side. */
function lastLetter(text: string): ReleasedLetter | null {
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const letter = letterOfUnit(text.charCodeAt(at));
    if (letter !== null && !isWordBefore(text, at) && !isWordAt(text, at + 1)) return letter;
  }
  return null;
}

function isWordAt(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && isPythonWord(code);
}

function isWordBefore(text: string, at: number): boolean {
  const unit = text.charCodeAt(at - 1);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
  return isSecondHalf
    ? (text.codePointAt(at - 2) ?? 0) > 0xffff && isWordAt(text, at - 2)
    : isWordAt(text, at - 1);
}
