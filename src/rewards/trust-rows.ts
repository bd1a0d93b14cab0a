import { actionCode } from "../data/calls/action.ts";
import { readGoldActions, readMessages } from "../data/calls/messages.ts";
import type { ColumnNeeds, ColumnRequest, KeyColumn, RolloutBatch } from "../data/columns.ts";
import { ACTIONS, type Action, type GoldAction, type ToolCall } from "../types.ts";
import { type AnswerAgreementInput, answerAgreement } from "./answer-agreement.ts";
import { jsonReader, numberColumn, textReader } from "./batch-columns.ts";
import { mayHoldCalls, parseCalls } from "./parse-calls.ts";
import { type ParsedResponse, parseLastMessage, readResponse } from "./parse-response.ts";
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

/** The response of a row, read only where it is asked for: columns may already say all that is needed. */
type ResponseReader = (row: number) => ParsedResponse | null;

/** The calls that a text holds, as `parseCalls` reads them. */
type CallsReader = (text: string) => readonly ToolCall[];

/** No value in the row, as opposed to -1, a value that is no action. */
const ABSENT = -2;

/** Reads rows; every call fills and returns the same object. */
function rowReader(batch: RolloutBatch, settings: TrustSettings): (row: number) => JudgedRow {
  const actionOf = codeReader(batch, "action");
  const goldOf = codeReader(batch, "gt_action");
  const callsOf = rememberedCalls();
  const responseOf = rememberedResponse(responseReader(batch, callsOf));
  const judgeFormat = formatJudge(batch, settings, responseOf);
  const judgeAnswer = answerJudge(batch, settings, responseOf, callsOf);
  const judged: JudgedRow = { action: -1, gold: -1, format: 0, answer: 0, bits: 0 };
  return (row) => {
    const given = actionOf(row);
    judged.action = given === ABSENT ? actionCode(responseOf(row)?.action) : given;
    judged.gold = Math.max(goldOf(row), -1);
    judged.bits = (judged.action < 0 ? TRUST_BIT.unparsed : 0) | (judged.gold < 0 ? TRUST_BIT.noGold : 0);
    judgeFormat(row, judged);
    judgeAnswer(row, judged);
    return judged;
  };
}

/** Reads the response of the row at hand once, however many judges ask for it. */
function rememberedResponse(read: ResponseReader): ResponseReader {
  let known = -1;
  let response: ParsedResponse | null = null;
  return (row) => {
    if (row === known) return response;
    response = read(row);
    known = row;
    return response;
  };
}

type Judge = (row: number, judged: JudgedRow) => void;

/** R_fmt, into `format`. */
function formatJudge(batch: RolloutBatch, settings: TrustSettings, responseOf: ResponseReader): Judge {
  const given = numberColumn(batch, "judged_r_fmt");
  if (!settings.format) {
    return (_row, judged) => {
      judged.format = 0;
    };
  }
  return (row, judged) => {
    judged.format = given === null ? Number.NaN : (given[row] as number);
    if (!Number.isNaN(judged.format)) return;
    const response = responseOf(row);
    if (response === null) judged.bits |= TRUST_BIT.noResponse;
    else judged.format = response.formatValid ? 1 : 0;
  };
}

/** R_ans, into `answer`. */
function answerJudge(
  batch: RolloutBatch,
  settings: TrustSettings,
  responseOf: ResponseReader,
  callsOf: CallsReader,
): Judge {
  const method = settings.answer;
  if (method === "off") {
    return (_row, judged) => {
      judged.answer = 0;
    };
  }
  const given = numberColumn(batch, "judged_r_ans");
  const inputOf = inputReader(batch, responseOf, callsOf);
  const options = { method };
  return (row, judged) => {
    judged.answer = given === null ? Number.NaN : (given[row] as number);
    if (!Number.isNaN(judged.answer) || judged.gold < 0) return;
    if (judged.action !== judged.gold) {
      judged.answer = 0;
      return;
    }
    const { input, isResponse } = inputOf(row, ACTIONS[judged.gold] as Action);
    judged.answer = answerAgreement(input, options);
    if (Number.isNaN(judged.answer)) judged.bits |= TRUST_BIT.noGtAnswer;
    if (isResponse) return;
    // There was no text to hold an answer, which is not the same as a wrong one.
    judged.answer = Number.NaN;
    judged.bits |= TRUST_BIT.noResponse;
  };
}

/** What is compared in a row, and whether it has an answer column or a response at all. */
interface ComparedRow {
  readonly input: AnswerAgreementInput;
  readonly isResponse: boolean;
}

/** Reads rows whose action is the gold one: the answer column's text, else what the response holds, and the target. */
function inputReader(
  batch: RolloutBatch,
  responseOf: ResponseReader,
  callsOf: CallsReader,
): (row: number, action: Action) => ComparedRow {
  const answerOf = textReader(batch, "answer");
  const goldAnswerOf = textReader(batch, "gt_answer");
  const goldActionsOf = jsonReader(batch, "gold_actions");
  const goldCallsOf = (row: number, goldAnswer: string | null): readonly GoldAction[] | null => {
    if (goldAnswer !== null) return callsOf(goldAnswer);
    const value = goldActionsOf(row);
    return value === null ? null : readGoldActions(value);
  };
  return (row, action) => {
    const own = answerOf(row);
    const response = own === null ? responseOf(row) : null;
    const goldAnswer = goldAnswerOf(row);
    const input: { -readonly [K in keyof AnswerAgreementInput]: AnswerAgreementInput[K] } = {
      action,
      goldAction: action,
      answer: own ?? response?.answer ?? null,
      goldAnswer,
    };
    if (response !== null) input.calls = response.calls;
    if (action === "tool_call") input.goldCalls = goldCallsOf(row, goldAnswer);
    return { input, isResponse: own !== null || response !== null };
  };
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
function responseReader(batch: RolloutBatch, callsOf: CallsReader): ResponseReader {
  const textOf = textReader(batch, "response");
  const messagesOf = jsonReader(batch, "messages");
  return (row) => {
    const text = textOf(row);
    if (text !== null) return readResponse(text, callsOf);
    const messages = readMessages(messagesOf(row));
    const last = messages?.findLast((message) => message.role !== "tool");
    return messages === null || last?.role !== "assistant" ? null : parseLastMessage(messages);
  };
}

/** Distinct texts whose calls are remembered. */
const REMEMBERED = 1024;
const NO_CALLS: readonly ToolCall[] = [];

/** Reads each text once: the rows of a group share a gold answer, and right answers often repeat it word for word. */
function rememberedCalls(): CallsReader {
  const known = new Map<string, readonly ToolCall[]>();
  let last = "";
  let lastCalls = NO_CALLS;
  return (text) => {
    // Answer, gold answer and the next row's are the same as a rule: comparing two texts is cheaper than hashing one.
    if (text === last) return lastCalls;
    if (!mayHoldCalls(text)) return NO_CALLS;
    let calls = known.get(text);
    if (calls === undefined) {
      calls = parseCalls(text);
      if (known.size >= REMEMBERED) known.clear();
      known.set(text, calls);
    }
    last = text;
    lastCalls = calls;
    return calls;
  };
}
