import { CalibrantError } from "../../../errors.ts";

/** What ends asking: see `JsonClient.post`. */
export interface Stops {
  readonly signal: AbortSignal;
  readonly softStop?: AbortSignal | undefined;
}

/** A conversation that the server's chat template makes a prompt of. */
export interface ChatPrompt {
  /** In OpenAI's chat format. */
  readonly messages: readonly unknown[];
  /** Tools that the template shows, as OpenAI describes them; null = none. */
  readonly tools: unknown;
}

/** How one kind of server is asked. */
export interface ServerDialect {
  /** Token ids of a text. @param special - whether what the tokeniser puts around a whole text (BOS) is wanted. */
  tokenizeText(text: string, special: boolean, stops: Stops): Promise<readonly number[]>;
  /** Token ids of a conversation up to where the answer begins. */
  tokenizeChat(chat: ChatPrompt, stops: Stops): Promise<readonly number[]>;
  /**
   * Log-probs of `ids[from]` and all behind it, each given what is before it; null where the server has none.
   *
   * @param from - at least 1: nothing is before the first token.
   */
  score(ids: readonly number[], from: number, stops: Stops): Promise<(number | null)[]>;
}

/** The answer of `/tokenize`: `{"tokens": [1, 2], …}`. @throws CalibrantError `data` for anything else. */
export function readTokens(json: unknown): readonly number[] {
  const tokens = fieldsOf(json)?.tokens;
  if (Array.isArray(tokens) && tokens.every(isTokenId)) return tokens as number[];
  throw new CalibrantError("data", "it holds no list of token ids (tokens)");
}

/** Whether a value can be a token id. */
export function isTokenId(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}

/** The fields of a JSON object; null for any other value. */
export function fieldsOf(json: unknown): Readonly<Record<string, unknown>> | null {
  return json !== null && typeof json === "object" && !Array.isArray(json)
    ? (json as Readonly<Record<string, unknown>>)
    : null;
}
