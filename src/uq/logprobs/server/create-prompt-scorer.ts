import { checkOptionNames } from "../../../data/check-option-names.ts";
import { CalibrantError } from "../../../errors.ts";
import { checkedBaseUrl } from "../../../inference/chat-client.ts";
import { createJsonClient, type JsonClient } from "../../../inference/json-client.ts";
import type { RetryDelays } from "../../../inference/retry-delay.ts";
import { createSecret } from "../../../inference/secret.ts";
import { detectServer, type FoundServer } from "./detect-server.ts";
import { llamaCppDialect } from "./llama-cpp-dialect.ts";
import { knownServerFailure, rowFailure } from "./row-failure.ts";
import { type Boundary, sequenceIds, type TextToScore } from "./sequence-ids.ts";
import type { ServerDialect } from "./server-dialect.ts";
import { LOGPROBS_MODES, type LogprobsMode, SERVER_KINDS, type ServerKind } from "./server-kinds.ts";
import { sglangDialect } from "./sglang-dialect.ts";
import { type DialectOptions, vllmDialect } from "./vllm-dialect.ts";

/** Options of {@link createPromptScorer}. */
export interface PromptScorerOptions {
  /** The address of the server, with or without `/v1` at its end. */
  readonly url: string;
  /** As the server knows it; may be left out where the server has one only. */
  readonly model?: string;
  /** Default `auto`: the server is asked what it is. */
  readonly kind?: ServerKind | "auto";
  /** Default none. */
  readonly apiKey?: string | null;
  /** Where the key comes from, for errors. Default `apiKey`. */
  readonly apiKeyName?: string;
  /** Seconds that one attempt may take; above 0, at most 300. Default 120. */
  readonly timeoutSeconds?: number;
  /** How often a question is asked again after a failure that may pass. Default 6. */
  readonly maxRetries?: number;
  readonly retryDelays?: RetryDelays;
  /** Texts of more tokens, prompt and response together, are not sent: they can take a server's memory. Default no limit. */
  readonly maxTokens?: number | null;
  /** `separate` tokenises every response alone; see `sequenceIds`. Default `joint`. */
  readonly boundary?: "joint" | "separate";
  /** Whether a prompt text gets what the tokeniser puts before a text (BOS): not where the text holds it already. Default true. */
  readonly specialTokens?: boolean;
  /** Arguments of the server's chat template, such as `{enable_thinking: false}`. Default none. */
  readonly chatTemplateKwargs?: Readonly<Record<string, unknown>> | null;
  /** How the server was started, where that is known: it is only recorded. Default `unknown`. */
  readonly mode?: LogprobsMode;
  /** Milliseconds since 1970: `Date.now`. For `Retry-After` with a date. */
  readonly now: () => number;
  /** Uniform in [0, 1): `Math.random`. Spreads repetitions in time. */
  readonly random: () => number;
  /** Stops looking at the server. */
  readonly signal?: AbortSignal;
}

/** Where log-probs come from. */
export interface ScoringServer {
  readonly kind: FoundServer["kind"];
  /** Null where the server does not say. */
  readonly version: string | null;
  readonly model: string;
  readonly mode: LogprobsMode;
}

/** The log-probs of a response. */
export interface ScoredText {
  /** Of each token of the response, in nats, as the server gives them: null where it has none, −9999 (vLLM) for −∞. */
  readonly logprobs: readonly (number | null)[];
  /** The tokens of the response. */
  readonly tokenIds: readonly number[];
  readonly promptTokens: number;
  readonly boundary: Boundary;
}

/** Asks a server for the log-probs of given responses. */
export interface PromptScorer {
  /** Where questions go. */
  readonly url: string;
  readonly server: ScoringServer;
  /**
   * The log-probs of a response, each token given the prompt and the tokens before it. Without tokens in the response nothing is
   * asked and the list is empty.
   *
   * @param signal - gives up at once when it aborts.
   * @param softStop - lets what is on the way come to its end when it aborts, and asks nothing more.
   * @throws CalibrantError `io`, with `ChatErrorDetails` as its details, when there are none; the reason of the signal that aborted.
   */
  score(text: TextToScore, signal?: AbortSignal, softStop?: AbortSignal): Promise<ScoredText>;
  /** How many texts are on the way. */
  onTheWay(): number;
}

const OPTION_NAMES = [
  "url",
  "model",
  "kind",
  "apiKey",
  "apiKeyName",
  "timeoutSeconds",
  "maxRetries",
  "retryDelays",
  "maxTokens",
  "boundary",
  "specialTokens",
  "chatTemplateKwargs",
  "mode",
  "now",
  "random",
  "signal",
] as const satisfies readonly (keyof PromptScorerOptions)[];

