import { actionCode } from "../data/calls/action.ts";
import { readGoldActions, readMessages } from "../data/calls/messages.ts";
import type { ColumnNeeds, ColumnRequest, KeyColumn, RolloutBatch } from "../data/columns.ts";
import { ACTIONS, type Action, type GoldAction } from "../types.ts";
import { type AnswerAgreementInput, answerAgreement } from "./answer-agreement.ts";
import { jsonReader, numberColumn, textReader } from "./batch-columns.ts";
import { parseCalls } from "./parse-calls.ts";
import { type ParsedResponse, parseLastMessage, parseResponse } from "./parse-response.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { TRUST_BIT } from "./trust-status.ts";

/** R_fmt, R_ans and R_cls of the rows of a batch, `(rows)`; NaN = null. */
export interface RowTerms {
  readonly format: Float64Array;
  readonly answer: Float64Array;
  readonly class: Float64Array;
}

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
  const terms: RowTerms = {
    format: new Float64Array(batch.rows),
    answer: new Float64Array(batch.rows),
    class: new Float64Array(batch.rows),
  };
  const read = rowReader(batch, settings);
  for (let row = 0; row < batch.rows; row++) {
    const judged = read(row);
    terms.format[row] = judged.format;
    terms.answer[row] = judged.answer;
    terms.class[row] = judged.gold < 0 ? Number.NaN : classReward(judged.action, judged.gold);
    status[row] = (status[row] as number) | judged.bits;
  }
  return terms;
}

/** R_cls (Eq. 7) of action codes: 3 for the same action, 2 for the same coarse pair, else 1. */
function classReward(action: number, gold: number): number {
  if (action === gold) return 3;
  return action >= 0 && action >> 1 === gold >> 1 ? 2 : 1;
}

/** One row as it is judged; actions by code, -1 = unparsed or missing. */
interface JudgedRow {
  action: number;
  gold: number;
  format: number;
  answer: number;
  /** Status bits. */
  bits: number;
}

/** The response of one row, read on the first call: columns may already say all that is asked. */
type LazyResponse = () => ParsedResponse | null;

/** No value in the row, as opposed to -1, a value that is no action. */
const ABSENT = -2;

/** Reads rows; every call fills and returns the same object. */
function rowReader(batch: RolloutBatch, settings: TrustSettings): (row: number) => JudgedRow {
  const actionOf = codeReader(batch, "action");
  const goldOf = codeReader(batch, "gt_action");
  const responseOf = responseReader(batch);
  const judgeFormat = formatJudge(batch, settings);
  const judgeAnswer = answerJudge(batch, settings);
  const judged: JudgedRow = { action: -1, gold: -1, format: 0, answer: 0, bits: 0 };
  return (row) => {
    let response: ParsedResponse | null | undefined;
    const parsed: LazyResponse = () => {
      if (response === undefined) response = responseOf(row);
      return response;
    };
    const given = actionOf(row);
    judged.action = given === ABSENT ? actionCode(parsed()?.action) : given;
    judged.gold = Math.max(goldOf(row), -1);
    judged.bits = (judged.action < 0 ? TRUST_BIT.unparsed : 0) | (judged.gold < 0 ? TRUST_BIT.noGold : 0);
    judgeFormat(row, judged, parsed);
    judgeAnswer(row, judged, parsed);
    return judged;
  };
}

type Judge = (row: number, judged: JudgedRow, parsed: LazyResponse) => void;

/** R_fmt, into `format`. */
function formatJudge(batch: RolloutBatch, settings: TrustSettings): Judge {
  const given = numberColumn(batch, "judged_r_fmt");
  if (!settings.format) {
    return (_row, judged) => {
      judged.format = 0;
    };
  }
  return (row, judged, parsed) => {
    judged.format = given === null ? Number.NaN : (given[row] as number);
    if (!Number.isNaN(judged.format)) return;
    const response = parsed();
    if (response === null) judged.bits |= TRUST_BIT.noResponse;
    else judged.format = response.formatValid ? 1 : 0;
  };
}

