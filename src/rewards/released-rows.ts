import { jsonReader, textReader } from "../data/batch-columns.ts";
import { actionLabelCode } from "../data/calls/action.ts";
import { messageCalls, readGoldActions, readMessages } from "../data/calls/messages.ts";
import type { ColumnNeeds, ColumnRequest, RolloutBatch } from "../data/columns.ts";
import { floatColumns } from "../math/float-columns.ts";
import { ACTION_LETTERS } from "./action-letters.ts";
import { createReleasedAligner } from "./released/released-alignment.ts";
import { normaliseReleased, renderReleasedCalls } from "./released/released-normalise.ts";
import { type ReleasedTerms, releasedTerms } from "./released/released-turn.ts";
import type { TrustReleasedSettings } from "./released-settings.ts";
import { TRUST_BIT } from "./trust-status.ts";

/** Whether a row's text is empty or missing, and whether the certainty inside r_ans is 0. */
export const ROW_FLAG = { empty: 1, gated: 2 } as const;

/** What the rows of a batch have without perplexities, `(rows)`; unrounded. */
export interface ReleasedRows {
  readonly format: Float64Array;
  readonly alignment: Float64Array;
  /** 0, 1 or 2; NaN without a known gold action. */
  readonly class: Float64Array;
  /** 0 to 3 for A to D, -1 = unparsed. */
  readonly letter: Float64Array;
  /** 0 to 3; -1 = no known gold action. */
  readonly gold: Float64Array;
  /** Bits of {@link ROW_FLAG}. */
  readonly flags: Float64Array;
}

/** The columns that the reward reads. */
export function releasedNeeds(): ColumnNeeds {
  const key = (name: string): ColumnRequest => ({ name, kind: "key" });
  const text = (name: string): ColumnRequest => ({ name, kind: "text" });
  const json = (name: string): ColumnRequest => ({ name, kind: "json" });
  const list = (name: string): ColumnRequest => ({ name, kind: "list" });
  return {
    required: [
      [key("group_id")],
      [key("gt_action")],
      [text("response"), { ...json("messages"), fallbackFor: "response" }],
      [list("logprobs"), { name: "ppl", kind: "number" }],
    ],
    optional: [list("logprob_mask"), text("gt_answer"), json("gold_actions"), json("tools")],
  };
}

/** Judges every row of a batch, and adds what is to be said of it to `status`. */
export function releasedRows(
  batch: RolloutBatch,
  settings: TrustReleasedSettings,
  status: Uint32Array,
): ReleasedRows {
  const [format, alignment, ofClass, letter, gold, flags] = floatColumns(6, batch.rows, 0) as unknown as Six;
  const rows: ReleasedRows = { format, alignment, class: ofClass, letter, gold, flags };
  const goldOf = goldReader(batch);
  const responseOf = responseReader(batch, settings);
  const targetOf = targetReader(batch);
  const toolsOf = jsonReader(batch, "tools");
  const alignerOf = rememberedAligner();
  for (let row = 0; row < batch.rows; row++) {
    const gold = goldOf(row);
    const goldLabel = ACTION_LETTERS[gold] ?? "";
    const chosenResponse = targetOf(row);
    const tools = toolsOf(row);
    const turn = { response: responseOf(row), goldLabel, chosenResponse, tools };
    const terms = releasedTerms(turn, alignerOf(chosenResponse, tools));
    putRow(rows, row, terms, gold);
    status[row] = (status[row] as number) | rowBits(terms, gold, chosenResponse);
  }
  return rows;
}

/** Neighbouring rows often share their target and tools. */
function rememberedAligner(): typeof createReleasedAligner {
  let last: readonly [unknown, unknown] = [null, null];
  let align = createReleasedAligner(null, null);
  return (chosenResponse, tools) => {
    if (chosenResponse !== last[0] || tools !== last[1]) {
      last = [chosenResponse, tools];
      align = createReleasedAligner(chosenResponse, tools);
    }
    return align;
  };
}

type Column = Float64Array;
type Six = readonly [Column, Column, Column, Column, Column, Column];

function putRow(rows: ReleasedRows, row: number, terms: ReleasedTerms, gold: number): void {
  rows.format[row] = terms.format;
  rows.alignment[row] = terms.alignment;
  rows.class[row] = gold < 0 ? Number.NaN : terms.class;
  rows.letter[row] = terms.letter === null ? -1 : ACTION_LETTERS.indexOf(terms.letter);
  rows.gold[row] = gold;
  rows.flags[row] = (terms.isEmpty ? ROW_FLAG.empty : 0) | (terms.gated ? ROW_FLAG.gated : 0);
}

function rowBits(terms: ReleasedTerms, gold: number, target: string | null): number {
  return (
    (terms.letter === null ? TRUST_BIT.unparsed : 0) |
    (gold < 0 ? TRUST_BIT.noGold : 0) |
    (terms.isEmpty ? TRUST_BIT.noResponse : 0) |
    (target === null ? TRUST_BIT.noGtAnswer : 0)
  );
}

/** Gold actions by code: a letter, white space around it aside, or what `parseAction` knows; -1 for anything else. */
function goldReader(batch: RolloutBatch): (row: number) => number {
  const column = batch.columns.get("gt_action");
  if (column?.kind !== "key") return () => -1;
  const codes = Int8Array.from(column.keys, goldCode);
  return (row) => codes[column.codes[row] as number] ?? -1;
}

/** The code of a gold action by name, alias or letter, white space around it aside; -1 for anything else. */
function goldCode(label: string): number {
  return actionLabelCode(label.trim());
}

/** The text of a row: its `response`, else the end of its messages with native calls written as blocks; null without. */
function responseReader(
  batch: RolloutBatch,
  settings: TrustReleasedSettings,
): (row: number) => string | null {
  const textOf = textReader(batch, "response");
  const messagesOf = jsonReader(batch, "messages");
  const raw = (row: number): string | null => textOf(row) ?? lastText(messagesOf(row));
  if (settings.text === "raw") return raw;
  return (row) => {
    const text = raw(row);
    return text === null ? null : normaliseReleased(text);
  };
}

function lastText(value: unknown): string | null {
  const messages = readMessages(value);
  const at = messages?.findLastIndex((message) => message.role !== "tool") ?? -1;
  const last = messages?.[at];
  if (last === undefined || last.role !== "assistant") return null;
  const calls = renderReleasedCalls(messageCalls((value as readonly unknown[])[at]));
  return [last.content ?? "", calls].filter((part) => part !== "").join("\n");
}

/** The target answer: `gt_answer`, else the gold calls written as blocks. */
function targetReader(batch: RolloutBatch): (row: number) => string | null {
  const answerOf = textReader(batch, "gt_answer");
  const actionsOf = jsonReader(batch, "gold_actions");
  return (row) => {
    const answer = answerOf(row);
    if (answer !== null) return answer;
    const actions = actionsOf(row);
    return actions === null ? null : renderReleasedCalls(readGoldActions(actions));
  };
}
