import { CalibrantError } from "../errors.ts";
import type { ExplicitFault } from "./fault-kinds.ts";
import type { FaultResponse } from "./injection-record.ts";

/** What answers instead of a tool: a visible failure, or a block. */
export type AnsweredFault = ExplicitFault | "blocked";

/** A wording of a failure. */
export interface FaultMessage {
  /**
   * The text with places to fill in: `{tool}` the tool's name, `{field}` a field that no tool has, `{seconds}` a time limit,
   * `{wait}` seconds to wait, `{position}` an offset in a body and `{column}` the column of that.
   */
  readonly text: string;
  /** The HTTP status that the text names; null when it names none. */
  readonly status: number | null;
}

/**
 * All wordings of the visible failures and of a block: what SDKs, HTTP services and gateways write, as plain text and as JSON
 * (Bench2Robust, Table 6, gives one or two of each). No wording holds an id, an address, or an instruction. Those of
 * `server_error` never name 504, which is a timeout; those of `blocked` say that it lasts and name no status, since each of
 * them reads as if trying again could help.
 */
export const FAULT_MESSAGES: Readonly<Record<AnsweredFault, readonly FaultMessage[]>> = {
  timeout: [
    { text: "Error: request timed out after 30s", status: null },
    { text: "HTTP 504 Gateway Timeout", status: 504 },
    { text: "HTTP 408 Request Timeout", status: 408 },
    { text: "TimeoutError: no response from {tool} within {seconds} seconds", status: null },
    { text: "ReadTimeout: the read operation timed out (timeout={seconds}s)", status: null },
    { text: "MCP error -32001: Request timed out", status: null },
    { text: "Error: 4 DEADLINE_EXCEEDED: deadline exceeded after {seconds}.000s", status: null },
    {
      text: '{"error":{"type":"timeout","message":"The request to {tool} timed out after {seconds} seconds."}}',
      status: null,
    },
    { text: '{"status":504,"error":"Gateway Timeout","message":"upstream request timeout"}', status: 504 },
  ],
  rate_limit: [
    { text: "HTTP 429 Too Many Requests", status: 429 },
    { text: "HTTP 429 Too Many Requests\nRetry-After: {wait}", status: 429 },
    { text: "Error: rate limit exceeded for {tool}", status: null },
    { text: "RateLimitError: Error code: 429 - Rate limit reached", status: 429 },
    {
      text: '{"error":{"type":"rate_limit_exceeded","code":429,"message":"Rate limit reached for {tool}. Try again in {wait} s."}}',
      status: 429,
    },
    { text: '{"status":429,"error":"Too Many Requests","retry_after":{wait}}', status: 429 },
    { text: '{"error":"rate_limited","message":"API rate limit exceeded"}', status: null },
  ],
  server_error: [
    { text: "HTTP 500 Internal Server Error", status: 500 },
    { text: "HTTP 502 Bad Gateway", status: 502 },
    { text: "HTTP 503 Service Unavailable", status: 503 },
    { text: "Error: {tool} failed with status 500 (Internal Server Error)", status: 500 },
    { text: "InternalServerError: Error code: 503 - upstream connect error", status: 503 },
    {
      text: '{"status":500,"error":"Internal Server Error","message":"An unexpected error occurred."}',
      status: 500,
    },
    {
      text: '{"error":{"type":"server_error","code":502,"message":"Bad gateway: the upstream connection was closed."}}',
      status: 502,
    },
  ],
  malformed_response: [
    {
      text: "Error: failed to parse the response of {tool} as JSON: Unexpected end of JSON input",
      status: null,
    },
    { text: "JSONDecodeError: Expecting value: line 1 column 1 (char 0)", status: null },
    {
      text: "json.decoder.JSONDecodeError: Unterminated string starting at: line 1 column {column} (char {position})",
      status: null,
    },
    {
      text: "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
      status: null,
    },
    {
      text: '{"error":{"type":"invalid_response","message":"The response of {tool} is not valid JSON (position {position})."}}',
      status: null,
    },
    { text: '{"status": "success", "data": {"results": [{"name": "', status: null },
    { text: '{"result": {"total": 1, "entries": [{"quantity": 1, "pri', status: null },
    {
      text: '<!DOCTYPE html>\n<html>\n<head><title>Loading</title></head>\n<body><div class="spinner"></div></body>\n</html>',
      status: null,
    },
    { text: '{"da\ufffd\ufffd":{"\ufffdtems":[\ufffd\ufffd,{"\ufffd\ufffd\ufffd', status: null },
    { text: '[object Object]"},{"result":undefined,,"', status: null },
  ],
  auth_error: [
    { text: "HTTP 401 Unauthorized", status: 401 },
    { text: "HTTP 403 Forbidden", status: 403 },
    { text: "Error: 401 Unauthorized: the access token was not accepted", status: 401 },
    { text: "AuthenticationError: Error code: 401 - Invalid authentication credentials", status: 401 },
    { text: "PermissionDeniedError: Error code: 403 - Access to {tool} was denied", status: 403 },
    {
      text: '{"status":401,"error":"unauthorized","message":"Missing or invalid credentials."}',
      status: 401,
    },
    { text: '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"Forbidden"}}', status: 403 },
  ],
  schema_drift: [
    { text: "Unknown field '{field}'", status: null },
    { text: "Error: required field missing: '{field}'", status: null },
    { text: 'HTTP 400 Bad Request: unknown field "{field}"', status: 400 },
    { text: "TypeError: {tool}() got an unexpected keyword argument '{field}'", status: null },
    {
      text: "ValidationError: the request does not match the schema of {tool}: missing property '{field}'",
      status: null,
    },
    {
      text: `{"status":422,"error":"schema_mismatch","message":"Required field '{field}' is missing."}`,
      status: 422,
    },
    {
      text: `{"error":{"type":"schema_error","message":"Unknown field '{field}' in the request to {tool}."}}`,
      status: null,
    },
  ],
  blocked: [
    { text: "Error: tool '{tool}' is unavailable for this session", status: null },
    { text: "Error: {tool} is disabled for the rest of this session", status: null },
    { text: "ToolUnavailableError: {tool} has been taken out of service for this session", status: null },
    {
      text: `{"error":{"type":"tool_unavailable","message":"Tool '{tool}' is unavailable for this session."}}`,
      status: null,
    },
    {
      text: '{"status":"error","error":"tool_blocked","message":"Calls of {tool} are not accepted in this session."}',
      status: null,
    },
  ],
};

