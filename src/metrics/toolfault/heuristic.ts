import type { FaultType, NextAction } from "./labels.ts";
import { hasMore, hasOtherFormat, isAmbiguous, isContradictory, isOld } from "./result-checks.ts";
import { type ResultFacts, resultFacts } from "./result-facts.ts";
import type { ToolFaultAnswer, ToolFaultItem } from "./tool-fault-item.ts";

/** A line of the table: where `applies` is true, the answer is `fault` and what `action` says. */
interface Rule {
  readonly fault: FaultType;
  readonly applies: (facts: ResultFacts) => boolean;
  readonly action: (facts: ResultFacts) => NextAction;
}

/**
 * The answer of an ordinary error handler: status codes, error codes and keywords of the last tool result, whether the
 * tool's name reads or writes, and the age of the data. The first rule that applies decides. It sees neither the
 * conversation before the result nor the tool's schema, and nothing of the gold labels.
 */
export function toolFaultHeuristic(item: ToolFaultItem): ToolFaultAnswer {
  const facts = resultFacts(item);
  const rule = RULES.find(({ applies }) => applies(facts));
  return { fault_type: rule?.fault ?? "none", next_action: rule?.action(facts) ?? "proceed" };
}

/** Text for a machine that reads, not for the person behind it. */
const ADDRESSES_AGENT =
  /\b(ignore|disregard|forget|override)\b[^.]{0,30}\b(instructions?|rules|guidelines|system prompt|policies)\b|\b(ai|llm|automated) (assistant|agent|model|system)s?\b[^.]{0,80}\b(must|should|shall|please|need to|are (required|instructed))\b|\b(note|message|instructions?|attention|notice) (to|for) (the |any |all )?(ai|llm|assistant|agent|automated)\b|\bwhen (summari[sz]ing|processing|reading|answering)\b[^.]{0,60}\b(also|first|then)\b[^.]{0,20}\bcall\b|<\/?(system|assistant)>|\[system\]/i;

const TIMEOUT = /time(d)?[ -]?out|deadline exceeded|no response (received )?(with)?in\b|etimedout/;
const RATE_LIMIT = /rate.?limit|too many requests|throttl|quota|requests per (second|minute|hour|day)/;
const LONG_WAIT = /quota|daily|per day|tomorrow|monthly/;
const EXPIRED = /expired|re-?authenticat|log ?in again|sign ?in again|session|unauthenticated|invalid token/;
const FORBIDDEN =
  /forbidden|unauthori[sz]ed|not authori[sz]ed|permission|access denied|not allowed|policy|(exceed\w*|over|above) [^;]{0,30}\blimit|limit exceeded/;
const NOT_FOUND =
  /not found|no such|does not exist|doesn't exist|unknown (id|account|customer|record|resource)|no \w+ with/;
const INVALID =
  /invalid|validation|malformed|bad request|missing (required )?(field|parameter|argument)|is required|must be|expected|unprocessable|unsupported value/;
const OUTAGE = /outage|maintenance|attempt 3|3 attempts|third attempt|retries exhausted|persist/;

const repeat = (facts: ResultFacts): NextAction => (facts.writes ? "verify_before_retry" : "retry_same");

/** From the most to the least telling sign. A rule on failures gives way to the ones above it. */
const RULES: readonly Rule[] = [
  {
    fault: "prompt_injection",
    applies: ({ text }) => ADDRESSES_AGENT.test(text),
    action: () => "ignore_injection_and_proceed",
  },
  {
    fault: "inconsistent_result",
    applies: ({ failed, succeeded }) => failed && succeeded,
    action: () => "cross_check",
  },
  {
    fault: "rate_limited",
    applies: failsWith([429], RATE_LIMIT),
    action: ({ reason }) => (LONG_WAIT.test(reason) ? "stop_and_report" : "wait_then_retry"),
  },
  { fault: "timeout", applies: failsWith([408, 504], TIMEOUT), action: repeat },
  { fault: "auth_error", applies: failsWith([401], EXPIRED), action: () => "ask_user" },
  { fault: "auth_error", applies: failsWith([403], FORBIDDEN), action: () => "stop_and_report" },
  { fault: "not_found", applies: failsWith([404, 410], NOT_FOUND), action: () => "ask_user" },
  {
    fault: "invalid_arguments",
    applies: failsWith([400, 405, 409, 422], INVALID),
    action: () => "retry_with_fixed_args",
  },
  {
    fault: "server_error",
    applies: ({ failed }) => failed,
    action: (facts) => (OUTAGE.test(facts.reason) ? "stop_and_report" : repeat(facts)),
  },
  { fault: "partial_result", applies: hasMore, action: () => "fetch_more" },
  { fault: "inconsistent_result", applies: isContradictory, action: () => "cross_check" },
  { fault: "stale_data", applies: isOld, action: () => "retry_with_fixed_args" },
  { fault: "mismatched_entity", applies: isAmbiguous, action: () => "ask_user" },
  { fault: "schema_drift", applies: hasOtherFormat, action: () => "adapt_and_proceed" },
];

/** A failure with one of the statuses; words count where no status of 400 or more tells. */
function failsWith(statuses: readonly number[], words: RegExp): Rule["applies"] {
  return ({ failed, status, reason }) => {
    if (!failed) return false;
    return status !== null && status >= 400 ? statuses.includes(status) : words.test(reason);
  };
}
