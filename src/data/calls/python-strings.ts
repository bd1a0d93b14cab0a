import { type Cursor, fail } from "./python-cursor.ts";

const OPENING = /([rRuU]?)('''|"""|'|")/y;

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", ""],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Digits of the escapes that name a character by number. */
const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

const OCTAL = /[0-7]{1,3}/y;

/** Whether text in quotes comes next, perhaps with the prefix r or u. */
export function startsString(cursor: Cursor): boolean {
  OPENING.lastIndex = cursor.at;
  return OPENING.test(cursor.text);
}

/**
 * Reads Python text in quotes at the cursor, which {@link startsString}.
 *
 * Escapes are Python's; an unknown one keeps its backslash, as in Python. `\N{…}` and joining of adjacent texts are
 * refused.
 *
 * @throws CalibrantError `data` for text that does not end, or an escape that names no character.
 */
export function parsePythonString(cursor: Cursor): string {
  OPENING.lastIndex = cursor.at;
  const [opening = "", prefix = "", quote = ""] = OPENING.exec(cursor.text) ?? [];
  const raw = prefix.toLowerCase() === "r";
  cursor.at += opening.length;
  let result = "";
  for (;;) {
    if (cursor.text.startsWith(quote, cursor.at)) {
      cursor.at += quote.length;
      return result;
    }
    const character = cursor.text[cursor.at];
    if (character === undefined) return fail(cursor, `a closing ${quote}`);
    if (character === "\\") {
      result += raw ? rawPair(cursor) : escaped(cursor);
    } else if (quote.length === 1 && (character === "\n" || character === "\r")) {
      return fail(cursor, `a closing ${quote} before the end of the line`);
    } else {
      result += character;
      cursor.at += 1;
    }
  }
}

/** In raw text a backslash stays and keeps a quote after it from closing the text. */
function rawPair(cursor: Cursor): string {
  const pair = cursor.text.slice(cursor.at, cursor.at + 2);
  cursor.at += pair.length;
  return pair;
}

function escaped(cursor: Cursor): string {
  const letter = cursor.text[cursor.at + 1] ?? "";
  const simple = SIMPLE_ESCAPES.get(letter);
  const digits = HEX_DIGITS.get(letter);
  if (letter === "N") fail(cursor, "no named character");
  if (simple !== undefined) {
    cursor.at += 2;
    return simple;
  }
  if (digits !== undefined) return hexEscape(cursor, digits);
  OCTAL.lastIndex = cursor.at + 1;
  const octal = OCTAL.exec(cursor.text)?.[0];
  if (octal !== undefined) {
    cursor.at += 1 + octal.length;
    return String.fromCodePoint(Number.parseInt(octal, 8));
  }
  cursor.at += 1;
  return "\\";
}

function hexEscape(cursor: Cursor, digits: number): string {
  const hex = cursor.text.slice(cursor.at + 2, cursor.at + 2 + digits);
  const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : -1;
  if (code < 0 || code > 0x10ffff) fail(cursor, `${digits} hexadecimal digits of a character`);
  cursor.at += 2 + digits;
  return String.fromCodePoint(code);
}
