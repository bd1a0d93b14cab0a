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

const TAGS: ReadonlyMap<string, number> = new Map([
  ["think", THINK],
  ["/think", THINK_END],
  ["answer", ANSWER],
  ["/answer", ANSWER_END],
  ["tool_call", CALL],
  ["/tool_call", CALL_END],
  ...NAMES.map((name): [string, number] => [name, NAME + actionCode(name)]),
  ...["a", "b", "c", "d"].flatMap((letter, code): [string, number][] => [
    [letter, LETTER + code],
    [`/${letter}`, LETTER_END + code],
  ]),
]);

/** Length of the longest action name. */
const LONGEST = 16;

/** The kind of a tag by the word between its brackets (ASCII letters, `_`, `/`), in any letter case; 0 = unknown. */
export function tagKind(word: string): number {
  return TAGS.get(word) ?? TAGS.get(word.toLowerCase()) ?? 0;
}

/** The position of the `>` that closes a tag whose word begins at `start`, or -1 when no known tag can begin there. */
export function tagEnd(text: string, start: number): number {
  const last = Math.min(text.length - 1, start + LONGEST);
  for (let i = start; i <= last; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 62) return i;
    if (!isNameUnit(code) && code !== 47) return -1;
  }
  return -1;
}

/** Where the action name that ends before `at` (blanks between allowed) begins, not before `from`; `at` when none does. */
export function nameStart(text: string, from: number, at: number): number {
  let end = at;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > from && end - start <= LONGEST && isNameUnit(text.charCodeAt(start - 1))) start -= 1;
  if (start === end || endsWithWord(text, from, start)) return at;
  return actionCode(text.slice(start, end)) < 0 ? at : start;
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
