import { parseJsonLine } from "../../data/jsonl/parse-json-line.ts";

/** Tools that return pages, files and output as they are: HTML and pieces of JSON are what they were asked for. */
const RAW_TOOL =
  /(?:^|[\W_]|[a-z](?=[A-Z]))(?:fetch|brows(?:e|er)|crawl|scrape|pages?|html|urls?|web(?:site)?|download|files?|documents?|cat|head|tail|grep|shell|bash|terminal|scripts?|logs?)(?:$|[\W_]|(?<=[a-z])(?=[A-Z]))/i;
const HTML = /^(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b/i;
const JSON_START = /^(?:\{\s*"|\[\s*(?:\{\s*)?")/;
const PRINTED_OBJECT = /^\[object Object\]/;
/** Lists and dicts as Python prints them are no JSON, and were never meant to be. */
const PYTHON = /(?:^|[[{(,:])\s*'|[[,:]\s*(?:None|True|False)\b/;
/** Somebody between the tool and the agent shortened it, and says so. */
const SHORTENED = /(?:\.\.\.|…|\btruncated)\W*$/i;

/** Whether a trimmed result cannot be read: HTML in place of data, JSON that is cut off or garbled. */
export function isUnreadableResult(text: string, tool: string): boolean {
  if (RAW_TOOL.test(tool)) return false;
  if (HTML.test(text) || PRINTED_OBJECT.test(text)) return true;
  if (!JSON_START.test(text) || PYTHON.test(text) || SHORTENED.test(text)) return false;
  if (isJson(text)) return false;
  // JSON with a remark after it, or several documents, is readable.
  const end = valueEnd(text);
  return end < 0 || !isJson(text.slice(0, end));
}

/** The HTTP error that a page is the body of, as a status line; null when a trimmed result is no such page. */
export function pageError(text: string, tool: string): string | null {
  if (RAW_TOOL.test(tool) || !HTML.test(text)) return null;
  const title = /<title>\s*([45]\d\d\b[^<]*)/i.exec(text)?.[1];
  return title === undefined ? null : `HTTP ${title.trim()}`;
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
