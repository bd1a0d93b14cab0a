/**
 * Whether Python counts the character as whitespace (`str.isspace`, `str.strip`, `\s`): NBSP, U+0085, U+001C to U+001F and
 * the Unicode spaces are, U+FEFF is not; JavaScript's `trim` and `\s` differ in U+0085, U+001C to U+001F and U+FEFF.
 *
 * @param code UTF-16 unit or code point; no space lies beyond the BMP
 */
export function isPythonSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  if (code < 0x2000) return code === 0x85 || code === 0xa0 || code === 0x1680;
  if (code <= 0x202f) return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f;
  return code === 0x205f || code === 0x3000;
}

/** The text without leading and trailing whitespace as Python's `str.strip()` sees it ({@link isPythonSpace}). */
export function pythonStrip(text: string): string {
  let end = text.length;
  while (end > 0 && isPythonSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(skipSpace(text, 0, end), end);
}

/** The first position from `from` on, at most `end`, that holds no whitespace. */
export function skipSpace(text: string, from: number, end: number = text.length): number {
  let at = from;
  while (at < end && isPythonSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The last position up to `from` with no whitespace directly before it. */
export function skipSpaceBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && isPythonSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

const WORD = /[\p{L}\p{N}]/u;

/** Whether Python's `\w` takes the code point: a letter or a number of any script, or `_`; no combining mark. */
export function isPythonWord(code: number): boolean {
  if (code < 0x80) {
    const lower = code | 0x20;
    return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
  }
  return WORD.test(String.fromCodePoint(code));
}

/** Whether `name`, given in lower-case ASCII, stands at `at` in any letter case; only ASCII letters fold. */
export function startsWithFolded(text: string, name: string, at: number): boolean {
  if (at < 0 || at + name.length > text.length) return false;
  for (let i = 0; i < name.length; i += 1) {
    const wanted = name.charCodeAt(i);
    const unit = text.charCodeAt(at + i);
    if (unit !== wanted && !(wanted >= 0x61 && wanted <= 0x7a && unit === wanted - 0x20)) return false;
  }
  return true;
}
