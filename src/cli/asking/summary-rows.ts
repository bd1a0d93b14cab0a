import type { RunCounts } from "./run-tally.ts";

/** A line of a summary. */
export type SummaryRow = readonly [name: string, value: string];

/** A summary as a small table for people. */
export function renderRows(rows: readonly SummaryRow[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${`${name.padEnd(width)}  ${value}`.trimEnd()}\n`).join("");
}

/** A row for a count that is worth a line only when there is one. */
export function optionalRow(name: string, value: number | null): SummaryRow[] {
  return value === null || value === 0 ? [] : [[name, value.toLocaleString("en-US")]];
}

/** Tokens and cost of a run. */
export function spendingRows(
  spent: Pick<RunCounts, "promptTokens" | "completionTokens" | "withoutUsage" | "cost">,
): SummaryRow[] {
  return [
    ["  prompt tokens", tokens(spent.promptTokens)],
    ["  completion tokens", tokens(spent.completionTokens)],
    ...optionalRow("  without token counts", spent.withoutUsage),
    ...(spent.cost === null ? [] : [["  cost", spent.cost.toFixed(4)] as const]),
  ];
}

function tokens(value: number | null): string {
  return value === null ? "unknown" : value.toLocaleString("en-US");
}
