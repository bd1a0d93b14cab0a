import { isPythonSpace, pythonStrip, skipSpace } from "./python-text.ts";
import { nextAssignment } from "./released-markers.ts";

/**
 * The source that a reasoning names: the text after its first `source =` up to the next `suggested_action =` with
 * whitespace before it, else the rest of the first line (up to LF) after it that is not blank. Linear.
 *
 * @param reasoning trimmed; null = absent
 * @returns the trimmed text; "" when there is none
 */
export function readSource(reasoning: string | null): string {
  const first = reasoning === null ? null : nextAssignment(reasoning, "source", 0);
  if (reasoning === null || first === null) return "";
  const from = skipSpace(reasoning, first.value);
  let isBlank = false;
  let next = nextAssignment(reasoning, "suggested_action", first.value);
  while (next !== null) {
    if (next.start > from && isPythonSpace(reasoning.charCodeAt(next.start - 1)))
      return pythonStrip(reasoning.slice(from, next.start));
    // Whitespace alone is a text too, of at least one character and one more that ends it; a later end is preferred.
    if (next.start === from) isBlank = from - first.value >= 2;
    next = nextAssignment(reasoning, "suggested_action", next.value);
  }
  return isBlank ? "" : restOfLine(reasoning, from);
}

function restOfLine(text: string, from: number): string {
  const end = text.indexOf("\n", from);
  return pythonStrip(text.slice(from, end < 0 ? text.length : end));
}
