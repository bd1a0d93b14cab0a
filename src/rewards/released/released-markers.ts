import { ACTIONS, type Action } from "../../types.ts";
import { ACTION_LETTERS, type ReleasedLetter } from "../action-letters.ts";
import { pythonStrip, skipSpaceBack, startsWithFolded } from "./python-text.ts";

/** A complete block: `text.slice(start, end)` is the block with its markers as written, `inside` is trimmed. */
export interface ReleasedBlock {
  readonly start: number;
  readonly end: number;
  readonly inside: string;
}

/** An action tag, `tool_call <B>`: `text.slice(start, end)` runs from the name to the closing bracket. */
export interface ReleasedTag {
  readonly start: number;
  readonly end: number;
  /** The name as given; it may disagree with the letter. */
  readonly action: Action;
  readonly letter: ReleasedLetter;
}

/**
 * The first place from `from` on where the marker stands in any letter case (ASCII letters fold); -1 if none.
 *
 * @param marker in lower case; its first character is no letter, so that it can be searched for as it is; its second is a letter or a
 *   slash.
 */
export function indexOfMarker(text: string, marker: string, from: number): number {
  const first = marker.charAt(0);
  const second = marker.charCodeAt(1);
  let at = text.indexOf(first, from);
  // Most places differ in their second character: setting its bit 5 folds letters, and leaves a slash as it is.
  while (at >= 0 && ((text.charCodeAt(at + 1) | 0x20) !== second || !startsWithFolded(text, marker, at)))
    at = text.indexOf(first, at + 1);
  return at;
}

/**
 * All complete blocks of the text in order: an opening marker up to the nearest closing one, across lines. Further
 * openings inside a block are part of it; an opening that is never closed is none. Linear in the text.
 *
 * @param open such as `<think>`, in lower case; the text may have any letter case
 * @param close such as `</think>`
 */
export function allBlocks(text: string, open: string, close: string): readonly ReleasedBlock[] {
  const blocks: ReleasedBlock[] = [];
  let block = blockFrom(text, open, close, 0);
  while (block !== null) {
    blocks.push(block);
    block = blockFrom(text, open, close, block.end);
  }
  return blocks;
}

/** The trimmed inside of the first complete block, see {@link allBlocks}: "" if that is empty, null without a block. */
export function firstBlock(text: string, open: string, close: string): string | null {
  return blockFrom(text, open, close, 0)?.inside ?? null;
}

function blockFrom(text: string, open: string, close: string, from: number): ReleasedBlock | null {
  const start = indexOfMarker(text, open, from);
  if (start < 0) return null;
  const inner = start + open.length;
  const closing = indexOfMarker(text, close, inner);
  if (closing < 0) return null;
  return { start, end: closing + close.length, inside: pythonStrip(text.slice(inner, closing)) };
}

/**
 * The first tag of the text: one of the four action names, optional whitespace and `<L>` without a space inside the
 * brackets, in any letter case. Name and letter need not agree, and the name may end a longer word. Linear.
 */
export function findTag(text: string): ReleasedTag | null {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const tag = tagAt(text, at);
    if (tag !== null) return tag;
  }
  return null;
}

/** The tag whose bracket opens at `at`; null if there is none. */
export function tagAt(text: string, at: number): ReleasedTag | null {
  const letter = letterInBrackets(text, at);
  if (letter === null) return null;
  const nameEnd = skipSpaceBack(text, at);
  for (const action of ACTIONS) {
    const start = nameEnd - action.length;
    if (startsWithFolded(text, action, start)) return { start, end: at + 3, action, letter };
  }
  return null;
}

/** The letter of `<L>` at the position of its opening bracket; null if something else stands there. */
export function letterInBrackets(text: string, at: number): ReleasedLetter | null {
  return text.charCodeAt(at + 2) === 0x3e ? letterOfUnit(text.charCodeAt(at + 1)) : null;
}

/** The letter A to D of a UTF-16 unit, either case; null for any other, NaN included. */
export function letterOfUnit(unit: number): ReleasedLetter | null {
  return unit < 0x80 ? (ACTION_LETTERS[(unit | 0x20) - 0x61] ?? null) : null;
}

/** The action that a letter stands for; null for none. */
export function actionOfLetter(letter: ReleasedLetter | null): Action | null {
  return letter === null ? null : (ACTIONS[ACTION_LETTERS.indexOf(letter)] as Action);
}

/** A `name =`: `start` is where the name begins, `value` the position after the equals sign. */
export interface ReleasedAssignment {
  readonly start: number;
  readonly value: number;
}

/**
 * The first `name =` whose equals sign lies at `from` or later, in any letter case, with or without whitespace before
 * the sign; the name may end a longer word. Null if there is none. A walk from one `value` to the next is linear.
 *
 * @param name in lower case
 */
export function nextAssignment(text: string, name: string, from: number): ReleasedAssignment | null {
  for (let at = text.indexOf("=", from); at >= 0; at = text.indexOf("=", at + 1)) {
    const start = skipSpaceBack(text, at) - name.length;
    if (startsWithFolded(text, name, start)) return { start, value: at + 1 };
  }
  return null;
}
