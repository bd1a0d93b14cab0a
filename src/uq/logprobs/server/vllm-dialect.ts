import type { JsonClient } from "../../../inference/json-client.ts";
import { readPromptLogprobs } from "./read-logprobs.ts";
import { readTokens, type ServerDialect } from "./server-dialect.ts";

/** How a server of one model is asked. */
export interface DialectOptions {
  readonly client: JsonClient;
  readonly model: string;
  /** Arguments of the chat template; null = none. */
  readonly chatTemplateKwargs: Readonly<Record<string, unknown>> | null;
}

/**
 * vLLM: `/tokenize`, and `/v1/completions` with the token ids as the prompt and `prompt_logprobs: 0`, which gives the log-prob of each
 * token itself and no others. One token is generated, because none cannot be asked for.
 */
export function vllmDialect({ client, model, chatTemplateKwargs }: DialectOptions): ServerDialect {
  return {
    tokenizeText: (prompt, special, { signal, softStop }) =>
      client.post("/tokenize", { model, prompt, add_special_tokens: special }, readTokens, signal, softStop),
    tokenizeChat: ({ messages, tools }, { signal, softStop }) =>
      client.post(
        "/tokenize",
        {
          model,
          messages,
          add_generation_prompt: true,
          ...(tools !== null && { tools }),
          ...(chatTemplateKwargs !== null && { chat_template_kwargs: chatTemplateKwargs }),
        },
        readTokens,
        signal,
        softStop,
      ),
    score: (ids, from, { signal, softStop }) =>
      client.post(
        "/v1/completions",
        {
          model,
          prompt: ids,
          max_tokens: 1,
          temperature: 0,
          prompt_logprobs: 0,
          return_token_ids: true,
          add_special_tokens: false,
        },
        (json) => readPromptLogprobs(json, ids, from),
        signal,
        softStop,
      ),
  };
}
