import { parseJsonLine } from "../jsonl/parse-json-line.ts";

/** A result of a tool call. */
export interface ToolResult {
  /** What the agent reads. */
  readonly text: string;
  /** The name of the tool; null = not known. */
  readonly tool?: string | null;
  /** The current time in milliseconds since 1970: without it no result is too old. */
  readonly now?: number | null;
}

/** What tells of the fate of a tool call: its result, the name of its tool and the time. */
export interface ResultFacts {
  /** The result as it stands. */
  readonly text: string;
  /** The result as JSON where it is an object, else empty. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the result says of itself that the call failed. */
  readonly failed: boolean;
  /** Whether the result says of itself that the call worked. */
  readonly succeeded: boolean;
  /** The HTTP status in it, or null. */
  readonly status: number | null;
  /** What a failed call gives as its reason: codes and messages, underscores as spaces, in lower case; else empty. */
  readonly reason: string;
  /** Whether the tool changes something, by its name. */
  readonly writes: boolean;
  /** The current time in milliseconds since 1970, or null. */
  readonly now: number | null;
}

/** Gathers the {@link ResultFacts} of a result. */
export function resultFacts({ text, tool, now }: ToolResult): ResultFacts {
  const fields = objectOf(text);
  const status = httpStatus(fields, text);
  const failed = saysFailed(fields, text) || (status !== null && status >= 400);
  return {
    text,
    fields,
    failed,
    succeeded: saysSucceeded(fields),
    status,
    reason: failed ? reasonOf(fields, text) : "",
    writes: WRITE_VERB.test(tool ?? ""),
    now: now ?? null,
  };
}

const WRITE_VERB =
  /(^|[_.\s-])(add|apply|approve|assign|book|buy|cancel|change|charge|close|create|delete|deploy|disable|enable|execute|file|grant|insert|issue|merge|modify|open|order|pay|place|post|publish|put|reboot|refund|release|remove|reset|restart|revoke|rollback|scale|schedule|sell|send|set|submit|transfer|trigger|update|upload|wire|withdraw|write)([_.\s-]|$)/i;
const FAILED_WORD = /^(error|failed|failure|rejected|denied|fault|timeout)$/i;
const SUCCEEDED_WORD = /^(ok|success|successful|succeeded|completed)$/i;
const FAILED_START = /^\W*(error|http(\/\d(\.\d)?)? [45]\d\d|[45]\d\d\b|traceback|exception|failed|fatal)/i;

function objectOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown = null;
  try {
    value = parseJsonLine(text).value;
  } catch {
    // Prose, or broken: a result like any other.
  }
  const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

function httpStatus(fields: Readonly<Record<string, unknown>>, text: string): number | null {
  const inner = isFields(fields.error) ? fields.error : {};
  for (const name of ["status", "status_code", "http_status", "code"]) {
    const value = Number(fields[name] ?? inner[name]);
    if (Number.isInteger(value) && value >= 100 && value < 600) return value;
  }
  const written = /^\W*(?:error:?\s*)?(?:http(?:\/\d(?:\.\d)?)? )?([1-5]\d\d)\b/i.exec(text)?.[1];
  return written === undefined ? null : Number(written);
}

function saysFailed(fields: Readonly<Record<string, unknown>>, text: string): boolean {
  if (Object.keys(fields).length === 0) return FAILED_START.test(text);
  const { error, errors } = fields;
  return (
    FAILED_WORD.test(String(fields.status ?? fields.result ?? "")) ||
    [fields.ok, fields.success].includes(false) ||
    (error !== undefined && error !== null && error !== false && error !== "") ||
    (Array.isArray(errors) && errors.length > 0) ||
    (typeof fields.error_code === "string" && fields.error_code !== "")
  );
}

function saysSucceeded(fields: Readonly<Record<string, unknown>>): boolean {
  const word = SUCCEEDED_WORD.test(String(fields.status ?? fields.result ?? ""));
  return word || [fields.ok, fields.success].includes(true);
}

/** The text fields of a failed result at its first two levels; all of a result that is no object. */
function reasonOf(fields: Readonly<Record<string, unknown>>, text: string): string {
  const values = Object.values(fields).flatMap((value) => (isFields(value) ? Object.values(value) : [value]));
  const words = values.flat().filter((value) => typeof value === "string");
  return (Object.keys(fields).length === 0 ? text : words.join(" ; ")).replaceAll("_", " ").toLowerCase();
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
