import { countNonFinite, hasUnsafeInteger } from "./scan-json.ts";

/** Options of {@link parseJsonLine}. */
export interface ParseJsonOptions {
  /**
   * Reads integers beyond 2^53 at any depth as BigInt. Default false: only those that are values of the outermost
   * object, the columns of a row; deeper ones are rounded as `JSON.parse` does.
   */
  readonly exactIntegers?: boolean;
}

/** What {@link parseJsonLine} read. */
export interface ParsedJson {
  readonly value: unknown;
  /** How many NaN and ±Infinity each column (key of the outermost object) holds at any depth; null = plain JSON. */
  readonly nonFinite: Readonly<Record<string, number>> | null;
}

/**
 * `JSON.parse` that also reads what Python's `json.dumps` writes: bare `NaN`, `Infinity` and `-Infinity` as numbers,
 * and integers beyond 2^53 as BigInt with every digit. Text inside strings is never touched, whatever it looks like.
 * Plain JSON costs one `JSON.parse` and one look at the columns. A `__proto__` key becomes an ordinary own property.
 *
 * @throws SyntaxError when the text is neither JSON nor Python's dialect of it.
 */
export function parseJsonLine(text: string, options: ParseJsonOptions = {}): ParsedJson {
  const { exactIntegers = false } = options;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return parsePythonJson(text, exactIntegers, error);
  }
  if (!hasUnsafeInteger(value, exactIntegers)) return { value, nonFinite: null };
  const marker = unusedCharacter(text);
  value = JSON.parse(withMarkedIntegers(text, marker));
  return { value: restored(value, marker, exactIntegers), nonFinite: null };
}

function parsePythonJson(text: string, exactIntegers: boolean, error: unknown): ParsedJson {
  const marker = unusedCharacter(text);
  const patched = withMarkedNonFinite(text, marker);
  if (patched === text) throw error;
  let value: unknown;
  try {
    value = JSON.parse(patched);
  } catch (second) {
    // Marked words keep their length, so the position in the message is right; the snippet needs its words back.
    throw new SyntaxError((second as SyntaxError).message.replaceAll(`"${marker}"`, "NaN"));
  }
  if (hasUnsafeInteger(value, exactIntegers)) value = JSON.parse(withMarkedIntegers(patched, marker));
  value = restored(value, marker, exactIntegers);
  return { value, nonFinite: countNonFinite(value) };
}

/** A private-use character that no string of the text can hold, neither as itself nor as an escape. */
function unusedCharacter(text: string): string {
  for (let code = 0xe000; code < 0xf900; code += 1) {
    const character = String.fromCharCode(code);
    if (!text.includes(character) && !new RegExp(`\\\\u${code.toString(16)}`, "i").test(text))
      return character;
  }
  throw new SyntaxError("uses every private-use character, which leaves none to mark numbers with");
}

/** NaN becomes a marked string of the same length, the infinities a number that overflows to them. */
function withMarkedNonFinite(text: string, marker: string): string {
  const word = /(?<![\w.+-])(?:NaN|-?Infinity)(?![\w.]|\s*:)/g;
  const replace = (found: string): string => {
    if (found === "NaN") return `"${marker}"`;
    return found === "Infinity" ? "1e999   " : "-1e999   ";
  };
  return outsideStrings(text, (piece) => piece.replace(word, replace));
}

/** Integers of the (valid) text that a double cannot hold become marked strings of their digits. */
function withMarkedIntegers(text: string, marker: string): string {
  const integer = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
  const replace = (digits: string): string =>
    Number.isSafeInteger(Number(digits)) ? digits : `"${marker}${digits}"`;
  return outsideStrings(text, (piece) => piece.replace(integer, replace));
}

function outsideStrings(text: string, change: (piece: string) => string): string {
  let result = "";
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return result + change(text.slice(at));
    const end = stringEnd(text, quote);
    result += change(text.slice(at, quote)) + text.slice(quote, end);
    at = end;
  }
}

/** The position after the string that begins at `quote`, or the end of the text when it is not closed. */
function stringEnd(text: string, quote: number): number {
  for (let from = quote + 1; ; ) {
    const end = text.indexOf('"', from);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

/** Puts the numbers back in place of marked strings, in the freshly parsed value itself. */
function restored(root: unknown, marker: string, exactIntegers: boolean): unknown {
  const read = (value: unknown, exact: boolean): unknown => {
    if (typeof value !== "string" || !value.startsWith(marker)) return value;
    if (value.length === 1) return Number.NaN;
    return exact ? BigInt(value.slice(1)) : Number(value.slice(1));
  };
  if (root === null || typeof root !== "object") return read(root, true);
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const exact = exactIntegers || node === root;
    const container = node as Record<string | number, unknown>;
    const keys = Array.isArray(node) ? node.keys() : Object.keys(node);
    for (const key of keys) {
      const value = container[key];
      if (value !== null && typeof value === "object") open.push(value);
      else if (typeof value === "string") container[key] = read(value, exact);
    }
  }
  return root;
}
