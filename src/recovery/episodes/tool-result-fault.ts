import { type ResultSign, signOf } from "../../data/tool-results/classify-tool-result.ts";
import { type ResultFacts, resultFacts, type ToolResult } from "../../data/tool-results/result-facts.ts";
import type { MetFault } from "../../types.ts";
import { failureReason } from "./failure-reason.ts";
import { isUnreadableResult, pageError } from "./unreadable-result.ts";

/**
 * The failure of Bench2Robust that a tool result tells of, null when it tells of none. Rests on the facts and signs that
 * ToolFault-Bench's heuristic uses (`classifyToolResult`), and on words for the kinds that it does not tell apart:
 * responses that cannot be read, another schema than the agent knows, a tool that is gone for the session.
 *
 * Null is also what the world answers (not found, a rule that forbids it, a limit), what the agent did wrong (an invalid
 * argument), a failure whose cause the result does not name, and a page with a next one. Silent corruptions show only
 * where a result gives itself away: `partial` by a flag, `stale` by a flag or its age, `factual_error` by numbers that do
 * not add up.
 *
 * @param result - `now` in milliseconds since 1970; without it no result is stale by its age.
 *
 * @example
 * ```ts
 * import { toolResultFault } from "calibrant/recovery";
 * console.log(toolResultFault({ text: "HTTP 429 Too Many Requests", tool: "get_order" })); // rate_limit
 * console.log(toolResultFault({ text: "Error: order not found", tool: "get_order" })); // null
 * ```
 */
export function toolResultFault(result: ToolResult): MetFault | null {
  const text = withoutName(result.text.trim(), result.tool ?? "");
  const page = pageError(text, result.tool ?? "");
  if (page !== null) return toolResultFault({ text: page });
  if (isUnreadableResult(text, result.tool ?? "")) return "malformed_response";
  const facts = resultFacts({ ...result, text });
  const reason = failureReason(facts);
  if (reason === null) return silentFault(facts);
  return failureFault({ ...facts, failed: true, reason, status: spokenStatus(facts, reason) });
}

/** Words of a tool's name would be taken for words about its failure. Names of one plain word stay: they are words. */
function withoutName(text: string, tool: string): string {
  if (!/^[\w.-]*(?:[_.-]|[a-z\d][A-Z])[\w.-]*$/.test(tool)) return text;
  return text.replace(new RegExp(`(?<![\\w-])${tool.replaceAll(".", "\\.")}(?![\\w-])`, "g"), "tool");
}

const FAULT_OF_SIGN: Readonly<Partial<Record<ResultSign, MetFault>>> = {
  rate_limit: "rate_limit",
  quota: "rate_limit",
  timeout: "timeout",
  outage: "server_error",
  server_error: "server_error",
  contradictory_numbers: "factual_error",
  old: "stale",
};

const BLOCKED =
  /\b(?:unavailable|disabled|blocked|not available|not accepted|out of service|offline|suspended|deactivated|removed|switched off|turned off)\b[^.]{0,30}\b(?:for|in|during|throughout|until)\b[^.]{0,40}\b(?:session|episode|conversation|task|run)\b|\btool (?:is |has been |was )?(?:permanently )?(?:blocked|disabled|deactivated|removed)\b/;
