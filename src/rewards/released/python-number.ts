import { pythonStrip } from "./python-text.ts";

const DIGITS = "[0-9]+(?:_[0-9]+)*";
const FLOAT = new RegExp(`^[-+]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][-+]?${DIGITS})?$`);
const SPECIAL = /^([-+]?)(?:(inf|infinity)|nan)$/i;
/** Python strips these from text, but not from a number. */
const SEPARATORS: readonly string[] = ["\x1c", "\x1d", "\x1e", "\x1f"];

/**
 * A number, or text that Python's `float()` reads: decimal digits of any script, `_` between digits, exponents, `inf`,
 * `infinity` and `nan` in any case, whitespace around it; no hexadecimal. Null for anything else.
 */
export function readPythonFloat(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string" || SEPARATORS.some((separator) => value.includes(separator))) return null;
  const text = pythonStrip(value).replace(/(?![0-9])\p{Nd}/gu, digitOf);
  if (FLOAT.test(text)) return Number(text.replaceAll("_", ""));
  const special = SPECIAL.exec(text);
  if (special === null) return null;
  if (special[2] === undefined) return Number.NaN;
  return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The digit 0 to 9 of a decimal digit of any script: Unicode lists each from 0 to 9, and scripts that touch are all whole. */
export function digitOf(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
