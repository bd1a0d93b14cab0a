import { compareCodePoints } from "../../data/calls/canonical-json.ts";
import { pythonFloatText } from "./python-float.ts";

/**
 * A JSON value as Python reads it: an integer of any size is a bigint, a float a number (NaN and the infinities too),
 * an object a Map in which a repeated key keeps its first place and its last value.
 */
export type PythonJson =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly PythonJson[]
  | ReadonlyMap<string, PythonJson>;

/** The deepest nesting that is still JSON: where a bare Python 3.11 reaches its recursion limit. */
const MAX_DEPTH = 995;

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;

const LITERALS: readonly (readonly [string, PythonJson])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];

/**
 * Reads JSON text in the dialect of Python's `json.loads`: `NaN`, `Infinity` and `-Infinity` are values, a number with
 * fraction or exponent is a float and any other an integer, escapes of lone surrogates are kept. All else is strict: no
 * byte-order mark, no trailing comma, no control character in a string, whitespace is space, tab, LF and CR.
 * Linear; never throws.
 *
 * @returns the value; null when the text is no JSON, or nested deeper than 995 levels, where Python gives up too.
 */
export function parsePythonJson(text: string): { readonly value: PythonJson } | null {
  const cursor: Cursor = { text, at: 0, depth: 0 };
  skipSpace(cursor);
  const value = parseValue(cursor);
  if (value === undefined) return null;
  skipSpace(cursor);
  return cursor.at === text.length ? { value } : null;
}

/** The value at the cursor; undefined, wherever the cursor then stands, when there is none. */
function parseValue(cursor: Cursor): PythonJson | undefined {
  switch (cursor.text[cursor.at]) {
    case '"':
      return parseString(cursor);
    case "[":
      return parseNested(cursor, parseList);
    case "{":
      return parseNested(cursor, parseObject);
    default:
      return parseLiteral(cursor);
  }
}

function parseNested(
  cursor: Cursor,
  parse: (cursor: Cursor) => PythonJson | undefined,
): PythonJson | undefined {
  if (cursor.depth === MAX_DEPTH) return undefined;
  cursor.depth += 1;
  cursor.at += 1;
  skipSpace(cursor);
  const value = parse(cursor);
  cursor.depth -= 1;
  return value;
}

function parseList(cursor: Cursor): PythonJson | undefined {
  const items: PythonJson[] = [];
  if (accept(cursor, "]")) return items;
  for (;;) {
    const item = parseValue(cursor);
    if (item === undefined) return undefined;
    items.push(item);
    skipSpace(cursor);
    if (accept(cursor, "]")) return items;
    if (!accept(cursor, ",")) return undefined;
    skipSpace(cursor);
  }
}

function parseObject(cursor: Cursor): PythonJson | undefined {
  const fields = new Map<string, PythonJson>();
  if (accept(cursor, "}")) return fields;
  for (;;) {
    const key = cursor.text[cursor.at] === '"' ? parseString(cursor) : undefined;
    if (key === undefined) return undefined;
    skipSpace(cursor);
    if (!accept(cursor, ":")) return undefined;
    skipSpace(cursor);
    const value = parseValue(cursor);
    if (value === undefined) return undefined;
    fields.set(key, value);
    skipSpace(cursor);
    if (accept(cursor, "}")) return fields;
    if (!accept(cursor, ",")) return undefined;
    skipSpace(cursor);
  }
}

/** The string whose opening quote is at the cursor. */
function parseString(cursor: Cursor): string | undefined {
  const { text, at: start } = cursor;
  let isEscaped = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20) return undefined;
    if (code === 0x22) {
      cursor.at = at + 1;
      return isEscaped ? unescaped(text.slice(start, at + 1)) : text.slice(start + 1, at);
    }
    if (code === 0x5c) {
      isEscaped = true;
      at += 1;
    }
  }
  return undefined;
}

/** JavaScript and Python agree on what the inside of a JSON string may be. */
function unescaped(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

function parseLiteral(cursor: Cursor): PythonJson | undefined {
  NUMBER.lastIndex = cursor.at;
  const number = NUMBER.exec(cursor.text);
  if (number !== null) {
    const [digits, fraction, exponent] = number;
    cursor.at += digits.length;
    return fraction === undefined && exponent === undefined ? BigInt(digits) : Number(digits);
  }
  const literal = LITERALS.find(([name]) => cursor.text.startsWith(name, cursor.at));
  cursor.at += literal?.[0].length ?? 0;
  return literal?.[1];
}

function accept(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    cursor.at += 1;
  }
}

/**
 * A value as Python's `json.dumps(value, ensure_ascii=False)` writes it: separators `, ` and `: `, floats by `repr`
 * (`1.0`, `1e-07`), `NaN` and `Infinity` by name, and only `"`, `\` and characters below U+0020 escaped.
 *
 * @param options - `sortKeys`: keys by code point at every depth; else in the Map's order.
 */
export function pythonJsonText(value: PythonJson, options: { readonly sortKeys?: boolean } = {}): string {
  return jsonTextOf(value, options.sortKeys ?? false);
}

function jsonTextOf(value: PythonJson, sortKeys: boolean): string {
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? pythonFloatText(value) : String(value);
  if (typeof value === "string") return quoted(value);
  if (!isPythonObject(value)) return `[${value.map((item) => jsonTextOf(item, sortKeys)).join(", ")}]`;
  const fields = [...value];
  if (sortKeys) fields.sort(([a], [b]) => compareCodePoints(a, b));
  return `{${fields.map(([key, item]) => `${quoted(key)}: ${jsonTextOf(item, sortKeys)}`).join(", ")}}`;
}

/** As JSON.stringify, which however escapes a lone surrogate where Python keeps it. */
function quoted(text: string): string {
  return `"${text.replace(/[\p{Cc}"\\]/gu, (character) =>
    character >= "\x7f" ? character : JSON.stringify(character).slice(1, -1),
  )}"`;
}

/** Whether a value is an object, not a list or a scalar. */
export function isPythonObject(value: PythonJson | undefined): value is ReadonlyMap<string, PythonJson> {
  return value instanceof Map;
}

/**
 * JavaScript data as the value Python would hold: an integral number and a bigint are an integer, any other number a
 * float; a property without a value is left out, such an item of a list is null. JavaScript has lost whether `1.0` had a
 * fraction: it becomes an integer. Null for data nested deeper than 995 levels, a circle included, as it has no JSON text.
 */
export function pythonJsonOf(value: unknown): PythonJson {
  const nesting = { isTooDeep: false };
  const result = pythonValue(value, 0, nesting) ?? null;
  return nesting.isTooDeep ? null : result;
}

function pythonValue(value: unknown, depth: number, nesting: { isTooDeep: boolean }): PythonJson | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object") return undefined;
  nesting.isTooDeep ||= depth === MAX_DEPTH;
  if (nesting.isTooDeep) return undefined;
  const itemOf = (item: unknown): PythonJson | undefined => pythonValue(item, depth + 1, nesting);
  if (Array.isArray(value)) return value.map((item: unknown) => itemOf(item) ?? null);
  const fields = new Map<string, PythonJson>();
  for (const [key, item] of value instanceof Map ? value : Object.entries(value)) {
    const field = itemOf(item);
    if (field !== undefined) fields.set(String(key), field);
  }
  return fields;
}
