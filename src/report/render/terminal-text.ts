const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/**
 * Text that is safe on a terminal, on one line: control characters (escape sequences begin with one), line breaks,
 * characters that change the direction of writing, and lone surrogates become U+FFFD; a tab or line feed a space.
 */
export function plainLine(text: string): string {
  return text
    .replace(/[\t\r\n]+/g, " ")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

/** Columns that a text takes on a terminal: two for wide characters and emoji, none for combining marks. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmentsOf(text)) width += widthOf(segment);
  return width;
}

/** The text filled up with spaces to a width, on the right (`left` aligned) or on the left. */
export function padded(text: string, width: number, left: boolean): string {
  const fill = " ".repeat(Math.max(0, width - displayWidth(text)));
  return left ? text + fill : fill + text;
}

/** The text, or its beginning and an ellipsis in at most `limit` columns. */
export function shortened(text: string, limit: number): string {
  if (displayWidth(text) <= limit) return text;
  let start = "";
  let width = 0;
  for (const { segment } of segmentsOf(text)) {
    width += widthOf(segment);
    if (width > limit - 1) break;
    start += segment;
  }
  return `${start}…`;
}

function segmentsOf(text: string): Iterable<{ readonly segment: string }> {
  return new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
}

function widthOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return /^[\p{M}\u200b-\u200f\ufeff]/u.test(grapheme) ? 0 : 1;
}
