import type { AppendedColumn } from "../../../data/arrow/append-arrow-columns.ts";
import { jsonText } from "../../../data/jsonl/json-text.ts";
import type { ScoredText, ScoringServer } from "../../../uq/logprobs/server/create-prompt-scorer.ts";
import { sequencePerplexity } from "../../../uq/sequence-perplexity.ts";
import type { FinishedRow } from "../row-spool.ts";
import type { RowValue } from "../row-values.ts";
import { type Fill, fillColumns, sourceColumn } from "./fills.ts";

/** What became of one text: its log-probs, or why there are none. */
export type TextOutcome = ScoredText | string;

/** The columns that are added, in order. */
export function addedColumns(fills: readonly Fill[], prefix: string): AppendedColumn[] {
  return [
    ...fills.flatMap((fill): AppendedColumn[] => {
      const { logprobs, ppl, status } = fillColumns(fill, prefix);
      return [
        { name: logprobs, type: "list<float64>" },
        { name: ppl, type: "float64" },
        { name: status, type: "utf8" },
      ];
    }),
    { name: sourceColumn(prefix), type: "utf8" },
  ];
}

/** Makes the added values of a row from what became of its texts, in the order of the fills. */
export function rowFinisher(
  fills: readonly Fill[],
  prefix: string,
): (outcomes: readonly TextOutcome[], server: ScoringServer | null) => FinishedRow {
  const names = fills.map((fill) => fillColumns(fill, prefix));
  return (outcomes, server) => {
    const values: Record<string, RowValue> = {};
    const boundaries: string[] = [];
    outcomes.forEach((outcome, at) => {
      const { logprobs, ppl, status } = names[at] as ReturnType<typeof fillColumns>;
      if (typeof outcome === "string") {
        values[logprobs] = outcome === "empty" ? [] : null;
        values[status] = outcome;
        return;
      }
      const { ppl: perplexity, flags } = sequencePerplexity(outcome.logprobs);
      values[logprobs] = outcome.logprobs;
      values[ppl] = perplexity;
      values[status] = flags.join(", ") || "ok";
      boundaries.push(outcome.boundary);
    });
    if (boundaries.length === 0 || server === null) return { values };
    values[sourceColumn(prefix)] = sourceText(server);
    return { values, note: { boundaries } };
  };
}

/** Where log-probs come from, as JSON: `{"server":"vllm","version":"0.11.0","model":"m","mode":"raw"}`. */
function sourceText({ kind, version, model, mode }: ScoringServer): string {
  return jsonText({ server: kind, version, model, mode });
}
