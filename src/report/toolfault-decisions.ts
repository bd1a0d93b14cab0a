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
 * - `ppl`: perplexity of the label over its tokens, exp(−logprob / tokens) of `fault_logprob` and `fault_tokens`,
 *   `action_logprob` and `action_tokens` (a number of tokens that is not there counts as one); without label log-probs
 *   that of the whole answer (`logprobs`), the same for both decisions,
 * - `confidence`: the probability that the model gave the label, exp(logprob), or 1 / `ppl` of the whole answer.
 *
 * Both are missing (NaN) where the answer could not be read, and where there are no log-probs.
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
  const ppl = new Float64Array(n).fill(Number.NaN);
  const confidence = new Float64Array(n).fill(Number.NaN);
  const decision = new Int32Array(n);
  const groups = new Int32Array(n);
  const runs = new Int32Array(n);
  const certainties = DECISIONS.map((name) => certaintyReader(batch, name));
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
    if (code >= UNPARSED) continue;
    const certainty = (certainties[at & 1] as CertaintyReader)(row);
    ppl[at] = certainty.ppl;
    confidence[at] = certainty.confidence;
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
      ["ppl", { kind: "number", values: ppl }],
      ["confidence", { kind: "number", values: confidence }],
    ]),
  };
}

type CertaintyReader = (row: number) => { readonly ppl: number; readonly confidence: number };

function certaintyReader(batch: RolloutBatch, name: (typeof DECISIONS)[number]): CertaintyReader {
  const numberAt = (column: string): ((row: number) => number) => {
    const found = batch.columns.get(column);
    return (row) => (found?.kind === "number" ? (found.values[row] as number) : Number.NaN);
  };
  const [logprob, tokens] = [numberAt(`${name}_logprob`), numberAt(`${name}_tokens`)];
  const answer = batch.columns.get("logprobs");
  return (row) => {
    const label = asLogprob(logprob(row));
    const count = tokens(row);
    if (!Number.isNaN(label))
      return { ppl: Math.exp(-label / (count > 0 ? count : 1)), confidence: Math.exp(label) };
    const ppl = answer?.kind === "list" ? Math.exp(-asLogprob(meanOf(answer, row))) : Number.NaN;
    return { ppl, confidence: 1 / ppl };
  };
}

/** A log-prob barely above 0 is the rounding of 0, as in rollouts; a larger one is none. */
function asLogprob(value: number): number {
  if (!(value > 0)) return value;
  return value <= ROUNDING ? 0 : Number.NaN;
}

const ROUNDING = 1e-3;

/** NaN for a list that is missing, empty or has a missing element. */
function meanOf({ values, offsets, rowValid, valueValid }: ListColumn, row: number): number {
  const start = offsets[row] as number;
  const end = offsets[row + 1] as number;
  if (rowValid?.[row] === 0) return Number.NaN;
  let sum = 0;
  for (let i = start; i < end; i++) sum += valueValid?.[i] === 0 ? Number.NaN : (values[i] as number);
  return sum / (end - start);
}
