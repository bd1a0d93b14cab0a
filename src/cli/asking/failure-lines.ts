import { chatErrorDetails } from "../../inference/chat-error.ts";
import type { FailureGroup } from "./run-tally.ts";

const LISTED = 5;

/**
 * What failed, a line for each reason: `no answer (timeout): a, b, and 7 more: no answer in 120 s`.
 *
 * @param what - what is missing: `no answer`.
 * @param stopped - what ended the run early and is told as its error, so its words are left out here; else null.
 */
export function failureLines(what: string, failures: readonly FailureGroup[], stopped: unknown): string[] {
  const told = chatErrorDetails(stopped)?.reason;
  return failures.map(({ reason, ids, message }) => {
    const more = ids.length > LISTED ? `, and ${ids.length - LISTED} more` : "";
    const words = reason === told ? "" : `: ${message}`;
    return `${what} (${reason}): ${ids.slice(0, LISTED).join(", ")}${more}${words}`;
  });
}

/** Reasons with their counts: `HTTP 500 3, timeout 1`; `none` without any. */
export function failedWords(failed: Readonly<Record<string, number>>): string {
  const words = Object.entries(failed).map(([reason, n]) => `${reason} ${n.toLocaleString("en-US")}`);
  return words.join(", ") || "none";
}
