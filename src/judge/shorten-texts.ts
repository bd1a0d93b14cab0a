/** The shortest limit that {@link fittingLimit} gives: less would leave nothing to read. */
const LEAST_LIMIT = 100;

/** Room for the note about what was left out. */
const NOTE_LENGTH = 40;

/**
 * A text of at most `limit` UTF-16 units: a longer one loses its middle, and a note says how many units that were. No
 * surrogate pair is cut.
 *
 * @param limit - at least 60.
 */
export function shortenMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = limit - NOTE_LENGTH;
  let head = Math.ceil(kept / 2);
  let tail = text.length - Math.floor(kept / 2);
  if (isHighSurrogate(text.charCodeAt(head - 1))) head -= 1;
  if (isHighSurrogate(text.charCodeAt(tail - 1))) tail += 1;
  return `${text.slice(0, head)} … [${tail - head} characters left out] … ${text.slice(tail)}`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/**
 * The largest limit on single texts under which all of them together have at most `total` units; Infinity when they have
 * anyway. Never below 100, so that many texts can still exceed the total.
 */
export function fittingLimit(lengths: readonly number[], total: number): number {
  let left = total;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return Math.max(share, LEAST_LIMIT);
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
