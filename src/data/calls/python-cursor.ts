import { CalibrantError } from "../../errors.ts";

/** A place in Python source that is being read. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** A cursor at the start of `text`. */
export function createCursor(text: string): Cursor {
  return { text, at: 0 };
}

/** Whether everything is read. */
export function atEnd(cursor: Cursor): boolean {
  return cursor.at >= cursor.text.length;
}

/** Skips blanks, tabs and form feeds. */
export function skipSpace(cursor: Cursor): void {
  while (isOneOf(cursor, " \t\f")) cursor.at += 1;
}

/** Skips blanks and line breaks, which Python allows inside brackets. */
export function skipWhitespace(cursor: Cursor): void {
  while (isOneOf(cursor, " \t\f\r\n")) cursor.at += 1;
}

/** Skips `expected` if it comes next; says whether it did. */
export function skipText(cursor: Cursor, expected: string): boolean {
  if (!cursor.text.startsWith(expected, cursor.at)) return false;
  cursor.at += expected.length;
  return true;
}

/** @throws CalibrantError `data`: the text is not what the grammar of `parsePythonCalls` wants at the cursor. */
export function fail(cursor: Cursor, expected: string): never {
  throw new CalibrantError(
    "data",
    `Python call: expected ${expected} at character ${cursor.at + 1} of ${JSON.stringify(cursor.text)}`,
    { text: cursor.text, position: cursor.at },
  );
}

function isOneOf(cursor: Cursor, characters: string): boolean {
  return cursor.at < cursor.text.length && characters.includes(cursor.text[cursor.at] as string);
}
