import { CalibrantError } from "../errors.ts";

/** One token of an answer. */
export interface AnswerToken {
  readonly token: string;
  /** Natural logarithm of its probability. */
  readonly logprob: number;
  /** Its UTF-8 bytes; null where the server does not give them. */
  readonly bytes: readonly number[] | null;
}

/** What a model answered. Null where the server does not say. */
export interface ChatAnswer {
  /** The answer; empty where the model gave none. */
  readonly text: string;
  /** The thoughts of a reasoning model, where the server gives them apart from the answer. */
  readonly reasoning: string | null;
  /** `stop`, `length` when it was cut off, `content_filter`, … */
  readonly finishReason: string | null;
  /** The model as the server names it. */
  readonly model: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** How many of the completion tokens were thoughts. */
  readonly reasoningTokens: number | null;
  /** The tokens of the answer, in order, when log-probs were asked for and given. */
  readonly tokens: readonly AnswerToken[] | null;
}

/** Reads the body of a response with status 200. @throws CalibrantError `data` when it holds no answer. */
export type ReadAnswer = (body: string) => ChatAnswer;

/**
 * Makes the reader of chat completions. What carries the answer must be there: an object with at least one choice that has a
 * message. Everything else may be absent or of another type, which counts as absent.
 */
export async function chatAnswerReader(): Promise<ReadAnswer> {
  const { z } = await import("zod");
  const text = z.string().nullable().default(null).catch(null);
  const count = z.number().int().min(0).nullable().default(null).catch(null);
  const token = z.object({
    token: z.string(),
    logprob: z.number(),
    bytes: z.array(z.number().int()).nullable().default(null).catch(null),
  });
  const logprobs = z
    .object({ content: z.array(token).nullable() })
    .nullable()
    .default(null)
    .catch(null);
  const message = z.object({ content: z.string().nullish(), reasoning_content: text, reasoning: text });
  const choice = z.object({ message, finish_reason: text, logprobs });
  const details = z.object({ reasoning_tokens: count }).nullable().default(null).catch(null);
  const usage = z
    .object({ prompt_tokens: count, completion_tokens: count, completion_tokens_details: details })
    .nullable()
    .default(null)
    .catch(null);
  const schema = z.object({ choices: z.tuple([choice], z.unknown()), model: text, usage });
  return (body) => {
    const json = parsedJson(body);
    const { success, data, error } = schema.safeParse(json);
    if (!success) throw broken(serverError(json) ?? firstIssue(error));
    const [first] = data.choices;
    return {
      text: first.message.content ?? "",
      reasoning: first.message.reasoning_content ?? first.message.reasoning,
      finishReason: first.finish_reason,
      model: data.model,
      promptTokens: data.usage?.prompt_tokens ?? null,
      completionTokens: data.usage?.completion_tokens ?? null,
      reasoningTokens: data.usage?.completion_tokens_details?.reasoning_tokens ?? null,
      tokens: first.logprobs?.content ?? null,
    };
  };
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw broken(body.trim() === "" ? "it is empty" : `it is no JSON: ${body.slice(0, 80)}`);
  }
}

/** Some gateways report a failure of the model behind them as `{"error": {"message"}}` with status 200. */
function serverError(json: unknown): string | null {
  const error = (json as { error?: { message?: unknown } | null } | null)?.error;
  return typeof error?.message === "string" ? error.message : null;
}

function firstIssue(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  const [issue] = error.issues;
  return `${issue?.path.join(".") || "the body"}: ${issue?.message ?? "not a chat completion"}`;
}

function broken(what: string): CalibrantError {
  return new CalibrantError("data", what);
}
