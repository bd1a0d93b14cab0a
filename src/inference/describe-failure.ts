import type { APIError } from "openai";
import { CalibrantError, errorMessage } from "../errors.ts";
import type { OpenAiModule } from "./load-openai.ts";
import { retryAfter } from "./retry-delay.ts";

/** One attempt that failed. */
export interface AttemptFailure {
  /** As in `ChatErrorDetails`. */
  readonly reason: string;
  readonly message: string;
  /** Whether asking again may help. */
  readonly retry: boolean;
  readonly fatal: boolean;
  /** The wait that the server asked for; milliseconds. */
  readonly retryAfterMs: number | null;
}

/** What failures are described with. */
export interface FailureContext {
  readonly model: string;
  readonly timeoutSeconds: number;
  /** Whether a key was sent. */
  readonly hasKey: boolean;
  /** Where the key comes from. */
  readonly apiKeyName: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const MESSAGE_CHARACTERS = 300;

/** Describes what an attempt threw; null for an error that is no failure of the server or the way to it. */
export function describeFailure(
  error: unknown,
  openai: OpenAiModule,
  context: FailureContext,
): AttemptFailure | null {
  const again = { retry: true, fatal: false, retryAfterMs: null };
  if (error instanceof openai.APIConnectionTimeoutError) {
    return { reason: "timeout", message: `no answer in ${context.timeoutSeconds} s`, ...again };
  }
  if (error instanceof openai.APIConnectionError) {
    return { reason: "connection", message: `the connection failed: ${connectionWords(error)}`, ...again };
  }
  if (error instanceof openai.APIError && typeof error.status === "number") {
    return statusFailure(error, error.status, context);
  }
  if (error instanceof CalibrantError && error.code === "data") {
    const message = `the answer is broken: ${oneLine(error.message)}`;
    return { reason: "broken answer", message, ...again };
  }
  return null;
}

/** The innermost cause says what happened; the outer ones only say that fetching failed. */
function connectionWords(error: Error): string {
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  const code = (inner as { code?: unknown } | null)?.code;
  const message = errorMessage(inner);
  return oneLine(typeof code === "string" && !message.includes(code) ? `${code} ${message}` : message);
}

function statusFailure(error: APIError, status: number, context: FailureContext): AttemptFailure {
  const quota = error.code === "insufficient_quota";
  const fatal = quota || [401, 402, 403, 404].includes(status);
  return {
    reason: quota ? "quota used up" : `HTTP ${status}`,
    message: `HTTP ${status}: ${statusWords(error, status, context)}`,
    retry: !fatal && asksAgain(status, error.headers),
    fatal,
    retryAfterMs: retryAfter(error.headers, context.now()),
  };
}

/** A server that says itself whether to come back is believed. */
function asksAgain(status: number, headers: Headers | undefined): boolean {
  const word = headers?.get("x-should-retry");
  if (word === "true" || word === "false") return word === "true";
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function statusWords(error: APIError, status: number, { model, hasKey, apiKeyName }: FailureContext): string {
  const said = oneLine(error.message.replace(/^\d+ /, ""));
  if (status === 401) {
    // What the server says is left out: some repeat parts of the key.
    return hasKey
      ? `the server refuses the API key of ${apiKeyName}`
      : `the server wants an API key: put it into ${apiKeyName}`;
  }
  return status === 404 ? `there is no model ${model} here, or the address is wrong: ${said}` : said;
}

/** Servers and proxies answer with whole pages. */
function oneLine(text: string): string {
  const line = text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MESSAGE_CHARACTERS ? `${line.slice(0, MESSAGE_CHARACTERS)}…` : line;
}
