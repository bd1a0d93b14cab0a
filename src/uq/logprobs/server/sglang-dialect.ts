import type { CalibrantError } from "../../../errors.ts";
import { chatError, chatErrorDetails } from "../../../inference/chat-error.ts";
import { readInputLogprobs } from "./read-logprobs.ts";
import { readTokens, type ServerDialect, type Stops } from "./server-dialect.ts";
import type { DialectOptions } from "./vllm-dialect.ts";

/**
 * SGLang: `/tokenize`, and `/generate` with `return_logprob` from the token before the first wanted one on, which leaves what is before
 * it to the server's cache.
 *
 * Newer servers ignore `add_special_tokens: false`: what the tokens of two texts that share no letter have in common at their ends is
 * what the tokeniser puts around a text, and is taken off.
 *
 * A server without `/tokenize` is told when the first text needs it.
 */
export function sglangDialect(options: DialectOptions, signal: AbortSignal): ServerDialect {
  const { client, model, chatTemplateKwargs } = options;
  const tokenize = (body: Readonly<Record<string, unknown>>, stops: Stops): Promise<readonly number[]> =>
    client
      .post("/tokenize", { model, ...body }, readTokens, stops.signal, stops.softStop)
      .catch((error: unknown) => {
        throw chatErrorDetails(error)?.reason === "HTTP 404" ? withoutTokenize(client.baseUrl) : error;
      });
  const plain = (prompt: string, special: boolean, stops: Stops): Promise<readonly number[]> =>
    tokenize({ prompt, add_special_tokens: special }, stops);
  // Rows that are token ids already need no tokeniser.
  let measured: Promise<Around> | null = null;
  const around = (): Promise<Around> => {
    measured ??= addedAround((text) => plain(text, false, { signal })).catch((error: unknown) => {
      measured = null;
      throw error;
    });
    return measured;
  };
  return {
    async tokenizeText(text, special, stops) {
      const { before, after } = await around();
      const ids = await plain(text, special, stops);
      return special ? ids : ids.slice(before, ids.length - after);
    },
    tokenizeChat: ({ messages, tools }, stops) =>
      tokenize(
        {
          messages,
          ...(tools !== null && { tools }),
          ...(chatTemplateKwargs !== null && { chat_template_kwargs: chatTemplateKwargs }),
        },
        stops,
      ).catch((error: unknown) => {
        throw isAboutPrompt(error) ? withoutChat(client.baseUrl) : error;
      }),
    score: (ids, from, stops) =>
      client.post(
        "/generate",
        {
          input_ids: ids,
          sampling_params: { temperature: 0, max_new_tokens: 0 },
          return_logprob: true,
          logprob_start_len: from - 1,
          top_logprobs_num: 0,
          return_text_in_logprobs: false,
        },
        (json) => readInputLogprobs(json, ids, from),
        stops.signal,
        stops.softStop,
      ),
  };
}

/** How many tokens are put before and behind every text. */
interface Around {
  readonly before: number;
  readonly after: number;
}

async function addedAround(tokensOf: (text: string) => Promise<readonly number[]>): Promise<Around> {
  const [one, other] = await Promise.all([tokensOf("a"), tokensOf("b")]);
  const most = Math.min(one.length, other.length);
  let before = 0;
  while (before < most && one[before] === other[before]) before++;
  let after = 0;
  while (after < most - before && one.at(-1 - after) === other.at(-1 - after)) after++;
  return { before, after };
}

/** Older servers want a prompt and know no messages. */
function isAboutPrompt(error: unknown): boolean {
  const status = /^HTTP (400|422)$/.test(chatErrorDetails(error)?.reason ?? "");
  return (
    status && /\bprompt\b.*(required|missing)|(required|missing).*\bprompt\b/i.test((error as Error).message)
  );
}

function withoutTokenize(url: string): CalibrantError {
  const message = `${url}: this SGLang has no /tokenize, which newer ones have: update it, or give the texts as token ids`;
  return chatError(message, { reason: "no /tokenize", fatal: true, attempts: 1 });
}

function withoutChat(url: string): CalibrantError {
  const message = `${url}: the /tokenize of this SGLang takes no messages, which that of newer ones does: update it, or give prompts as texts or token ids`;
  return chatError(message, { reason: "no chat template", fatal: true, attempts: 1 });
}