/**
 * Opens an inference server (vLLM or SGLang) that gives log-probs of given texts.
 *
 * Nothing is read from the environment and nothing is logged. The key goes into the header of requests only.
 *
 * @throws CalibrantError `option` for options that cannot be, or a model that the server has not; `io` for a server that cannot be
 *   reached, or gives no log-probs of given texts (llama.cpp's), or is unknown.
 *
 * @example
 * ```ts no-run
 * import { createPromptScorer, sequencePerplexity } from "calibrant/uq";
 * const scorer = await createPromptScorer({
 *   url: "http://localhost:8000",
 *   model: "qwen3-32b",
 *   now: Date.now,
 *   random: Math.random,
 * });
 * const messages = [{ role: "user", content: "What is 6 times 7?" }];
 * const { logprobs } = await scorer.score({ messages, response: "42" });
 * console.log(scorer.server.kind, sequencePerplexity(logprobs).ppl);
 * ```
 */
export async function createPromptScorer(options: PromptScorerOptions): Promise<PromptScorer> {
  checkOptions(options);
  const { maxTokens = null, boundary = "joint", signal: opening = new AbortController().signal } = options;
  const client = openClient(options);
  const found = await detectServer(client, options.kind ?? "auto", opening);
  const model = servedModel(options.model, found.models, client.baseUrl);
  const { chatTemplateKwargs = null } = options;
  const dialect = await openDialect(found.kind, { client, model, chatTemplateKwargs }, opening);
  const tokenising = { joint: boundary === "joint", special: options.specialTokens ?? true };
  let onTheWay = 0;
  const score: PromptScorer["score"] = async (text, signal = new AbortController().signal, softStop) => {
    const stops = { signal, softStop };
    const { prompt, response, boundary: from } = await sequenceIds(text, dialect, tokenising, stops);
    const total = prompt.length + response.length;
    if (maxTokens !== null && total > maxTokens)
      throw rowFailure("too long", `prompt and response have ${total} tokens, allowed are ${maxTokens}`);
    const logprobs =
      response.length === 0 ? [] : await dialect.score([...prompt, ...response], prompt.length, stops);
    return { logprobs, tokenIds: response, promptTokens: prompt.length, boundary: from };
  };
  return {
    url: client.baseUrl,
    server: {
      kind: found.kind,
      version: found.version,
      model,
      mode: found.mode ?? options.mode ?? "unknown",
    },
    onTheWay: () => onTheWay,
    score(...parts) {
      onTheWay++;
      return score(...parts).finally(() => onTheWay--);
    },
  };
}

function checkOptions(options: PromptScorerOptions): void {
  checkOptionNames(options, OPTION_NAMES, "createPromptScorer");
  const { kind = "auto", mode = "unknown", boundary = "joint", maxTokens = null, maxRetries = 0 } = options;
  oneOf("kind", kind, ["auto", ...SERVER_KINDS]);
  oneOf("mode", mode, LOGPROBS_MODES);
  oneOf("boundary", boundary, ["joint", "separate"]);
  if (maxTokens !== null && !(Number.isInteger(maxTokens) && maxTokens >= 2))
    throw new CalibrantError("option", `maxTokens must be a whole number from 2, got ${maxTokens}`);
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new CalibrantError("option", `maxRetries must be a whole number from 0, got ${maxRetries}`);
}

function oneOf(name: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  throw new CalibrantError("option", `${name} must be one of ${known.join(", ")}, got ${value}`);
}

/** The endpoints beside OpenAI's are not below `/v1`. */
function openClient(options: PromptScorerOptions): JsonClient {
  const { apiKey = null, apiKeyName = "apiKey", timeoutSeconds = 120, maxRetries = 6, retryDelays } = options;
  const { now, random, model = null } = options;
  const baseUrl = checkedBaseUrl(options.url, createSecret(apiKey, apiKeyName).hideIn).replace(/\/v1$/, "");
  return createJsonClient({
    baseUrl,
    model,
    apiKey,
    apiKeyName,
    timeoutSeconds,
    maxRetries,
    ...(retryDelays !== undefined && { retryDelays }),
    now,
    random,
    known: knownServerFailure,
  });
}

function servedModel(wanted: string | undefined, models: readonly string[], url: string): string {
  const [only, second] = models;
  if (wanted === undefined && only !== undefined && second === undefined) return only;
  if (wanted !== undefined && (models.length === 0 || models.includes(wanted))) return wanted;
  const has = models.length === 0 ? "it does not say which it has" : `it has ${models.join(", ")}`;
  const what = wanted === undefined ? "say which model is to be asked" : `there is no model ${wanted}`;
  throw new CalibrantError("option", `${url}: ${what}: ${has}`, { models });
}

function openDialect(
  kind: FoundServer["kind"],
  options: DialectOptions,
  signal: AbortSignal,
): ServerDialect | Promise<ServerDialect> {
  if (kind === "vllm") return vllmDialect(options);
  return kind === "sglang" ? sglangDialect(options, signal) : llamaCppDialect(options, signal);
}