/** Not the name of an argument of any tool of tau-bench, tau2 or BFCL: a real one would send an agent to change a right call. */
const FIELDS: readonly string[] = [
  "items_v2",
  "schema_version",
  "payload_v2",
  "request_context",
  "response_format_v2",
  "data_v2",
  "options_v2",
  "meta_v2",
];
const SECONDS: readonly number[] = [10, 15, 20, 30, 45, 60];
const WAITS: readonly number[] = [1, 2, 5, 10, 20, 30];
const POSITIONS = 2048;

/**
 * What a call that meets a visible failure or a block answers: one of {@link FAULT_MESSAGES}, all wordings of a kind alike
 * in probability, with its places filled in.
 *
 * Takes exactly three numbers from `random` (wording, quantity, field), whatever the kind and the wording, so that other draws from the same
 * source do not depend on them.
 *
 * @param tool - the name of the tool; inside JSON it is escaped.
 * @param random - uniform numbers in [0, 1).
 * @throws CalibrantError `option` for a kind that has no message: a silent one, or an unknown one.
 *
 * @example
 * ```ts
 * import { faultResponse } from "calibrant/recovery";
 * const first = faultResponse("timeout", "get_order", () => 0);
 * console.log(first.text, first.status); // Error: request timed out after 30s null
 * ```
 */
export function faultResponse(fault: AnsweredFault, tool: string, random: () => number): FaultResponse {
  if (!Object.hasOwn(FAULT_MESSAGES, fault)) {
    const kinds = Object.keys(FAULT_MESSAGES).join(", ");
    throw new CalibrantError("option", `faultResponse: fault must be one of ${kinds}, got ${String(fault)}`);
  }
  const message = pick(FAULT_MESSAGES[fault], random());
  const quantity = random();
  const field = pick(FIELDS, random());
  const position = Math.floor(quantity * POSITIONS);
  const parts: Readonly<Record<string, string | number>> = {
    tool: isJson(message.text) ? JSON.stringify(tool).slice(1, -1) : tool,
    field,
    seconds: pick(SECONDS, quantity),
    wait: pick(WAITS, quantity),
    position,
    column: position + 1,
  };
  const text = message.text.replace(/\{(tool|field|seconds|wait|position|column)\}/g, (_, name: string) =>
    String(parts[name]),
  );
  return { text, status: message.status };
}

function isJson(text: string): boolean {
  return text.startsWith("{") && text.endsWith("}");
}

function pick<T>(values: readonly T[], u: number): T {
  return values[Math.floor(u * values.length)] as T;
}
