import { wireMessages } from "../../../data/adapters/wire-messages.ts";
import { rowFailure } from "./row-failure.ts";
import { isTokenId, type ServerDialect, type Stops } from "./server-dialect.ts";

/** What comes before a response: token ids, else a conversation, else a text. */
export interface PromptParts {
  /** The very tokens that the model saw; used as they are. */
  readonly promptTokenIds?: ArrayLike<number> | null;
  /** In OpenAI's chat format: the server's chat template makes the prompt of it. Assistant messages at its end are no part of it. */
  readonly messages?: readonly unknown[] | null;
  /** Tools that the chat template shows, as OpenAI describes them; anything but a list counts as none. */
  readonly tools?: unknown;
  /** A text that is the whole prompt. */
  readonly prompt?: string | null;
}

/** A prompt and a response to it. */
export interface TextToScore extends PromptParts {
  /** The very tokens that the model made; used as they are. */
  readonly responseTokenIds?: ArrayLike<number> | null;
  readonly response?: string | null;
}

/**
 * Where the tokens of a response come from: `given`; `joint`, what follows the prompt's tokens in those of the whole text; `separate`,
 * the tokens of the response alone.
 */
export type Boundary = "given" | "joint" | "separate";

/** Prompt and response as token ids. */
export interface SequenceIds {
  readonly prompt: readonly number[];
  readonly response: readonly number[];
  readonly boundary: Boundary;
}

/** How texts become tokens. */
export interface TokenisingOptions {
  /** False tokenises every response alone. */
  readonly joint: boolean;
  /** Whether a prompt text gets what the tokeniser puts before a text (BOS). */
  readonly special: boolean;
}

/**
 * The token ids of a prompt and of the response that follows it. The response begins where the prompt's tokens end: a model that
 * generated it token by token had exactly those before it.
 *
 * Of a prompt and a response in texts the whole text is tokenised; if its tokens begin with those of the prompt, the others are the
 * response's, as they are in this place. If they do not, the tokeniser merged across the boundary, which no model that generates does:
 * then, and wherever the prompt is no text, the response is tokenised alone.
 *
 * @throws CalibrantError `io` with the reason `bad token ids` or `prompt without tokens`; as the dialect.
 */
export async function sequenceIds(
  text: TextToScore,
  dialect: ServerDialect,
  { joint, special }: TokenisingOptions,
  stops: Stops,
): Promise<SequenceIds> {
  const { prompt, response = "" } = text;
  const isText = text.promptTokenIds == null && text.messages == null;
  const whole = isText && joint && text.responseTokenIds == null;
  const [promptIds, wholeIds] = await Promise.all([
    promptTokens(text, dialect, special, stops),
    whole ? dialect.tokenizeText(`${prompt ?? ""}${response ?? ""}`, special, stops) : null,
  ]);
  if (promptIds.length === 0)
    throw rowFailure(
      "prompt without tokens",
      "the prompt has no tokens, so the first token has nothing before it",
    );
  if (text.responseTokenIds != null)
    return { prompt: promptIds, response: checkedIds(text.responseTokenIds, "response"), boundary: "given" };
  if (
    wholeIds !== null &&
    wholeIds.length > promptIds.length &&
    promptIds.every((id, at) => wholeIds[at] === id)
  )
    return { prompt: promptIds, response: wholeIds.slice(promptIds.length), boundary: "joint" };
  const alone = await dialect.tokenizeText(response ?? "", false, stops);
  return { prompt: promptIds, response: alone, boundary: "separate" };
}

function promptTokens(
  { promptTokenIds, messages, tools, prompt }: PromptParts,
  dialect: ServerDialect,
  special: boolean,
  stops: Stops,
): Promise<readonly number[]> | readonly number[] {
  if (promptTokenIds != null) return checkedIds(promptTokenIds, "prompt");
  if (messages != null) {
    const wire = withoutAnswer(wireMessages(messages));
    const shown = Array.isArray(tools) && tools.length > 0 ? tools : null;
    return dialect.tokenizeChat({ messages: wire, tools: shown }, stops);
  }
  return dialect.tokenizeText(prompt ?? "", special, stops);
}

/** Rows often hold the whole conversation, the response in it. */
function withoutAnswer<T extends { readonly role: string }>(messages: readonly T[]): readonly T[] {
  return messages.slice(0, messages.findLastIndex(({ role }) => role !== "assistant") + 1);
}

function checkedIds(ids: ArrayLike<number>, of: string): readonly number[] {
  const list = Array.from(ids);
  const wrong = list.findIndex((id) => !isTokenId(id));
  if (wrong < 0) return list;
  throw rowFailure("bad token ids", `token ${wrong} of the ${of} is no token id: ${list[wrong]}`);
}
