import type { ResultColumn } from "../../../data/columns.ts";
import type { ScoringServer } from "../../../uq/logprobs/server/create-prompt-scorer.ts";
import { failedWords } from "../../asking/failure-lines.ts";
import type { RunCounts } from "../../asking/run-tally.ts";
import { optionalRow, renderRows, type SummaryRow } from "../../asking/summary-rows.ts";
import type { RowSpool } from "../row-spool.ts";
import { type Fill, fillColumns } from "./fills.ts";

/** The summary of a run, as `--json` prints it. */
export interface ServerSummary {
  /** What was asked in this run; null where nothing was left to ask. */
  readonly server: (ScoringServer & { readonly url: string }) | null;
  readonly model: string;
  readonly output: string;
  readonly rows: number;
  /** Rows that had what they need before this run, and that got it in this one. */
  readonly before: number;
  readonly answered: number;
  /** Rows that have no log-probs, of this run, by reason. */
  readonly failed: Readonly<Record<string, number>>;
  /** Rows that were not asked about, because of --limit or a failure that all others share. */
  readonly notAsked: number;
  /** By name of a column of statuses: how many rows have which one. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Where the tokens of the responses come from, over all texts. */
  readonly boundaries: Readonly<Record<string, number>>;
  readonly promptTokens: number | null;
  readonly responseTokens: number | null;
  readonly seconds: number;
  /** Whether the output was written. */
  readonly written: boolean;
}

const CHUNK_ROWS = 4096;

/** Counts statuses and boundaries of all rows that a spool has. */
export async function countSpool(
  spool: RowSpool,
  rows: number,
  fills: readonly Fill[],
  prefix: string,
): Promise<Pick<ServerSummary, "statuses" | "boundaries">> {
  const statuses: Record<string, Record<string, number>> = {};
  const boundaries: Record<string, number> = {};
  const names = fills.map((fill) => fillColumns(fill, prefix).status);
  for (const name of names) statuses[name] = {};
  for (let start = 0; start < rows; start += CHUNK_ROWS) {
    const { columns, notes } = await spool.read(start, Math.min(start + CHUNK_ROWS, rows));
    for (const column of columns) {
      const counts = statuses[column.name];
      if (counts !== undefined) countText(column, counts);
    }
    for (const note of notes) {
      const list = Array.isArray(note?.boundaries) ? (note.boundaries as string[]) : [];
      for (const boundary of list) addOne(boundaries, boundary);
    }
  }
  return { statuses, boundaries };
}

function countText(column: ResultColumn, counts: Record<string, number>): void {
  if (column.type !== "utf8") return;
  for (const code of column.codes) if (code >= 0) addOne(counts, column.dictionary[code] as string);
}

function addOne(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** What of a tally is in the summary. */
export function talliedCounts({
  failed,
  promptTokens,
  completionTokens,
}: RunCounts): Pick<ServerSummary, "failed" | "promptTokens" | "responseTokens"> {
  return { failed, promptTokens, responseTokens: completionTokens };
}

/** The summary for people. */
export function renderServerSummary(summary: ServerSummary): string {
  const { server, statuses, boundaries } = summary;
  return renderRows([
    ["model", summary.model],
    ["server", server === null ? "not asked" : [server.kind, server.version ?? ""].join(" ").trim()],
    ["log-prob mode", server === null ? "" : server.mode],
    ["rows", count(summary.rows)],
    ...optionalRow("  done before", summary.before),
    ["  done now", count(summary.answered)],
    ["  failed", failedWords(summary.failed)],
    ...optionalRow("  not asked", summary.notAsked),
    ...Object.entries(statuses).map(([name, counts]): SummaryRow => [name, failedWords(counts)]),
    ["tokens of responses", failedWords(boundaries)],
    ["prompt tokens", count(summary.promptTokens ?? 0)],
    ["response tokens", count(summary.responseTokens ?? 0)],
    ["seconds", summary.seconds.toFixed(1)],
    ["output", summary.written ? summary.output : "not written"],
  ]);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