/** R_ans, into `answer`. */
function answerJudge(batch: RolloutBatch, settings: TrustSettings): Judge {
  const method = settings.answer;
  if (method === "off") {
    return (_row, judged) => {
      judged.answer = 0;
    };
  }
  const given = numberColumn(batch, "judged_r_ans");
  const answerOf = textReader(batch, "answer");
  const targetOf = targetReader(batch);
  return (row, judged, parsed) => {
    judged.answer = given === null ? Number.NaN : (given[row] as number);
    if (!Number.isNaN(judged.answer) || judged.gold < 0) return;
    if (judged.action !== judged.gold) {
      judged.answer = 0;
      return;
    }
    const action = ACTIONS[judged.gold] as Action;
    const own = ownAnswer(answerOf(row), parsed);
    const input: AnswerAgreementInput = {
      action,
      goldAction: action,
      ...(own ?? { answer: null }),
      ...targetOf(row, action),
    };
    judged.answer = answerAgreement(input, { method });
    if (Number.isNaN(judged.answer)) judged.bits |= TRUST_BIT.noGtAnswer;
    if (own !== null) return;
    // There was no text to hold an answer, which is not the same as a wrong one.
    judged.answer = Number.NaN;
    judged.bits |= TRUST_BIT.noResponse;
  };
}

/** The answer column's text, else what the response holds; null without either. */
function ownAnswer(
  answer: string | null,
  parsed: LazyResponse,
): Pick<AnswerAgreementInput, "answer" | "calls"> | null {
  if (answer !== null) return { answer };
  const response = parsed();
  return response === null ? null : { answer: response.answer, calls: response.calls };
}

/** Reads a column of action names as codes: each distinct name once. */
function codeReader(batch: RolloutBatch, name: string): (row: number) => number {
  const column = batch.columns.get(name);
  if (column?.kind !== "key") return () => ABSENT;
  const { codes, keys } = column satisfies KeyColumn;
  const actions = Int8Array.from(keys, actionCode);
  return (row) => actions[codes[row] as number] ?? ABSENT;
}

/** The response of a row: its text, else the end of its messages; null when it has neither. */
function responseReader(batch: RolloutBatch): (row: number) => ParsedResponse | null {
  const textOf = textReader(batch, "response");
  const messagesOf = jsonReader(batch, "messages");
  return (row) => {
    const text = textOf(row);
    if (text !== null) return parseResponse(text);
    const messages = readMessages(messagesOf(row));
    const last = messages?.findLast((message) => message.role !== "tool");
    return messages === null || last?.role !== "assistant" ? null : parseLastMessage(messages);
  };
}

type Target = Pick<AnswerAgreementInput, "goldAnswer" | "goldCalls">;

/** Distinct gold answers whose calls are remembered. */
const REMEMBERED = 1024;

/** The target of a row: `gt_answer`, else `gold_actions`. The rows of a group share a gold answer: it is parsed once. */
function targetReader(batch: RolloutBatch): (row: number, gold: Action) => Target {
  const answerOf = textReader(batch, "gt_answer");
  const actionsOf = jsonReader(batch, "gold_actions");
  const known = new Map<string, readonly GoldAction[]>();
  return (row, gold) => {
    const goldAnswer = answerOf(row);
    if (gold !== "tool_call") return { goldAnswer };
    if (goldAnswer === null) {
      const value = actionsOf(row);
      return value === null ? { goldAnswer } : { goldAnswer, goldCalls: readGoldActions(value) };
    }
    let goldCalls = known.get(goldAnswer);
    if (goldCalls === undefined) {
      goldCalls = parseCalls(goldAnswer);
      if (known.size >= REMEMBERED) known.clear();
      known.set(goldAnswer, goldCalls);
    }
    return { goldAnswer, goldCalls };
  };
}
