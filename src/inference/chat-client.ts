import type { OpenAI } from "openai";
import { CalibrantError } from "../errors.ts";
import { askAgain } from "./ask-again.ts";
import { type ChatAnswer, chatAnswerReader, type ReadAnswer } from "./chat-answer.ts";
import { describeFailure, type FailureContext } from "./describe-failure.ts";
import { loadOpenAi, type OpenAiModule } from "./load-openai.ts";
import { RETRY_DELAYS, type RetryDelays } from "./retry-delay.ts";
import { createSecret, type Secret } from "./secret.ts";
import { checkTimeout, withinTime } from "./within-time.ts";

/** One message of a question. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The JSON that an answer must be. */
export interface JsonSchemaFormat {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** A JSON Schema as OpenAI's strict mode takes it: every property required, no additional ones. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A question to a model. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** The longest answer, in tokens. */
  readonly maxTokens: number;
  readonly temperature: number;
  /** Asks for the same answer to the same question; many servers ignore it. */
  readonly seed?: number | null;
  /** Asks for the log-prob of every token of the answer. */
  readonly logprobs?: boolean;
  /** Asks for an answer that is a JSON object, or one that a schema describes. */
  readonly responseFormat?: "json_object" | JsonSchemaFormat | null;
  /** Further fields of the request's body, which win over those above; null takes a field out. */
  readonly extraBody?: Readonly<Record<string, unknown>> | null;
}

/** Options of {@link createChatClient}. */
export interface ChatClientOptions {
  /** The address before `/chat/completions`, for example `http://localhost:8000/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Null for a server that wants none. */
  readonly apiKey: string | null;
  /** Where the key comes from, for errors: `the environment variable OPENAI_API_KEY`. */
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
}

/** Asks one model at one address. */
export interface ChatClient {
  /** Where questions go. */
  readonly url: string;
  /**
   * Asks, and asks again after failures that may pass: time-outs, failed connections, HTTP 408, 409, 429 and 5xx, and
   * answers that cannot be read.
   *
   * @param signal - gives up at once when it aborts.
   * @param softStop - lets an attempt that is on the way come to its end when it aborts, and makes no other.
   * @throws CalibrantError `io`, with `ChatErrorDetails` as its details, when there is no answer; the reason of the signal that
   *   aborted.
   */
  complete(request: ChatRequest, signal: AbortSignal, softStop?: AbortSignal): Promise<ChatAnswer>;
  /** How many attempts are on the way. */
  onTheWay(): number;
}

/** Fields of a request's body that `extraBody` must not change: results would not be what they say they are. */
export const FIXED_FIELDS: readonly string[] = ["model", "messages", "temperature", "stream", "n"];

/**
 * Creates a client for an endpoint that speaks OpenAI's chat completions.
 *
 * Nothing is read from the environment and nothing is logged. The key goes into the header of requests; errors and answers show
 * `***` where a server repeats it.
 *
 * @throws CalibrantError `missing-package` without the package openai; `option` for a bad address, key or time-out.
 */
export async function createChatClient(options: ChatClientOptions): Promise<ChatClient> {
  const { model, apiKey, apiKeyName, timeoutSeconds, now, random, maxRetries } = options;
  checkTimeout(timeoutSeconds);
  const secret = createSecret(apiKey, apiKeyName);
  const baseUrl = checkedBaseUrl(options.baseUrl, secret.hideIn);
  const openai = await loadOpenAi();
  const readAnswer = await chatAnswerReader();
  const client = quietClient(openai, baseUrl, secret);
  const url = `${baseUrl}/chat/completions`;
  const context: FailureContext = { model, timeoutSeconds, hasKey: apiKey !== null, apiKeyName, now };
  const delays = options.retryDelays ?? RETRY_DELAYS;
  const attempt = attemptWith({ openai, client, secret, readAnswer, timeoutMs: timeoutSeconds * 1000 });
  let onTheWay = 0;
  return {
    url,
    onTheWay: () => onTheWay,
    async complete(request, signal, softStop) {
      const body = requestBody(model, request);
      return askAgain({
        attempt() {
          onTheWay++;
          return attempt(body, signal).finally(() => onTheWay--);
        },
        describe: (error) => describeFailure(error, openai, context),
        message: (words) => secret.hideIn(`${url}: ${words}`),
        maxRetries,
        delays,
        random,
        signal,
        softStop,
      });
    },
  };
}

