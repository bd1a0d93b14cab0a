import { atEnd, type Cursor, fail, skipText, skipWhitespace } from "./python-cursor.ts";
import { parsePythonString, startsString } from "./python-strings.ts";

/** Python's own parser allows 200 nested brackets. */
const DEEPEST = 200;

const CONSTANTS: readonly (readonly [string, unknown])[] = [
  ["True", true],
  ["False", false],
  ["None", null],
];

const NUMBER = /(\d(?:_?\d)*)?(\.(?:\d(?:_?\d)*)?)?([eE][+-]?\d(?:_?\d)*)?/y;
const NAME_PART = /[\p{ID_Continue}.]/uy;

/**
 * Reads the Python literal at the cursor: text, number with an optional sign, constant, list, tuple, dictionary with
 * text keys, or a literal in parentheses.
 *
 * @returns JSON-like data; an integer beyond 2^53 is a bigint.
 * @throws CalibrantError `data` for anything else.
 */
export function parsePythonLiteral(cursor: Cursor, depth = 0): unknown {
  if (depth > DEEPEST) fail(cursor, `at most ${DEEPEST} nested brackets`);
  if (startsString(cursor)) return parsePythonString(cursor);
  if (skipText(cursor, "[")) return parseItems(cursor, "]", depth).items;
  if (skipText(cursor, "(")) return parseParenthesised(cursor, depth);
  if (skipText(cursor, "{")) return parseDictionary(cursor, depth);
  for (const [word, value] of CONSTANTS) {
    if (cursor.text.startsWith(word, cursor.at) && !continuesName(cursor, cursor.at + word.length)) {
      cursor.at += word.length;
      return value;
    }
  }
  return parseNumber(cursor);
}

function parseItems(cursor: Cursor, close: string, depth: number): { items: unknown[]; commas: number } {
  const items: unknown[] = [];
  let commas = 0;
  for (;;) {
    skipWhitespace(cursor);
    if (skipText(cursor, close)) return { items, commas };
    items.push(parsePythonLiteral(cursor, depth + 1));
    skipWhitespace(cursor);
    if (skipText(cursor, ",")) commas += 1;
    else if (cursor.text[cursor.at] !== close) fail(cursor, `a comma or ${close}`);
  }
}

/** `(1)` is 1; `()`, `(1,)` and `(1, 2)` are tuples. */
function parseParenthesised(cursor: Cursor, depth: number): unknown {
  const { items, commas } = parseItems(cursor, ")", depth);
  return items.length === 1 && commas === 0 ? items[0] : items;
}

function parseDictionary(cursor: Cursor, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (;;) {
    skipWhitespace(cursor);
    if (skipText(cursor, "}")) return Object.fromEntries(entries);
    if (!startsString(cursor)) fail(cursor, "a key in quotes");
    const key = parsePythonString(cursor);
    skipWhitespace(cursor);
    if (!skipText(cursor, ":")) fail(cursor, ":");
    skipWhitespace(cursor);
    entries.push([key, parsePythonLiteral(cursor, depth + 1)]);
    skipWhitespace(cursor);
    if (!skipText(cursor, ",") && cursor.text[cursor.at] !== "}") fail(cursor, "a comma or }");
  }
}

function parseNumber(cursor: Cursor): number | bigint {
  const negative = skipText(cursor, "-");
  if (negative || skipText(cursor, "+")) skipWhitespace(cursor);
  NUMBER.lastIndex = cursor.at;
  const [text = "", whole, fraction, exponent] = NUMBER.exec(cursor.text) ?? [];
  if (whole === undefined && (fraction === undefined || fraction === ".")) fail(cursor, "a literal");
  const isFloat = fraction !== undefined || exponent !== undefined;
  if (continuesName(cursor, cursor.at + text.length)) fail(cursor, "a number");
  const digits = text.replaceAll("_", "");
  if (!isFloat && /^0+[1-9]/.test(digits)) fail(cursor, "an integer without leading zeros");
  cursor.at += text.length;
  if (isFloat) return negative ? -Number(digits) : Number(digits);
  const integer = negative ? -BigInt(digits) : BigInt(digits);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

function continuesName(cursor: Cursor, at: number): boolean {
  NAME_PART.lastIndex = at;
  return !atEnd(cursor) && NAME_PART.test(cursor.text);
}
