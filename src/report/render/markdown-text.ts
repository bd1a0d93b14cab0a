/**
 * Text that Markdown shows as it is, on one line: characters with a meaning to Markdown, tables or HTML are escaped, line
 * breaks and control characters become spaces, characters that turn the direction of writing U+FFFD.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>|~#!$]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(
      /^(\s*)([-+]|\d+[.)])(?=\s|$)/,
      (_, space: string, mark: string) => `${space}${escapeMark(mark)}`,
    )
    .replace(/@(?=\w)/g, "@\u200b")
    .replace(/\b(https?|ftp):\/\/|\bwww\./gi, (address) => address.replace(/[:.]/, "$&\u200b"));
}

/** `-` as `\-`, `1.` as `1\.`. */
function escapeMark(mark: string): string {
  return `${mark.slice(0, -1)}\\${mark.slice(-1)}`;
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Surrogate}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

/** Text as inline code; the fence is longer than any run of backticks inside. Pipes are escaped for tables. */
export function codeSpan(text: string): string {
  const inner = oneLine(text).replace(/\|/g, "\\|");
  const fence = "`".repeat(longestRun(inner) + 1);
  return inner.includes("`") ? `${fence} ${inner} ${fence}` : `${fence}${inner}${fence}`;
}

/** Text as a code block. */
export function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}sh\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** A relative path as the target of a link. */
export function linkTarget(path: string): string {
  return encodeURI(path).replace(/[()?#]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/**
 * A table in GitHub's flavour; the cells are Markdown already.
 *
 * @param align `l` or `r` for each column
 */
export function tableRows(
  head: readonly string[],
  align: string,
  rows: readonly (readonly string[])[],
): string {
  const rule = [...align].map((side) => (side === "r" ? "---:" : "---"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
