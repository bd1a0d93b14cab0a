import type { Column, ListColumn, RolloutBatch } from "../data/columns.ts";
import { UNPARSED } from "../metrics/toolfault/answer-codes.ts";
import type { CompiledGold } from "../metrics/toolfault/compile-gold.ts";
import type { GatheredRows } from "../metrics/toolfault/prediction-gatherer.ts";
import { rightAction, rightFault } from "../metrics/toolfault/right-answer.ts";

/** The two decisions of ToolFault-Bench: what is wrong, and what to do. */
export const DECISIONS = ["fault", "action"] as const;

/**
 * The predictions of a batch as decisions for a calibration report: two rows for each row, one a decision, with the columns
 *
 * - `run` and `decision`, to slice by; `group_id`, the item, to resample by,
 * - `correct`: 1 where the fault type is right, or the action acceptable,
 * - `nll`: nats, −log of the probability that the model gave the label (`fault_logprob`, `action_logprob`), so that exp(−nll)
 *   is its confidence; without those the mean over the tokens of the whole answer (`logprobs`), the same for both. Missing
 *   (NaN) where the answer could not be read, and where there are no log-probs.
 *
 * @param batch what was read, with log-probs
 * @param rows which items and answers its rows are
 */
export function decisionBatch(
  gold: CompiledGold,
  batch: RolloutBatch,
  rows: GatheredRows,
  runName: (run: number) => readonly string[],
): RolloutBatch {
  const n = 2 * batch.rows;
  const correct = new Float64Array(n);
  const nll = new Float64Array(n).fill(Number.NaN);
  const decision = new Int32Array(n);
  const groups = new Int32Array(n);
  const runs = new Int32Array(n);
  const columns = DECISIONS.map((name) => batch.columns.get(`${name}_logprob`));
  for (let at = 0; at < n; at++) {
    const row = at >> 1;
    const code = rows.codes[row] as number;
    const item = rows.items[row] as number;
    decision[at] = at & 1;
    groups[at] = item;
    runs[at] = rows.runs[row] as number;
    if (item < 0) continue;
    const isRight = (at & 1) === 0 ? rightFault : rightAction;
    correct[at] = isRight(gold, item, code) ? 1 : 0;
    if (code < UNPARSED) nll[at] = uncertainty(columns[at & 1], batch.columns.get("logprobs"), row);
  }
  const names = Array.from({ length: runs.reduce((max, run) => Math.max(max, run), -1) + 1 }, (_, run) =>
    runName(run).join(" / "),
  );
  return {
    rows: n,
    columns: new Map<string, Column>([
      ["run", { kind: "key", codes: runs, keys: names }],
      ["decision", { kind: "key", codes: decision, keys: DECISIONS }],
      ["group_id", { kind: "key", codes: groups, keys: gold.ids }],
      ["correct", { kind: "number", values: correct }],
      ["nll", { kind: "number", values: nll }],
    ]),
  };
}

function uncertainty(label: Column | undefined, answer: Column | undefined, row: number): number {
  if (label?.kind === "number" && !Number.isNaN(label.values[row])) return -(label.values[row] as number);
  return answer?.kind === "list" ? -meanOf(answer, row) : Number.NaN;
}

/** NaN for a list that is missing, empty or has a missing element. */
function meanOf({ values, offsets, rowValid, valueValid }: ListColumn, row: number): number {
  const start = offsets[row] as number;
  const end = offsets[row + 1] as number;
  if (rowValid?.[row] === 0) return Number.NaN;
  let sum = 0;
  for (let i = start; i < end; i++) sum += valueValid?.[i] === 0 ? Number.NaN : (values[i] as number);
  return sum / (end - start);
}
