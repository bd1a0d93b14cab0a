import { renderSummary, type TimedSummary } from "./render-summary.ts";
import type { ScoreOptions } from "./score-options.ts";

/** Prints a summary: as JSON on standard output, or as a table on standard error. */
export function printSummary(summary: TimedSummary, { json, output, quiet }: ScoreOptions): void {
  if (json) {
    const text = `${JSON.stringify(summary, exactNumber, 2)}\n`;
    (output === "-" ? process.stderr : process.stdout).write(text);
  } else if (!quiet) process.stderr.write(renderSummary(summary));
}

/** For `JSON.stringify`: JSON has no infinities, our JSON writes them as strings. */
export function exactNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
