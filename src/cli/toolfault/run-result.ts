import type { ChatAnswer } from "../../inference/chat-answer.ts";
import { labelLogprobs } from "../../metrics/toolfault/label-logprobs.ts";
import type { FaultType, NextAction } from "../../metrics/toolfault/labels.ts";
import { parseToolFaultAnswer } from "../../metrics/toolfault/parse-answer.ts";

/** What all results of a run share. */
export interface RunSettings {
  readonly requestedModel: string;
  readonly promptVersion: string;
  readonly promptHash: string;
  readonly temperature: number;
  readonly maxTokens: number;
  /** Null when none was sent. */
  readonly seed: number | null;
  readonly jsonObject: boolean;
  /** Further fields of the request, which win over those above. */
  readonly extraBody: Readonly<Record<string, unknown>> | null;
  /** Whether results hold log-probs. */
  readonly logprobs: boolean;
}

/** One line of a results file. */
export interface RunResult {
  readonly id: string;
  /** Null where the answer cannot be read. */
  readonly fault_type: FaultType | null;
  readonly next_action: NextAction | null;
  readonly status: "ok" | "unparsed";
  /** The model's text. */
  readonly output: string;
  readonly finish_reason: string | null;
  /** As the server names it. */
  readonly model: string | null;
  readonly requested_model: string;
  readonly prompt_version: string;
  readonly prompt_hash: string;
  readonly temperature: number;
  readonly max_tokens: number;
  readonly seed: number | null;
  readonly json_object: boolean;
  readonly extra_body: Readonly<Record<string, unknown>> | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /** One a token, in nats; null where the server gave none. */
  readonly logprobs?: readonly number[] | null;
  /** Sums over the tokens of a label, and how many these are; null where they cannot be found. */
  readonly fault_logprob?: number | null;
  readonly fault_tokens?: number | null;
  readonly action_logprob?: number | null;
  readonly action_tokens?: number | null;
}

/** The result of an item. Its id is the item's: what the model or the server call the answer does not count. */
export function runResult(id: string, answer: ChatAnswer, settings: RunSettings): RunResult {
  const labels = parseToolFaultAnswer(answer.text);
  return {
    id,
    fault_type: labels?.fault_type ?? null,
    next_action: labels?.next_action ?? null,
    status: labels === null ? "unparsed" : "ok",
    output: answer.text,
    finish_reason: answer.finishReason,
    model: answer.model,
    requested_model: settings.requestedModel,
    prompt_version: settings.promptVersion,
    prompt_hash: settings.promptHash,
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    seed: settings.seed,
    json_object: settings.jsonObject,
    extra_body: settings.extraBody,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    ...(settings.logprobs && logprobFields(answer)),
  };
}

type LogprobFields = Pick<
  RunResult,
  "logprobs" | "fault_logprob" | "fault_tokens" | "action_logprob" | "action_tokens"
>;

function logprobFields({ text, tokens }: ChatAnswer): LogprobFields {
  const labels = tokens === null ? null : labelLogprobs(text, tokens);
  return {
    logprobs: tokens?.map(({ logprob }) => logprob) ?? null,
    fault_logprob: labels?.fault ?? null,
    fault_tokens: labels?.faultTokens ?? null,
    action_logprob: labels?.action ?? null,
    action_tokens: labels?.actionTokens ?? null,
  };
}
