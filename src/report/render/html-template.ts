/** HTML that is safe to put into a page: its texts have been escaped. */
export interface Html {
  readonly html: string;
}

/** What a template takes: texts and numbers are escaped, HTML and lists of it are not. */
export type HtmlValue = string | number | Html | readonly Html[] | null;

/** Nothing. */
export const EMPTY: Html = { html: "" };

/**
 * A template of HTML: every value that is not HTML itself is escaped, so that a label from the data cannot become markup;
 * null is nothing. Attribute values must stand in double quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] as string;
  for (const [index, value] of values.entries()) text += htmlOf(value) + (strings[index + 1] as string);
  return { html: text };
}

/** Trusted markup, as the renderer of pictures makes it. */
export function trusted(markup: string): Html {
  return { html: markup };
}

function htmlOf(value: HtmlValue): string {
  if (value === null) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return "html" in value ? value.html : value.map((item) => item.html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text for use between tags and inside quoted attributes. Characters that HTML does not allow, controls and lone
 * surrogates, become U+FFFD.
 */
export function escapeHtml(text: string): string {
  return replaceIllegal(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

function replaceIllegal(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Surrogate}/gu, "\ufffd");
}
