import { digitOf } from "./python-number.ts";
import { isPythonSpace } from "./python-text.ts";

const INTEGER = /^[+-]?\p{Nd}+(?:_\p{Nd}+)*$/u;

/**
 * A value as Python's `int()` reads it: an integer, a float cut off towards 0, true = 1, or text of decimal digits of any
 * script with an optional sign, single underscores between digits and whitespace around; null for all that Python
 * refuses: `"1.5"`, `""`, null, NaN, an infinity, lists and objects.
 */
export function pythonInt(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
  return typeof value === "string" ? integerOfText(value) : null;
}

function integerOfText(text: string): bigint | null {
  let start = 0;
  let end = text.length;
  while (start < end && isMargin(text.charCodeAt(start))) start += 1;
  while (end > start && isMargin(text.charCodeAt(end - 1))) end -= 1;
  const number = text.slice(start, end);
  if (!INTEGER.test(number)) return null;
  const digits = number.replace(/[+_-]/g, "").replace(/[^0-9]/gu, digitOf);
  return number.startsWith("-") ? -BigInt(digits) : BigInt(digits);
}

/** `int()` trims whitespace, but not U+001C to U+001F, which other parts of Python count as such. */
function isMargin(unit: number): boolean {
  return isPythonSpace(unit) && !(unit >= 0x1c && unit <= 0x1f);
}
