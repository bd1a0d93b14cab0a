import { actionCode } from "../data/calls/action.ts";

/** Kinds of tag; an action's name is NAME + its code (A to D as 0 to 3), and so on. */
export const THINK = 1;
export const THINK_END = 2;
export const ANSWER = 3;
export const ANSWER_END = 4;
/** `<tool_call>`: the action's name, or the start of a block with a call. */
export const CALL = 5;
export const CALL_END = 6;
export const NAME = 16;
export const LETTER = 32;
export const LETTER_END = 48;

const NAMES = ["direct_answer", "direct", "tool", "request_for_info", "ask", "cannot_answer", "unable"];

/** A known tag. */
export interface Tag {
  readonly kind: number;
  /** The code units behind its `<`, in lower case, `>` included. */
  readonly units: Uint8Array;
}

const tagOf = (word: string, kind: number): Tag => ({
  kind,
  units: Uint8Array.from(`${word}>`, (unit) => unit.charCodeAt(0)),
});

const TAGS: readonly Tag[] = [
  tagOf("think", THINK),
  tagOf("/think", THINK_END),
  tagOf("answer", ANSWER),
  tagOf("/answer", ANSWER_END),
  tagOf("tool_call", CALL),
  tagOf("/tool_call", CALL_END),
  ...NAMES.map((name) => tagOf(name, NAME + actionCode(name))),
  ...["a", "b", "c", "d"].flatMap((letter, code) => [
    tagOf(letter, LETTER + code),
    tagOf(`/${letter}`, LETTER_END + code),
  ]),
];

/** Length of the longest action name. */
const LONGEST = 16;
const SLASH = 47;

/** Tags by the number of their first letter (a = 1), which leaves three at most: opening ones, then closing ones. */
const OPENING: readonly (readonly Tag[])[] = tagsByLetter(0);
const CLOSING: readonly (readonly Tag[])[] = tagsByLetter(1);

function tagsByLetter(at: 0 | 1): readonly (readonly Tag[])[] {
  const own = TAGS.filter(({ units }) => (units[0] === SLASH) === (at === 1));
  return Array.from({ length: 32 }, (_, letter) => own.filter(({ units }) => units[at] === 96 + letter));
}

/**
 * The known tag whose word begins at `start`, behind its `<`, in any letter case; null when there is none. Reads units
 * in place: a slice and a look-up a tag cost more than the rest of a scan.
 */
export function tagAt(text: string, start: number): Tag | null {
  if (start + 2 > text.length) return null;
  const first = text.charCodeAt(start);
  const tags = first === SLASH ? CLOSING[text.charCodeAt(start + 1) & 31] : OPENING[first & 31];
  for (const tag of tags as readonly Tag[]) {
    const { units } = tag;
    if (start + units.length <= text.length && beginsWith(text, start, units, units.length)) return tag;
  }
  return null;
}

/** Whether the `count` first `units` stand at `start`, in any letter case. */
function beginsWith(text: string, start: number, units: Uint8Array, count: number): boolean {
  for (let i = 0; i < count; i += 1) {
    const found = text.charCodeAt(start + i);
    const unit = units[i] as number;
    // Only a letter has another case: the bit would make other characters equal, too.
    if (found !== unit && (unit < 97 || (found | 32) !== unit)) return false;
  }
  return true;
}

/** The code of the action that `text[start … end)` names, as `actionCode` reads it; -1 = none. */
export function nameCode(text: string, start: number, end: number): number {
  for (const { kind, units } of OPENING[text.charCodeAt(start) & 31] as readonly Tag[]) {
    const code = kind === CALL ? 1 : kind >= NAME && kind < LETTER ? kind - NAME : -1;
    const length = units.length - 1;
    if (code >= 0 && length === end - start && beginsWith(text, start, units, length)) return code;
  }
  return -1;
}

/** Where the action name that ends before `at` (blanks between allowed) begins, not before `from`; `at` when none does. */
export function nameStart(text: string, from: number, at: number): number {
  const end = wordEnd(text, from, at);
  let start = end;
  while (start > from && end - start <= LONGEST && isNameUnit(text.charCodeAt(start - 1))) start -= 1;
  if (start === end || endsWithWord(text, from, start)) return at;
  return nameCode(text, start, end) < 0 ? at : start;
}

/** `at` without the blanks before it, not before `from`. */
export function wordEnd(text: string, from: number, at: number): number {
  let end = at;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Whether the unit before `at` (not before `from`) belongs to a word: a letter or digit of any script, or `_`. */
export function endsWithWord(text: string, from: number, at: number): boolean {
  if (at <= from) return false;
  const code = text.charCodeAt(at - 1);
  if (code < 128) return isNameUnit(code) || (code >= 48 && code <= 57);
  return /[\p{L}\p{N}]/u.test(text[at - 1] as string);
}

/** Whether `text[from … to)` is only whitespace. */
export function isBlank(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i += 1) if (!isSpace(text.charCodeAt(i))) return false;
  return true;
}

/** Whether the next character that is not whitespace, from `at` on, opens a JSON object or array. */
export function opensJson(text: string, at: number): boolean {
  let next = at;
  while (next < text.length && isSpace(text.charCodeAt(next))) next += 1;
  return text[next] === "{" || text[next] === "[";
}

function isNameUnit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return String.fromCharCode(code).trim() === "";
}
