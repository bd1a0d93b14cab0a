import { jsonText } from "../data/jsonl/json-text.ts";
import { shortenMiddle } from "./shorten-texts.ts";

/** A problem that zod found. */
export interface AnswerIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** So that an answer that is all wrong does not fill the conversation. */
const MOST_ISSUES = 5;

/** One line about what is wrong with an answer: where, what is expected, and what is there instead. */
export function issuesText(issues: readonly AnswerIssue[], answer: unknown): string {
  const lines = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    const value = valueAt(answer, path);
    const shown = Array.isArray(value) ? `a list of ${value.length}` : shownValue(value);
    const got = value === undefined ? "it is missing" : `got ${shown}`;
    return `${pathText(path)} ${message}; ${got}`;
  });
  const more = issues.length > MOST_ISSUES ? [`and ${issues.length - MOST_ISSUES} more problems`] : [];
  return [...lines, ...more].join(". ");
}

/** A value as JSON on one line of bounded length. */
function shownValue(value: unknown): string {
  return shortenMiddle(jsonText(value), 160);
}

/** Why a text in which no JSON object was found holds none. */
export function noJsonText(text: string, form: string): string {
  const at = text.search(/[[{]/);
  if (at < 0) return `the answer holds no JSON object: write ${form}`;
  const bare = text
    .slice(at)
    .replace(/```\s*$/, "")
    .trimEnd();
  try {
    JSON.parse(bare);
    return `the answer holds no JSON object: write ${form}`;
  } catch (error) {
    const reason = shortenMiddle((error as Error).message.replace(/\s+/g, " "), 300);
    return `the answer is no valid JSON: ${reason}`;
  }
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return value;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return text === "" ? "the answer" : text.replace(/^\./, "");
}
