import { hasMore, hasOtherFormat, isAmbiguous, isContradictory, isOld } from "./result-checks.ts";
import { type ResultFacts, resultFacts, type ToolResult } from "./result-facts.ts";

/** What a tool result tells about itself, from the most to the least telling sign; the first one that applies is its sign. */
export const RESULT_SIGNS = [
  /** Text for a machine that reads, not for the person behind it. */
  "addresses_agent",
  /** It says that the call failed and that it worked. */
  "failed_and_succeeded",
  /** 429, or words like it; waiting for a moment helps. */
  "rate_limit",
  /** The same where the words speak of a quota or a day. */
  "quota",
  /** 408, 504, or words like them. */
  "timeout",
  /** 401, or words of an expired login. */
  "login",
  /** 403, or words of a permission, a policy or a limit. */
  "forbidden",
  /** 404, 410, or words like them. */
  "not_found",
  /** 400, 405, 409, 422, or words of a validation. */
  "invalid_arguments",
  /** A failure that lasts: an outage, a maintenance, repeated attempts. */
  "outage",
  /** 5xx, or words of the service's own failure. */
  "server_error",
  /** Any other failure. */
  "failure",
  /** There is more than was returned. */
  "more_records",
  /** Its numbers do not add up. */
  "contradictory_numbers",
  /** It says that it is old. */
  "old",
  /** Several records answer equally well. */
  "ambiguous",
  /** Its field names tell of another unit or version. */
  "other_format",
] as const;

/** A sign of {@link RESULT_SIGNS}. */
export type ResultSign = (typeof RESULT_SIGNS)[number];

/** What {@link classifyToolResult} found: a sign, null for a result that came back as it should, and what it rests on. */
export interface ClassifiedResult {
  readonly sign: ResultSign | null;
  readonly facts: ResultFacts;
}

/**
 * Reads what became of a tool call off its result, as an ordinary error handler does: status codes, error codes and words
 * in it, whether its numbers agree, the age of its data. It sees neither the call's arguments nor the tool's schema.
 */
export function classifyToolResult(result: ToolResult): ClassifiedResult {
  const facts = resultFacts(result);
  return { sign: signOf(facts), facts };
}

/** The first sign of {@link RESULT_SIGNS} that applies, null when none does. */
export function signOf(facts: ResultFacts): ResultSign | null {
  return RESULT_SIGNS.find((sign) => APPLIES[sign](facts)) ?? null;
}

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
const SERVER =
  /server ?error|internal error|bad gateway|(service|server|system|api|backend|tool) (is )?(currently |temporarily )?(unavailable|not available|overloaded|down)|upstream|connection (was |is )?(refused|reset|closed|aborted)|econn(refused|reset|aborted)|socket hang up|something went wrong/;

const rateLimited = failsWith([429], RATE_LIMIT);

/** A sign of a failure gives way to the ones above it. */
const APPLIES: Readonly<Record<ResultSign, (facts: ResultFacts) => boolean>> = {
  addresses_agent: ({ text }) => ADDRESSES_AGENT.test(text),
  failed_and_succeeded: ({ failed, succeeded }) => failed && succeeded,
  rate_limit: (facts) => rateLimited(facts) && !LONG_WAIT.test(facts.reason),
  quota: rateLimited,
  timeout: failsWith([408, 504], TIMEOUT),
  login: failsWith([401], EXPIRED),
  forbidden: failsWith([403], FORBIDDEN),
  not_found: failsWith([404, 410], NOT_FOUND),
  invalid_arguments: failsWith([400, 405, 409, 422], INVALID),
  outage: ({ failed, reason }) => failed && OUTAGE.test(reason),
  server_error: ({ failed, status, reason }) => failed && (isServerStatus(status) || SERVER.test(reason)),
  failure: ({ failed }) => failed,
  more_records: hasMore,
  contradictory_numbers: isContradictory,
  old: isOld,
  ambiguous: isAmbiguous,
  other_format: hasOtherFormat,
};

/** A failure with one of the statuses; words count where no status of 400 or more tells. */
function failsWith(statuses: readonly number[], words: RegExp): (facts: ResultFacts) => boolean {
  return ({ failed, status, reason }) => {
    if (!failed) return false;
    return status !== null && status >= 400 ? statuses.includes(status) : words.test(reason);
  };
}

function isServerStatus(status: number | null): boolean {
  return status !== null && status >= 500;
}
