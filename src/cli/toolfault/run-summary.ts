import type { FileCounts } from "./run-file-tally.ts";
import type { RunSettings } from "./run-result.ts";
import type { RunCounts } from "./run-tally.ts";

/** The summary of a run, as `--json` prints it. */
export interface RunSummary extends RunCounts, FileCounts, Omit<RunSettings, "logprobs"> {
  /** The items chosen from the dataset. */
  readonly items: number;
  /** Of those, items whose answer the results file held already. */
  readonly answeredBefore: number;
  /** Of those, items without answer after this run. */
  readonly unanswered: number;
  /** Of this run. */
  readonly seconds: number;
}

type Row = readonly [name: string, value: string];

/** The summary as a small table for people: the items, what the whole results file holds, and what this run did. */
export function renderRunSummary(summary: RunSummary): string {
  const rows: Row[] = [
    ["model", summary.requestedModel],
    ["items", count(summary.items)],
    ["answered before", count(summary.answeredBefore)],
    ["in the results file", ""],
    ["  answers", count(summary.answersInFile)],
    ["  unparsed", count(summary.unparsed)],
    ["  truncated", count(summary.truncated)],
    ...optional("  without log-probs", summary.withoutLogprobs),
    ...optional("  labels without log-probs", summary.withoutLabelLogprobs),
    ["this run", ""],
    ["  asked", count(summary.asked)],
    ["  answered", count(summary.answeredNow)],
    ["  failed", failedWords(summary.failed)],
    ["  prompt tokens", tokens(summary.promptTokens)],
    ["  completion tokens", tokens(summary.completionTokens)],
    ...optional("  without token counts", summary.withoutUsage),
    ...(summary.cost === null ? [] : [["  cost", summary.cost.toFixed(4)] as const]),
    ["  seconds", summary.seconds.toFixed(1)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${`${name.padEnd(width)}  ${value}`.trimEnd()}\n`).join("");
}

/** What to do about answers that were cut off; null without any. */
export function truncatedAdvice(truncated: number, path: string): string | null {
  if (truncated === 0) return null;
  const [what, whose] =
    truncated === 1 ? ["1 answer was", "its line"] : [`${count(truncated)} answers were`, "their lines"];
  const again = truncated === 1 ? "it" : "them";
  return `${what} cut at --max-tokens: remove ${whose} from ${path} to ask ${again} again with more`;
}

/** Reasons with their counts: `HTTP 500 3, timeout 1`; `none` without any. */
export function failedWords(failed: Readonly<Record<string, number>>): string {
  const words = Object.entries(failed).map(([reason, n]) => `${reason} ${count(n)}`);
  return words.join(", ") || "none";
}

function optional(name: string, value: number | null): Row[] {
  return value === null || value === 0 ? [] : [[name, count(value)]];
}

function tokens(value: number | null): string {
  return value === null ? "unknown" : count(value);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
