import { CalibrantError } from "../../errors.ts";
import {
  atEnd,
  type Cursor,
  createCursor,
  fail,
  skipSpace,
  skipText,
  skipWhitespace,
} from "./python-cursor.ts";
import { parsePythonLiteral } from "./python-literals.ts";

/** A call read from Python source. */
export interface ParsedPythonCall {
  /** Dotted names stay whole: `uber.ride`. */
  readonly name: string;
  /** Keyword arguments, and positional ones whose parameter names are known. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Positional arguments whose parameter names are not known, in order. */
  readonly positional: readonly unknown[];
}

/** Options of {@link parsePythonCalls}. */
export interface PythonCallOptions {
  /** The parameter names of a function, in order: turns its positional arguments into keyword arguments. */
  readonly parameters?: (name: string) => readonly string[] | undefined;
}

const NAME = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;

/**
 * Reads gold calls written as Python source, as BFCL does: `cd(folder='document')`, `sort('report.pdf')`, several
 * separated by commas or newlines, or a bracketed list of them (`[]` is no call).
 *
 * Arguments are positional or keyword literals: text with Python's escapes (raw and triple-quoted too), integers
 * (bigint beyond 2^53), floats, `True`, `False`, `None`, lists, tuples (as arrays) and dictionaries with text keys.
 * Expressions, comprehensions, f-strings, bytes, sets and starred arguments are refused. Python's reserved words are
 * accepted as names, because tools have parameters called `from` or `class`.
 *
 * @throws CalibrantError `data` naming the text, for anything else; also when an argument is given twice or there
 * are more positional arguments than parameter names.
 *
 * @example
 * ```ts
 * import { parsePythonCalls } from "calibrant/data";
 * const [call] = parsePythonCalls("grep('a.txt', pattern='x')", { parameters: () => ["file_name", "pattern"] });
 * console.log(call?.name, JSON.stringify(call?.arguments)); // grep {"file_name":"a.txt","pattern":"x"}
 * ```
 */
export function parsePythonCalls(text: string, options: PythonCallOptions = {}): ParsedPythonCall[] {
  const cursor = createCursor(text);
  skipWhitespace(cursor);
  const calls = skipText(cursor, "[") ? parseBracketed(cursor, options) : parseSeparated(cursor, options);
  skipWhitespace(cursor);
  if (!atEnd(cursor)) fail(cursor, "the end");
  return calls;
}

function parseBracketed(cursor: Cursor, options: PythonCallOptions): ParsedPythonCall[] {
  const calls: ParsedPythonCall[] = [];
  for (;;) {
    skipWhitespace(cursor);
    if (skipText(cursor, "]")) return calls;
    calls.push(parseCall(cursor, options));
    skipWhitespace(cursor);
    if (!skipText(cursor, ",") && cursor.text[cursor.at] !== "]") fail(cursor, "a comma or ]");
  }
}

function parseSeparated(cursor: Cursor, options: PythonCallOptions): ParsedPythonCall[] {
  const calls: ParsedPythonCall[] = [];
  do {
    calls.push(parseCall(cursor, options));
    skipSpace(cursor);
    const onNewLine = cursor.text[cursor.at] === "\n" || cursor.text[cursor.at] === "\r";
    skipWhitespace(cursor);
    const afterComma = skipText(cursor, ",");
    skipWhitespace(cursor);
    if (!onNewLine && !afterComma && !atEnd(cursor)) fail(cursor, "a comma or a new line");
  } while (!atEnd(cursor));
  return calls;
}

function parseCall(cursor: Cursor, options: PythonCallOptions): ParsedPythonCall {
  const name = parseDottedName(cursor);
  skipSpace(cursor);
  if (!skipText(cursor, "(")) fail(cursor, "(");
  const positional: unknown[] = [];
  const keywords = new Map<string, unknown>();
  for (;;) {
    skipWhitespace(cursor);
    if (skipText(cursor, ")")) break;
    const start = cursor.at;
    const keyword = parseKeyword(cursor);
    if (keyword === null) {
      if (keywords.size > 0) fail({ ...cursor, at: start }, "a keyword argument");
      positional.push(parsePythonLiteral(cursor));
    } else {
      if (keywords.has(keyword)) fail({ ...cursor, at: start }, `${keyword} only once`);
      keywords.set(keyword, parsePythonLiteral(cursor));
    }
    skipWhitespace(cursor);
    if (!skipText(cursor, ",") && cursor.text[cursor.at] !== ")") fail(cursor, "a comma or )");
  }
  return bindPositional(cursor, { name, positional, keywords }, options.parameters?.(name));
}

interface RawCall {
  readonly name: string;
  readonly positional: readonly unknown[];
  readonly keywords: ReadonlyMap<string, unknown>;
}

function bindPositional(
  cursor: Cursor,
  { name, positional, keywords }: RawCall,
  parameters: readonly string[] | undefined,
): ParsedPythonCall {
  // fromEntries defines properties, so that an argument called __proto__ is one.
  if (parameters === undefined) return { name, arguments: Object.fromEntries(keywords), positional };
  const bound = new Map<string, unknown>();
  positional.forEach((value, index) => {
    const parameter = parameters[index];
    if (parameter === undefined) {
      throw new CalibrantError(
        "data",
        `Python call: ${name} takes ${parameters.length} arguments (${parameters.join(", ")}), got ${positional.length}: ${cursor.text}`,
        { text: cursor.text, name },
      );
    }
    if (keywords.has(parameter)) {
      throw new CalibrantError("data", `Python call: ${name} gets ${parameter} twice: ${cursor.text}`, {
        text: cursor.text,
        name,
      });
    }
    bound.set(parameter, value);
  });
  return { name, arguments: Object.fromEntries([...bound, ...keywords]), positional: [] };
}

function parseDottedName(cursor: Cursor): string {
  const start = cursor.at;
  do {
    skipSpace(cursor);
    if (parseName(cursor) === null) fail(cursor, "a name");
    const end = cursor.at;
    skipSpace(cursor);
    if (cursor.text[cursor.at] !== ".") cursor.at = end;
  } while (skipText(cursor, "."));
  const name = cursor.text.slice(start, cursor.at).replace(/\s/g, "");
  if (name === "True" || name === "False" || name === "None") fail({ ...cursor, at: start }, "a name");
  return name;
}

/** The name before `=` of a keyword argument; null, with the cursor unmoved, when the next thing is no keyword. */
function parseKeyword(cursor: Cursor): string | null {
  const start = cursor.at;
  const name = parseName(cursor);
  if (name !== null) {
    skipWhitespace(cursor);
    if (skipText(cursor, "=")) {
      skipWhitespace(cursor);
      return name;
    }
  }
  cursor.at = start;
  return null;
}

function parseName(cursor: Cursor): string | null {
  NAME.lastIndex = cursor.at;
  const match = NAME.exec(cursor.text);
  if (match === null) return null;
  cursor.at = NAME.lastIndex;
  return match[0];
}
