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
  if (error instanceof openai.APIConnectionTimeoutError) return timeoutFailure(context);
  if (error instanceof openai.APIConnectionError) return connectionFailure(error);
  if (error instanceof openai.APIError && typeof error.status === "number") {
    const { status, headers, code } = error;
    return statusFailure({ status, headers, code, words: error.message.replace(/^\d+ /, "") }, context);
  }
  if (error instanceof CalibrantError && error.code === "data") return brokenFailure(error);
  return null;
}

const AGAIN = { retry: true, fatal: false, retryAfterMs: null } as const;

/** Of an attempt that took too long. */
export function timeoutFailure({ timeoutSeconds }: Pick<FailureContext, "timeoutSeconds">): AttemptFailure {
  return { reason: "timeout", message: `no answer in ${timeoutSeconds} s`, ...AGAIN };
}

/** Of a server that cannot be reached, or went away. */
export function connectionFailure(error: Error): AttemptFailure {
  return { reason: "connection", message: `the connection failed: ${connectionWords(error)}`, ...AGAIN };
}

/** Of an answer that cannot be read. */
export function brokenFailure(error: Error): AttemptFailure {
  return { reason: "broken answer", message: `the answer is broken: ${oneLine(error.message)}`, ...AGAIN };
}

/** The innermost cause says what happened; the outer ones only say that fetching failed. */
function connectionWords(error: Error): string {
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  const code = (inner as { code?: unknown } | null)?.code;
  const message = errorMessage(inner);
  return oneLine(typeof code === "string" && !message.includes(code) ? `${code} ${message}` : message);
}

/** A response with another status than those of answers. */
export interface RefusedResponse {
  readonly status: number;
  readonly headers: Headers | undefined;
  /** The `code` of the error in the body, if there is one. */
  readonly code?: unknown;
  /** What the body says. */
  readonly words: string;
}

/** Of a server that does not answer the question. */
export function statusFailure(response: RefusedResponse, context: FailureContext): AttemptFailure {
  const { status, headers, code } = response;
  const quota = code === "insufficient_quota";
  const fatal = quota || [401, 402, 403, 404].includes(status);
  return {
    reason: quota ? "quota used up" : `HTTP ${status}`,
    message: `HTTP ${status}: ${statusWords(response, context)}`,
    retry: !fatal && asksAgain(status, headers),
    fatal,
    retryAfterMs: retryAfter(headers, context.now()),
  };
}

/** A server that says itself whether to come back is believed. */
function asksAgain(status: number, headers: Headers | undefined): boolean {
  const word = headers?.get("x-should-retry");
  if (word === "true" || word === "false") return word === "true";
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function statusWords({ status, words }: RefusedResponse, context: FailureContext): string {
  const { model, hasKey, apiKeyName } = context;
  const said = oneLine(words);
  if (status === 401) {
    // What the server says is left out: some repeat parts of the key.
    return hasKey
      ? `the server refuses the API key of ${apiKeyName}`
      : `the server wants an API key: put it into ${apiKeyName}`;
  }
  return status === 404 ? `there is no model ${model} here, or the address is wrong: ${said}` : said;
}

/** Words of a server on one line, and not too many: servers and proxies answer with whole pages. */
export function oneLine(text: string): string {
  const line = text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MESSAGE_CHARACTERS ? `${line.slice(0, MESSAGE_CHARACTERS)}…` : line;
}
