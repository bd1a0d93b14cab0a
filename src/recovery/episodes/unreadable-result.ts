import { parseJsonLine } from "../../data/jsonl/parse-json-line.ts";
import { fieldWords } from "../corrupt/field-words.ts";

/** Tools that return pages, files and output as they are: HTML and pieces of JSON are what they were asked for. */
const RAW_WORDS: ReadonlySet<string> = new Set(
  `fetch browse browser crawl scrape page pages html url urls web website download file files document documents cat head tail
   grep shell bash terminal script scripts log logs`.split(/\s+/),
);
const HTML = /^(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b/i;
const JSON_START = /^(?:\{\s*"|\[\s*(?:\{\s*)?")/;
const PRINTED_OBJECT = /^\[object Object\]/;
/** Lists and dicts as Python prints them are no JSON, and were never meant to be. */
const PYTHON = /(?:^|[[{(,:])\s*'|[[,:]\s*(?:None|True|False)\b/;
/** Somebody between the tool and the agent shortened it, and says so. */
const SHORTENED = /(?:\.\.\.|…|\btruncated)\W*$/i;

/** Whether a trimmed result cannot be read: HTML in place of data, JSON that is cut off or garbled. */
export function isUnreadableResult(text: string, tool: string): boolean {
  if (returnsRawText(tool)) return false;
  if (HTML.test(text) || PRINTED_OBJECT.test(text)) return true;
  if (!JSON_START.test(text) || PYTHON.test(text) || SHORTENED.test(text)) return false;
  if (isJson(text)) return false;
  // JSON with a remark after it, or several documents, is readable.
  const end = valueEnd(text);
  return end < 0 || !isJson(text.slice(0, end));
}

/** The HTTP error that a page is the body of, as a status line; null when a trimmed result is no such page. */
export function pageError(text: string, tool: string): string | null {
  if (returnsRawText(tool) || !HTML.test(text)) return null;
  const title = /<title>\s*([45]\d\d\b[^<]*)/i.exec(text)?.[1];
  return title === undefined ? null : `HTTP ${title.trim()}`;
}

/** By whole words of the name: `get_order_details` has no `tail`. */
function returnsRawText(tool: string): boolean {
  return fieldWords(tool).some((word) => RAW_WORDS.has(word));
}

function isJson(text: string): boolean {
  try {
    parseJsonLine(text);
    return true;
  } catch {
    return false;
  }
}

/** The position after the object or list that a text begins with; -1 when it does not end. */
function valueEnd(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|[[\]{}]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return index + token.length;
  }
  return -1;
}
