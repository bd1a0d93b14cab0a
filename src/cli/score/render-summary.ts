import type { RewardPlan } from "../../rewards/reward-plan.ts";
import type { PartSummary, ScoreSummary } from "./score-summary.ts";

/** A summary with what was asked for and how long it took. */
export interface TimedSummary extends ScoreSummary {
  readonly rewards: readonly string[];
  readonly choices: RewardPlan["choices"];
  readonly seed: number;
  readonly seconds: number;
}

/** The summary as a small table for people. */
export function renderSummary(summary: TimedSummary): string {
  const rate = summary.rows / Math.max(summary.seconds, 1e-3);
  const lines = [
    `${count(summary.rows)} rows, ${count(summary.groups)} groups, ${count(Math.round(rate))} rows/s`,
    `reward: ${summary.rewards.join(", ")}`,
    ...Object.entries(summary.choices).map(([part, choices]) => `${part}: ${choiceWords(choices)}`),
    ...Object.entries(summary.status).map(([column, counts]) => `${column}: ${words(counts)}`),
    ...(Object.keys(summary.nonFinite).length > 0
      ? [`bare NaN/Infinity in the input: ${words(summary.nonFinite)}`]
      : []),
    "",
    ...partTable(summary),
  ];
  if (summary.quartileRows < summary.rows) {
    lines.push(`quartiles from a random sample of ${count(summary.quartileRows)} rows, seed ${summary.seed}`);
  }
  return `${lines.join("\n")}\n`;
}

function partTable(summary: ScoreSummary): string[] {
  const header = ["part", "n", "null", "mean", "25 %", "50 %", "75 %"];
  const rows = Object.entries(summary.parts).map(([name, part]) => [name, ...partCells(part)]);
  const table = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...table.map((row) => (row[column] as string).length)));
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join("  "),
  );
}

function partCells(part: PartSummary): string[] {
  const quartiles = part.quartiles ?? [null, null, null];
  return [count(part.n), count(part.nulls), number(part.mean), ...quartiles.map(number)];
}

function number(value: number | null): string {
  if (value === null) return "–";
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function words(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([word, n]) => `${word} ${count(n)}`)
      .join(", ") || "none"
  );
}

/** Options as `tau=0.1 format=on`. */
function choiceWords(choices: Readonly<Record<string, unknown>>): string {
  return Object.entries(choices)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
