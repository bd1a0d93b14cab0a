import { failedWords } from "../asking/failure-lines.ts";
import type { RunCounts } from "../asking/run-tally.ts";
import { optionalRow, renderRows, spendingRows } from "../asking/summary-rows.ts";
import type { FileCounts } from "./run-file-tally.ts";
import type { RunSettings } from "./run-result.ts";

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

/** The summary as a small table for people: the items, what the whole results file holds, and what this run did. */
export function renderRunSummary(summary: RunSummary): string {
  return renderRows([
    ["model", summary.requestedModel],
    ["items", count(summary.items)],
    ["answered before", count(summary.answeredBefore)],
    ["in the results file", ""],
    ["  answers", count(summary.answersInFile)],
    ["  unparsed", count(summary.unparsed)],
    ["  truncated", count(summary.truncated)],
    ...optionalRow("  without log-probs", summary.withoutLogprobs),
    ...optionalRow("  labels without log-probs", summary.withoutLabelLogprobs),
    ["this run", ""],
    ["  asked", count(summary.asked)],
    ["  answered", count(summary.answeredNow)],
    ["  failed", failedWords(summary.failed)],
    ...spendingRows(summary),
    ["  seconds", summary.seconds.toFixed(1)],
  ]);
}

/** What to do about answers that were cut off; null without any. */
export function truncatedAdvice(truncated: number, path: string): string | null {
  if (truncated === 0) return null;
  const [what, whose] =
    truncated === 1 ? ["1 answer was", "its line"] : [`${count(truncated)} answers were`, "their lines"];
  const again = truncated === 1 ? "it" : "them";
  return `${what} cut at --max-tokens: remove ${whose} from ${path} to ask ${again} again with more`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