/**
 * The address without a slash at the end. A name or password in it is refused unseen: it would be in every error.
 *
 * @param hideIn - hides what errors must not show.
 * @throws CalibrantError `option` for a text that is no such address.
 */
export function checkedBaseUrl(text: string, hideIn: (text: string) => string): string {
  // Before it is parsed: a password with a slash makes an address that no parser takes.
  if (text.includes("@")) {
    throw new CalibrantError(
      "option",
      "the base URL must hold no @: a user name or password has no place in it",
    );
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  const problem =
    url === null || !/^https?:$/.test(url.protocol) || `${url.search}${url.hash}` !== ""
      ? "must be an http or https address without ? and #, such as http://localhost:8000/v1"
      : /\/chat\/completions\/?$/.test(url.pathname)
        ? "must end before /chat/completions"
        : null;
  if (problem !== null) {
    // A query may hold a key.
    const shown = hideIn(text.replace(/([?#]).*$/s, "$1…"));
    throw new CalibrantError("option", `the base URL ${problem}, got ${shown}`);
  }
  return text.replace(/\/+$/, "");
}

/**
 * The package's client with its own ways off: it would take organisation, project, further headers and its log level from the
 * environment. Its retries are off because they cannot be aborted, trust any `Retry-After`, and end at the headers of a
 * response: its time-out does not cover the body, nor are broken bodies asked for again.
 */
function quietClient({ OpenAI }: OpenAiModule, baseURL: string, { key }: Secret): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey: key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    // OPENAI_CUSTOM_HEADERS is read whatever the options are; only a fetch of our own can keep it out.
    fetch: (url, init) => fetch(url, { ...init, headers: ownHeaders(new Headers(init?.headers), key) }),
  });
}

function ownHeaders(all: Headers, key: string): Headers {
  const headers = new Headers({ accept: "application/json", "content-type": "application/json" });
  headers.set("authorization", `Bearer ${key}`);
  headers.set("user-agent", all.get("user-agent") ?? "OpenAI/JS");
  return headers;
}

/** The first of {@link FIXED_FIELDS} that extra fields of a request hold, null counted as any value; null without any. */
export function fixedFieldIn(extraBody: Readonly<Record<string, unknown>> | null): string | null {
  return FIXED_FIELDS.find((name) => extraBody !== null && Object.hasOwn(extraBody, name)) ?? null;
}

type RequestBody = Parameters<OpenAI["chat"]["completions"]["create"]>[0] & { stream?: false };

function requestBody(model: string, request: ChatRequest): RequestBody {
  const { messages, maxTokens, temperature, seed, logprobs, responseFormat, extraBody } = request;
  const fixed = fixedFieldIn(extraBody ?? null);
  if (fixed !== null) {
    throw new CalibrantError("option", `the extra fields of the request must not set ${fixed}`);
  }
  const body = {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    max_tokens: maxTokens,
    temperature,
    ...(typeof seed === "number" && { seed }),
    ...(logprobs === true && { logprobs: true }),
    ...(responseFormat && { response_format: wireFormat(responseFormat) }),
    ...extraBody,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as typeof body;
}

function wireFormat(format: NonNullable<ChatRequest["responseFormat"]>): RequestBody["response_format"] & {} {
  if (format === "json_object") return { type: format };
  return { type: "json_schema", json_schema: { ...format, strict: true } };
}

interface AttemptParts {
  readonly openai: OpenAiModule;
  readonly client: OpenAI;
  readonly secret: Secret;
  readonly readAnswer: ReadAnswer;
  readonly timeoutMs: number;
}

/** One attempt, its time-out over everything up to the last byte of the answer. */
function attemptWith(parts: AttemptParts): (body: RequestBody, signal: AbortSignal) => Promise<ChatAnswer> {
  const { openai, client, secret, readAnswer, timeoutMs } = parts;
  return (body, signal) =>
    withinTime(
      timeoutMs,
      signal,
      async (own) => {
        // The package's own time-out comes later, so that there is one kind of it.
        const settings = { signal: own, timeout: Math.ceil(timeoutMs) + 10_000 };
        const response = await client.chat.completions.create(body, settings).asResponse();
        return readAnswer(secret.hideInAnswer(await bodyText(response, openai)));
      },
      () => new openai.APIConnectionTimeoutError(),
    );
}

async function bodyText(response: Response, { APIConnectionError }: OpenAiModule): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new APIConnectionError({ cause: error as Error });
  }
}
