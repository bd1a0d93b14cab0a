import { parseJsonLine } from "../../data/jsonl/parse-json-line.ts";
import type { ResultFacts } from "../../data/tool-results/result-facts.ts";

/** What a message may be beside in an object that is nothing but an error report. */
const REPORT_FIELD =
  /^(?:message|msg|details?|title|description|error_?(?:message|description)|_*type|code|name|request_?id|timestamp|path|hint|retry_?after)$/i;
const MESSAGE_FIELD = /^(?:message|msg|details?|title|description|error_?(?:message|description))$/i;

/** How prose that reports a failure begins, in lower case with spaces for underscores. */
const REPORT_START = new RegExp(
  [
    "[a-z.]*(?:error|exception|timeout)(?: code|:| -?\\d| \\(|$)",
    "mcp error",
    "(?:the |your )?(?:endpoint |api |http )?(?:request|operation|call|connection|response|read|tool|api|server|service|gateway|upstream)\\b[^.\\n]{0,60}\\b(?:timed out|time-?out|unavailable|not available|disabled|blocked|refused|reset|failed|overloaded|not valid|could not)\\b",
    "timed out|deadline exceeded|(?:request |gateway )?time-?out(?:$|[:.,!])",
    "rate limit|rate exceeded|too many requests|throttl|quota exceeded",
    "internal (?:server )?error|server error|bad gateway|service (?:is )?(?:temporarily |currently )?unavailable|temporarily unavailable",
    "(?:unauthori[sz]ed|forbidden|unauthenticated)(?:$|[:.,!;])|access (?:is )?denied|permission denied|not (?:authori[sz]ed|authenticated)|authentication (?:failed|required)|invalid (?:api key|(?:access )?token|credentials)",
    "(?:unknown|unrecogni[sz]ed|unexpected) (?:field|property|column|keyword)|(?:missing )?required (?:field|property)|missing (?:field|property)|schema (?:mismatch|validation|version)",
    "(?:could not|unable to|cannot) (?:parse|decode|reach|connect)|(?:invalid|malformed|garbled) (?:json|response)|json (?:pars|decod)|unexpected (?:token|end of)|expecting value",
  ]
    .map((words) => `(?:${words})`)
    .join("|")
    .replace(/^/, "^\\W*(?:")
    .replace(/$/, ")"),
);

/** Longer prose is a document, whatever it begins with. */
const LONGEST_REPORT = 2000;

/**
 * Why a call failed, by what its result says, in lower case with spaces for underscores; null when it reports no failure.
 * Unlike `facts.failed` it knows reports that begin with neither "Error" nor a status, and it takes no lists and no lone
 * numbers for reports: a sum of 500 is a sum.
 */
export function failureReason(facts: ResultFacts): string | null {
  const names = Object.keys(facts.fields);
  if (names.length === 0) return proseReason(facts.text);
  if (facts.failed && !isOnlyCode(facts)) return facts.reason;
  if (!names.every((name) => REPORT_FIELD.test(name))) return null;
  const message = names.find((name) => MESSAGE_FIELD.test(name)) ?? "";
  const reason = proseReason(String(facts.fields[message] ?? ""));
  if (reason === null) return null;
  // Names of errors stand beside the message.
  const words = Object.values(facts.fields).filter((value) => typeof value === "string");
  return words.join(" ; ").replaceAll("_", " ").toLowerCase();
}

function proseReason(text: string): string | null {
  const prose = spoken(text);
  if (prose === null || prose.length > LONGEST_REPORT) return null;
  const reason = prose.replaceAll("_", " ").toLowerCase();
  return FAILURE_START.test(reason) || REPORT_START.test(reason) ? reason : null;
}

/** As the shared facts have it, with a reason after a status that stands alone. */
const FAILURE_START =
  /^\W*(?:error|http(?:\/\d(?:\.\d)?)? [45]\d\d|[45]\d\d [a-z]|traceback|exception|failed|failure|fatal)/;

/** A text that is no JSON, or the text that JSON holds; null for other JSON. */
function spoken(text: string): string | null {
  let value: unknown;
  try {
    value = parseJsonLine(text).value;
  } catch {
    return text;
  }
  return typeof value === "string" ? value.trim() : null;
}

/** Whether a field `code` is all that speaks of a failure: it may be an area or a product. */
function isOnlyCode({ fields, reason }: ResultFacts): boolean {
  const others = ["error", "errors", "error_code", "status", "status_code", "http_status", "result"];
  const isReport = others.some((name) => name in fields) || [fields.ok, fields.success].includes(false);
  return !isReport && !Object.keys(fields).some((name) => MESSAGE_FIELD.test(name)) && reason !== null;
}
