import { CalibrantError } from "../../../errors.ts";
import { readTokens, type ServerDialect } from "./server-dialect.ts";
import { type DialectOptions, vllmDialect } from "./vllm-dialect.ts";

/**
 * llama.cpp's server, should it give log-probs of a given text as vLLM does: it is asked once.
 *
 * @throws CalibrantError `io` for all that do not: they give log-probs of the tokens that they generate only.
 */
export async function llamaCppDialect(options: DialectOptions, signal: AbortSignal): Promise<ServerDialect> {
  const { client } = options;
  const tokenizeText: ServerDialect["tokenizeText"] = (content, special, stops) =>
    client.post("/tokenize", { content, add_special: special }, readTokens, stops.signal, stops.softStop);
  const dialect: ServerDialect = {
    tokenizeText,
    async tokenizeChat() {
      throw new CalibrantError(
        "option",
        "the chat template of llama.cpp's server is not asked for: give prompts as texts or token ids",
      );
    },
    score: vllmDialect(options).score,
  };
  try {
    await dialect.score(await tokenizeText("one two three", true, { signal }), 1, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new CalibrantError(
      "io",
      `${client.baseUrl} is llama.cpp's server, which gives log-probs of the tokens that it generates only, not of a given text: serve the model with vLLM or SGLang`,
      { url: client.baseUrl },
      { cause: error },
    );
  }
  return dialect;
}
