import { jsonReader, numberColumn, textReader } from "../data/batch-columns.ts";
import { actionLabelCode } from "../data/calls/action.ts";
import { readGoldActions } from "../data/calls/messages.ts";
import type { ColumnNeeds, ColumnRequest, KeyColumn, RolloutBatch } from "../data/columns.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { ABSENT, judgeTerms, type RowTerms, type TermSource } from "./trust-terms.ts";

/** The columns that TRUST reads. */
export function trustNeeds(settings: TrustSettings): ColumnNeeds {
  const key = (name: string): ColumnRequest => ({ name, kind: "key" });
  const text = (name: string): ColumnRequest => ({ name, kind: "text" });
  const json = (name: string): ColumnRequest => ({ name, kind: "json" });
  const list = (name: string): ColumnRequest => ({ name, kind: "list" });
  const number = (name: string): ColumnRequest => ({ name, kind: "number" });
  return {
    required: [
      [key("group_id")],
      [key("gt_action")],
      [key("action"), text("response"), { ...json("messages"), fallbackFor: "response" }],
      [list("logprobs"), number("ppl")],
      ...(settings.level === "segment" ? [[list("logprob_segments")]] : []),
    ],
    optional: [
      list("logprob_mask"),
      number("ref_ppl"),
      list("ref_logprobs"),
      number("neg_ppl"),
      text("answer"),
      text("gt_answer"),
      json("gold_actions"),
      number("judged_r_fmt"),
      number("judged_r_ans"),
    ],
  };
}

/** Judges every row of a batch, and adds what is to be said of it to `status`. */
export function rowTerms(batch: RolloutBatch, settings: TrustSettings, status: Uint32Array): RowTerms {
  return judgeTerms(columnSource(batch), settings, status);
}

function columnSource(batch: RolloutBatch): TermSource {
  const goldActionsOf = jsonReader(batch, "gold_actions");
  return {
    rows: batch.rows,
    actionOf: codeReader(batch, "action"),
    goldOf: codeReader(batch, "gt_action"),
    responseOf: textReader(batch, "response"),
    messagesOf: jsonReader(batch, "messages"),
    answerOf: textReader(batch, "answer"),
    goldAnswerOf: textReader(batch, "gt_answer"),
    goldActionsOf: (row) => {
      const value = goldActionsOf(row);
      return value === null ? null : readGoldActions(value);
    },
    judgedFormat: numberColumn(batch, "judged_r_fmt"),
    judgedAnswer: numberColumn(batch, "judged_r_ans"),
  };
}

/** Reads a column of action names as codes: each distinct name once. */
function codeReader(batch: RolloutBatch, name: string): (row: number) => number {
  const column = batch.columns.get(name);
  if (column?.kind !== "key") return () => ABSENT;
  const { codes, keys } = column satisfies KeyColumn;
  const actions = Int8Array.from(keys, actionLabelCode);
  return (row) => actions[codes[row] as number] ?? ABSENT;
}
