/** Every character Python's `str.strip()` and `\s` take as whitespace (U+FEFF is none of them). */
const WHITESPACE: string =
  "\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680" +
  "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";

/** A regular-expression class of one Python whitespace character, for use inside a pattern's source. */
export const SPACE: string = `[${WHITESPACE}]`;

/** A regular-expression class of one Python word character: letter or number of any script, or `_`. */
export const WORD: string = "[\\p{L}\\p{N}_]";

const LINE_ENDS = "\n\v\f\r\u001c\u001d\u001e\u0085\u2028\u2029";
const LINE_BREAK = new RegExp(`\r\n|[${LINE_ENDS}]`, "u");

/** Python's `text.strip()`. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITESPACE.includes(text.charAt(start))) start++;
  while (end > start && WHITESPACE.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Python's `text.splitlines()`: a break at the very end opens no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;

/** Python's `float(text)` for ASCII digits; null where Python raises. */
export function readFloat(text: string): number | null {
  const trimmed = strip(text);
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(trimmed);
  if (special !== null) {
    if (special[2]?.toLowerCase() === "nan") return Number.NaN;
    return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return DECIMAL.test(trimmed) ? Number(trimmed.replaceAll("_", "")) : null;
}

/** Python's `repr(value)` of a finite float. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  if (value === 0) return "0.0";
  const sign = value < 0 ? "-" : "";
  const [mantissa, exponentText] = Math.abs(value).toExponential().split("e") as [string, string];
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  if (exponent >= 16 || exponent < -4) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}
