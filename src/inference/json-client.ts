import { jsonText } from "../data/jsonl/json-text.ts";
import { CalibrantError, errorMessage } from "../errors.ts";
import { askAgain } from "./ask-again.ts";
import {
  type AttemptFailure,
  brokenFailure,
  connectionFailure,
  type FailureContext,
  oneLine,
  statusFailure,
  timeoutFailure,
} from "./describe-failure.ts";
import { RETRY_DELAYS, type RetryDelays } from "./retry-delay.ts";
import { createSecret } from "./secret.ts";
import { checkTimeout, withinTime } from "./within-time.ts";

/** Options of {@link createJsonClient}. */
export interface JsonClientOptions {
  /** The address before the paths, without a slash at the end. */
  readonly baseUrl: string;
  /** What is asked for; null where it is not known. For errors. */
  readonly model: string | null;
  /** Null for a server that wants none. */
  readonly apiKey: string | null;
  /** Where the key comes from, for errors. */
  readonly apiKeyName: string;
  /** Seconds that one attempt may take, from the request to the end of the answer; above 0, at most 300. */
  readonly timeoutSeconds: number;
  /** How often a question is asked again after a failure that may pass. */
  readonly maxRetries: number;
  readonly retryDelays?: RetryDelays;
  /** Milliseconds since 1970: `Date.now`. For `Retry-After` with a date. */
  readonly now: () => number;
  /** Uniform in [0, 1): `Math.random`. Spreads repetitions in time. */
  readonly random: () => number;
  /** Knows failures by the server's words better than by their status; null for one that it does not know. */
  readonly known?: (status: number, words: string) => KnownFailure | null;
}

/** A failure that the server's words tell: what becomes of the question. */
export type KnownFailure = Pick<AttemptFailure, "reason" | "retry" | "fatal">;

/** A response to a look at a server, whatever its status. */
export interface JsonReply {
  readonly status: number;
  /** Undefined for a body that is no JSON. */
  readonly json: unknown;
}

/** Sends JSON to one server and reads JSON. */
export interface JsonClient {
  readonly baseUrl: string;
  /** Looks once. @throws CalibrantError `io` when there is no response. */
  get(path: string, signal: AbortSignal): Promise<JsonReply>;
  /**
   * Asks, and asks again after failures that may pass: time-outs, failed connections, HTTP 408, 409, 429 and 5xx, and answers that
   * `read` throws a CalibrantError `data` for.
   *
   * @param read - reads the body of an answer.
   * @throws CalibrantError `io`, with `ChatErrorDetails` as its details, when there is no answer; whatever else `read` throws; the
   *   reason of the signal that aborted.
   */
  post<T>(
    path: string,
    body: unknown,
    read: (json: unknown) => T,
    signal: AbortSignal,
    softStop?: AbortSignal,
  ): Promise<T>;
  /** A text of the server without the key, should the server repeat it. */
  hideInAnswer(text: string): string;
}

/** What an attempt throws that failed on its way or was refused. */
interface Failed {
  readonly attemptFailure: AttemptFailure;
}

/**
 * Creates a {@link JsonClient} on Node's own fetch.
 *
 * Nothing is read from the environment and nothing is logged. The key goes into the header of requests; errors show `***` where a server
 * repeats it.
 *
 * @throws CalibrantError `option` for a bad key or time-out.
 */
export function createJsonClient(options: JsonClientOptions): JsonClient {
  const { baseUrl, apiKey, apiKeyName, timeoutSeconds, maxRetries, random, known } = options;
  checkTimeout(timeoutSeconds);
  const secret = createSecret(apiKey, apiKeyName);
  const context: FailureContext = {
    model: options.model ?? "like this",
    timeoutSeconds,
    hasKey: apiKey !== null,
    apiKeyName,
    now: options.now,
  };
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "calibrant",
    ...(apiKey !== null && { authorization: `Bearer ${secret.key}` }),
  };
  const exchange = (path: string, body: string | null, outer: AbortSignal): Promise<Exchanged> =>
    withinTime(
      timeoutSeconds * 1000,
      outer,
      (signal) => exchanged(`${baseUrl}${path}`, { headers, signal, ...posted(body) }),
      () => failed(timeoutFailure(context)),
    );
  const message = (path: string, words: string): string => secret.hideIn(`${baseUrl}${path}: ${words}`);
  return {
    baseUrl,
    hideInAnswer: secret.hideInAnswer,
    async get(path, signal) {
      try {
        const { status, text } = await exchange(path, null, signal);
        return { status, json: jsonIn(text) };
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureIn(error);
        if (failure === null) throw error;
        throw new CalibrantError("io", message(path, failure.message), { path });
      }
    },
    post(path, body, read, signal, softStop) {
      const text = jsonText(body);
      return askAgain({
        async attempt() {
          const answer = await exchange(path, text, signal);
          if (answer.status !== 200) throw failed(refusal(answer, context, known));
          return read(parsed(answer.text));
        },
        describe: failureIn,
        message: (words) => message(path, words),
        maxRetries,
        delays: options.retryDelays ?? RETRY_DELAYS,
        random,
        signal,
        softStop,
      });
    },
  };
}

function posted(body: string | null): { readonly method: string; readonly body?: string } {
  return body === null ? { method: "GET" } : { method: "POST", body };
}

/** A response, read to its end. */
interface Exchanged {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function exchanged(url: string, init: RequestInit): Promise<Exchanged> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw failed(connectionFailure(error as Error));
  }
}

function failed(attemptFailure: AttemptFailure): Failed {
  return { attemptFailure };
}

function failureIn(error: unknown): AttemptFailure | null {
  if (error instanceof CalibrantError) return error.code === "data" ? brokenFailure(error) : null;
  return (error as Partial<Failed> | null)?.attemptFailure ?? null;
}

function refusal(
  { status, headers, text }: Exchanged,
  context: FailureContext,
  known: JsonClientOptions["known"],
): AttemptFailure {
  const { words, code } = refusalWords(text);
  const failure = statusFailure({ status, headers, code, words }, context);
  return { ...failure, ...known?.(status, words) };
}

/** What a server says: `{"error": {"message"}}`, `{"message"}`, `{"detail"}` or plain text. */
function refusalWords(text: string): { readonly words: string; readonly code: unknown } {
  const body = jsonIn(text) as Record<string, unknown> | null | undefined;
  const error = body?.error as { message?: unknown; code?: unknown } | string | undefined;
  const inner = typeof error === "object" && error !== null ? error : null;
  const said = [inner?.message, error, body?.message, body?.detail].find(
    (word): word is string => typeof word === "string",
  );
  const words = said ?? (body?.detail === undefined ? text : jsonText(body.detail));
  return { words: oneLine(words) || "no words", code: inner?.code };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const what = text.trim() === "" ? "it is empty" : `it is no JSON (${errorMessage(error)})`;
    throw new CalibrantError("data", what);
  }
}
