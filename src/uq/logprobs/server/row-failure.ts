import type { CalibrantError } from "../../../errors.ts";
import { chatError, chatErrorDetails } from "../../../inference/chat-error.ts";
import type { KnownFailure } from "../../../inference/json-client.ts";

/** Failures of one text: the server works, and others may well have log-probs. */
export const ROW_REASONS = ["too long", "NaN log-probs", "bad token ids", "prompt without tokens"] as const;

/** Why one text has no log-probs although the server works. */
export type RowReason = (typeof ROW_REASONS)[number];

/** The error of a text that has no log-probs; asking again would not help. */
export function rowFailure(
  reason: RowReason | "no prompt log-probs" | "wrong tokens" | "wrong length" | "not log-probs",
  message: string,
): CalibrantError {
  return chatError(message, { reason, fatal: false, attempts: 1 });
}

/**
 * Why a text has no log-probs, when that says nothing of other texts: `too long` (of the server's words, or more tokens than allowed),
 * `NaN log-probs` (the model gives them), `bad token ids`, `prompt without tokens`; null for any other error.
 */
export function rowReasonOf(error: unknown): RowReason | null {
  const reason = chatErrorDetails(error)?.reason;
  return ROW_REASONS.find((known) => known === reason) ?? null;
}

const TOO_LONG =
  /context[ _](length|window)|max(imum)?[ _](model|context|input|sequence|total)[ _a-z]*len|longer than|too long|exceeds? the (maximum|model)/i;

/** What vLLM and SGLang say of a text that they cannot take: see {@link rowReasonOf}. */
export function knownServerFailure(status: number, words: string): KnownFailure | null {
  // Python's JSON writer refuses NaN; vLLM and SGLang then fail with 500, every time.
  if (/out of range float/i.test(words)) return { reason: "NaN log-probs", retry: false, fatal: false };
  const isLong = status === 413 || ((status === 400 || status === 422) && TOO_LONG.test(words));
  return isLong ? { reason: "too long", retry: false, fatal: false } : null;
}
