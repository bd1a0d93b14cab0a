import { actionCode } from "../data/action.ts";
import type { ColumnNeeds, ColumnRequest, KeyColumn, RolloutBatch } from "../data/columns.ts";
import { readGoldActions, readMessages } from "../data/messages.ts";
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
      [key("action"), text("response"), json("messages")],
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
    let bits = judged.action < 0 ? TRUST_BIT.unparsed : 0;
    if (Number.isNaN(judged.format)) bits |= TRUST_BIT.noResponse;
    if (judged.gold < 0) bits |= TRUST_BIT.noGold;
    else if (Number.isNaN(judged.answer)) bits |= TRUST_BIT.noGtAnswer;
    status[row] = (status[row] as number) | bits;
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
}

/** No value in the row, as opposed to -1, a value that is no action. */
const ABSENT = -2;

/** Reads rows; every call fills and returns the same object. */
function rowReader(batch: RolloutBatch, settings: TrustSettings): (row: number) => JudgedRow {
  const actionOf = codeReader(batch, "action");
  const goldOf = codeReader(batch, "gt_action");
  const answerOf = textReader(batch, "answer");
  const responseOf = responseReader(batch);
  const targetOf = targetReader(batch);
  const judgedFormat = numberColumn(batch, "judged_r_fmt");
  const judgedAnswer = numberColumn(batch, "judged_r_ans");
  const judged: JudgedRow = { action: -1, gold: -1, format: 0, answer: 0 };
  return (row) => {
    const given = actionOf(row);
    const givenFormat = judgedFormat === null ? Number.NaN : (judgedFormat[row] as number);
    const givenAnswer = judgedAnswer === null ? Number.NaN : (judgedAnswer[row] as number);
    // Read at most once, and not at all where the columns already say everything.
    let response: ParsedResponse | null | undefined;
    const parsed = (): ParsedResponse | null => {
      if (response === undefined) response = responseOf(row);
      return response;
    };
    judged.gold = Math.max(goldOf(row), -1);
    judged.action = given === ABSENT ? actionCode(parsed()?.action) : given;
    judged.format = settings.format ? formatOf(givenFormat, parsed) : 0;
    if (settings.answer === "off") judged.answer = 0;
    else if (!Number.isNaN(givenAnswer)) judged.answer = givenAnswer;
    else if (judged.gold < 0) judged.answer = Number.NaN;
    else if (judged.action !== judged.gold) judged.answer = 0;
    else {
      const action = ACTIONS[judged.gold] as Action;
      const answer = answerOf(row);
      const own =
        answer === null ? { answer: parsed()?.answer ?? null, calls: parsed()?.calls ?? null } : { answer };
      const input: AnswerAgreementInput = { action, goldAction: action, ...own, ...targetOf(row, action) };
      judged.answer = answerAgreement(input, { method: settings.answer });
    }
    return judged;
  };
}

function formatOf(given: number, parsed: () => ParsedResponse | null): number {
  if (!Number.isNaN(given)) return given;
  const response = parsed();
  if (response === null) return Number.NaN;
  return response.formatValid ? 1 : 0;
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
