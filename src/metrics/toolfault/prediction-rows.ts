import type { RecordBatch } from "apache-arrow";
import type { ColumnRequest, RolloutBatch } from "../../data/columns.ts";
import { type KeySource, keySource } from "../../data/keys/key-source.ts";
import type { AnswerColumns } from "./row-answers.ts";

/** Predictions of one batch as the gatherer reads them. */
export interface PredictionRows extends AnswerColumns {
  /** The columns of runs, and what else is read row by row. */
  readonly batch: RolloutBatch;
  readonly id: KeySource | null;
  readonly hash: KeySource | null;
  /** The column of repeats, where there is one; several are read from the batch. */
  readonly repeat: KeySource | null;
}

/** Columns that are read by their codes. */
const BY_CODE = ["id", "fault_type", "next_action", "prompt_hash"];

/** A batch as {@link PredictionRows}. */
export function predictionRows(batch: RolloutBatch, repeat: readonly string[]): PredictionRows {
  const source = (name: string): KeySource | null => keySource(batch.columns.get(name));
  return rowsOf(batch, repeat, source);
}

/** Makes {@link PredictionRows} of record batches. */
export type ArrowRowReader = (batch: RecordBatch, firstRow: number) => PredictionRows;

/** Reads record batches without copies of the columns that hold keys. Arrow is loaded when this is called. */
export async function arrowPredictionRows(
  requests: readonly ColumnRequest[],
  repeat: readonly string[],
  name: string,
): Promise<ArrowRowReader> {
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const { arrowKeySource } = await import("../../data/arrow/arrow-key-source.ts");
  const byCode = new Set([...BY_CODE, ...(repeat.length === 1 ? repeat : [])]);
  const others = requests.filter((request) => !byCode.has(request.name) || request.kind !== "key");
  const kept = new Set(others);
  return (batch, firstRow) => {
    const rest = batchFromArrow(batch, others, name, firstRow);
    const sources = new Map<string, KeySource>();
    for (const request of requests) {
      if (kept.has(request)) continue;
      const index = batch.schema.fields.findIndex((field) => field.name === request.name);
      const data = batch.data.children[index];
      if (data !== undefined) sources.set(request.name, arrowKeySource(data));
    }
    return rowsOf(rest, repeat, (column) => sources.get(column) ?? keySource(rest.columns.get(column)));
  };
}

function rowsOf(
  batch: RolloutBatch,
  repeat: readonly string[],
  source: (name: string) => KeySource | null,
): PredictionRows {
  const output = batch.columns.get("output");
  const [only] = repeat;
  return {
    batch,
    id: source("id"),
    fault: source("fault_type"),
    action: source("next_action"),
    output: output?.kind === "text" ? output : null,
    hash: source("prompt_hash"),
    repeat: repeat.length === 1 && only !== undefined ? source(only) : null,
  };
}
