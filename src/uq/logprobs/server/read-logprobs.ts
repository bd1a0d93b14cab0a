import { CalibrantError } from "../../../errors.ts";
import { POSITIVE_TOLERANCE } from "../../token-sum.ts";
import { rowFailure } from "./row-failure.ts";
import { fieldsOf } from "./server-dialect.ts";

/**
 * Log-probs of `ids[from]` and all behind it in vLLM's answer to `/v1/completions` with `prompt_logprobs`: `choices[0].prompt_logprobs`
 * holds for each token of the prompt (null for the first) an object by token id. It may hold more ids than the one that is there, and
 * JavaScript sorts such keys: only the key of the token itself tells.
 *
 * A stand-in for −∞ (−9999) stays as it is, for {@link perplexity} to know; a log-prob that is null stays null.
 *
 * @throws CalibrantError `io` (see `rowFailure`) for an answer of other tokens, of another length, or without log-probs; `data` for one
 *   that is broken.
 */
export function readPromptLogprobs(json: unknown, ids: readonly number[], from: number): (number | null)[] {
  const choice = firstChoice(json);
  checkSame(choice.prompt_token_ids ?? ids, ids);
  const list = choice.prompt_logprobs;
  if (!Array.isArray(list))
    throw rowFailure(
      "no prompt log-probs",
      "the answer has no prompt_logprobs: the server gives no log-probs of a given text",
    );
  checkLength(list.length, ids.length);
  return ids.slice(from).map((id, at) => {
    const position = from + at;
    const entry: unknown = list[position];
    if (entry === null) return null;
    const byId = fieldsOf(entry);
    if (byId === null) throw new CalibrantError("data", `prompt_logprobs[${position}] is no object`);
    if (!Object.hasOwn(byId, String(id)))
      throw rowFailure(
        "wrong tokens",
        `prompt_logprobs[${position}] is not of token ${id} but of ${Object.keys(byId).join(", ")}`,
      );
    return logprob(fieldsOf(byId[String(id)])?.logprob, position);
  });
}

/** Of one prompt there is one choice, with index 0. */
function firstChoice(json: unknown): Readonly<Record<string, unknown>> {
  const choices = fieldsOf(json)?.choices;
  const list = Array.isArray(choices) ? choices.map(fieldsOf) : [];
  const choice = list.find((entry) => entry?.index === 0) ?? list[0];
  if (choice === undefined || choice === null) throw new CalibrantError("data", "it has no choices");
  return choice;
}

/**
 * The same in SGLang's answer to `/generate` with `return_logprob` and `logprob_start_len` = `from` − 1:
 * `meta_info.input_token_logprobs` holds `[log-prob, token id, text]` from there on. The first entry, of the token before, has
 * always null. A server that gives all tokens from the first on is understood as well.
 *
 * @throws CalibrantError as {@link readPromptLogprobs}.
 */
export function readInputLogprobs(json: unknown, ids: readonly number[], from: number): (number | null)[] {
  const meta = fieldsOf(fieldsOf(json)?.meta_info);
  const list = meta?.input_token_logprobs;
  checkNotAborted(meta);
  if (!Array.isArray(list))
    throw rowFailure(
      "no prompt log-probs",
      "the answer has no input_token_logprobs: the server gives no log-probs of a given text",
    );
  const entries = list.map((entry: unknown, at): readonly unknown[] => {
    if (Array.isArray(entry) && entry.length >= 2) return entry;
    throw new CalibrantError("data", `input_token_logprobs[${at}] is no [log-prob, token id, …]`);
  });
  const start = entries.length === ids.length ? 0 : from - 1;
  checkLength(entries.length, ids.length - start);
  checkSame(
    entries.map(([, id]) => id),
    ids.slice(start),
  );
  return entries
    .slice(from - start)
    .map(([value], at) => (value === null ? null : logprob(value, from + at)));
}

function checkNotAborted(meta: Readonly<Record<string, unknown>> | null): void {
  const reason = fieldsOf(meta?.finish_reason);
  if (reason?.type !== "abort") return;
  throw new CalibrantError(
    "data",
    `the server aborted the question: ${String(reason.message ?? "no words")}`,
  );
}

function logprob(value: unknown, position: number): number | null {
  if (value === null) return null;
  if (typeof value !== "number")
    throw new CalibrantError("data", `the log-prob of token ${position} is no number`);
  if (value <= POSITIVE_TOLERANCE) return value;
  throw rowFailure(
    "not log-probs",
    `token ${position} has ${value}, and no log-prob is above 0: is the server set to logits (vLLM: --logprobs-mode)?`,
  );
}

function checkLength(found: number, expected: number): void {
  if (found === expected) return;
  throw rowFailure("wrong length", `the answer is of ${found} tokens, asked were ${expected}`);
}

/** Log-probs of other tokens, or of the same ones shifted, must never pass for those that were asked for. */
function checkSame(found: unknown, ids: readonly number[]): void {
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  checkLength(list.length, ids.length);
  const at = ids.findIndex((id, index) => list[index] !== id);
  if (at < 0) return;
  throw rowFailure("wrong tokens", `the answer has token ${String(list[at])} where ${ids[at]} was asked`);
}