const UNREADABLE =
  /\b(?:failed|unable|error|could not|couldn't|cannot|can't)(?: to)? (?:pars|decod|deseriali[sz])\w*[^.\n]{0,40}\b(?:json|xml|response|output|result|reply|body|payload)\b|\bjson ?(?:pars|decod)\w*[ .:]*(?:error|fail)|\b(?:invalid|malformed|garbled|corrupt(?:ed)?|truncated|unreadable|unpars[ea]+ble) (?:json|xml|response|output|reply|payload)\b|\bunexpected (?:token|end of|character|non-whitespace)\b[^\n]{0,80}\bjson\b|\bexpecting (?:value|property name|[',:]+ delimiter)\b[^\n]{0,60}\bline \d|\bunterminated string\b[^\n]{0,60}\bline \d|\b(?:not|isn't)(?: a)? valid json\b/;
const FIELD = "(?:fields?|propert(?:y|ies)|columns?|attributes?)";
const SCHEMA = new RegExp(
  [
    `\\b(?:unknown|unrecogni[sz]ed|unexpected|undefined|unsupported|missing|deprecated) (?:required )?${FIELD}\\b`,
    `\\bunexpected keyword argument\\b`,
    `\\brequired ${FIELD}\\b[^.\\n]{0,60}\\b(?:missing|absent|not present|not found)\\b`,
    `\\b${FIELD} [^.\\n]{1,40} (?:is |was |has been )?(?:missing|absent|renamed|removed|replaced|deprecated|unknown|not recogni[sz]ed|no longer)\\b`,
    `\\bschema (?:mismatch|error|drift|has changed|changed|validation|version)\\b|\\b(?:match|conform to|satisfy) the (?:\\w+ )?schema\\b`,
  ].join("|"),
);
/** What the agent sent is not what the tool has always asked for. */
const SENT =
  /\b(?:invalid|missing|malformed|bad|wrong|unknown|required|parse|parsing|validat\w*|valid json|in|of|for)\b[^.\n]{0,30}(?<!keyword )\b(?:arguments?|parameters?|params)\b|\binput validation\b/;
const ACCESS =
  /\bforbidden\b|unauthori[sz]ed|unauthenticated|not (?:authori[sz]ed|authenticated)|(?:permission|access)\w* (?:was |is )?denied|permissiondenied|access to [^.]{1,60} (?:was |is )?denied|authentication|credential|\b(?:api key|token|session|login)\b[^.;]{0,30}\b(?:invalid|expired|not accepted|missing|revoked|rejected)|\b(?:invalid|expired|missing|revoked) (?:api key|(?:access |bearer |auth )?token|session)\b|(?:log|sign) ?in again|re-?authenticat/;
const SERVER = /\bunexpected (?:server )?error\b/;

/** The kind of a call that failed, as far as the reason tells. */
function failureFault(facts: ResultFacts): MetFault | null {
  const { reason, status } = facts;
  if (BLOCKED.test(reason)) return "blocked";
  // The reason decides, not what else the result holds: that it calls itself a success, or speaks to the agent.
  const sign = signOf({ ...facts, succeeded: false, text: "" }) ?? "failure";
  const hasStatus = status !== null && status >= 400 && status !== 400 && status !== 422;
  if (!hasStatus && !SENT.test(reason)) {
    if (UNREADABLE.test(reason)) return "malformed_response";
    if (SCHEMA.test(reason)) return "schema_drift";
  }
  if (status === 401 || status === 403) return "auth_error";
  const fault = FAULT_OF_SIGN[sign] ?? null;
  if (fault !== null || hasStatus) return fault;
  if (ACCESS.test(reason)) return "auth_error";
  return SERVER.test(reason) ? "server_error" : null;
}

/** The status that a report names, wherever it does; a number at its start is one only by the words after it. */
function spokenStatus({ fields, status }: ResultFacts, reason: string): number | null {
  if (Object.keys(fields).length > 0 && status !== null && status >= 400) return status;
  const written = /\b(?:http(?:\/\d(?:\.\d)?)?|status(?: code)?|error(?: code)?)[:= ]+([45]\d\d)\b/.exec(
    reason,
  );
  return written === null ? null : Number(written[1]);
}

/** A corruption that gives itself away in a result that came back. */
function silentFault(facts: ResultFacts): MetFault | null {
  const { fields, status } = facts;
  const isPartial = ["partial", "is_partial", "partial_results", "incomplete", "is_incomplete"].some(
    (name) => fields[name] === true,
  );
  if (isPartial || status === 206) return "partial";
  const sign = signOf({ ...facts, failed: false });
  return sign === null ? null : (FAULT_OF_SIGN[sign] ?? null);
}
