import type { RunSettings } from "./run-result.ts";
import type { RunCounts } from "./run-tally.ts";

/** The summary of a run, as `--json` prints it. */
export interface RunSummary extends RunCounts, Omit<RunSettings, "logprobs"> {
  /** The items chosen from the dataset. */
  readonly items: number;
  /** Of those, items whose answer the results file held already. */
  readonly answeredBefore: number;
  /** Of those, items without answer after this run. */
  readonly unanswered: number;
  readonly seconds: number;
}

/** The summary as a small table for people. */
export function renderRunSummary(summary: RunSummary): string {
  const rows: (readonly [string, string])[] = [
    ["model", summary.requestedModel],
    ["items", count(summary.items)],
    ["answered before", count(summary.answeredBefore)],
    ["asked", count(summary.asked)],
    ["answered now", count(summary.answeredNow)],
    ["unparsed", count(summary.unparsed)],
    ["truncated", count(summary.truncated)],
    ...optional("without log-probs", summary.withoutLogprobs),
    ["failed", failedWords(summary.failed)],
    ["prompt tokens", tokens(summary.promptTokens)],
    ["completion tokens", tokens(summary.completionTokens)],
    ...optional("without token counts", summary.withoutUsage),
    ...(summary.cost === null ? [] : [["cost", summary.cost.toFixed(4)] as const]),
    ["seconds", summary.seconds.toFixed(1)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
}

/** Reasons with their counts: `HTTP 500 3, timeout 1`; `none` without any. */
export function failedWords(failed: Readonly<Record<string, number>>): string {
  const words = Object.entries(failed).map(([reason, n]) => `${reason} ${count(n)}`);
  return words.join(", ") || "none";
}

function optional(name: string, value: number | null): (readonly [string, string])[] {
  return value === null || value === 0 ? [] : [[name, count(value)]];
}

function tokens(value: number | null): string {
  return value === null ? "unknown" : count(value);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
