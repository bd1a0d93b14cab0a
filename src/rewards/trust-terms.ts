import { actionCode } from "../data/calls/action.ts";
import { readMessages } from "../data/calls/messages.ts";
import { ACTIONS, type Action, type GoldAction, type ToolCall } from "../types.ts";
import { type AnswerAgreementInput, answerAgreement } from "./answer-agreement.ts";
import { mayHoldCalls, parseCalls } from "./parse-calls.ts";
import { type ParsedResponse, parseLastMessage, readResponse } from "./parse-response.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { TRUST_BIT } from "./trust-status.ts";

/** R_fmt, R_ans and R_cls of rows, `(rows)`; NaN = null. */
export interface RowTerms {
  readonly format: Float64Array;
  readonly answer: Float64Array;
  readonly class: Float64Array;
}

/** What rows are judged by, read row by row; null = missing. */
export interface TermSource {
  readonly rows: number;
  /** The given action by code: -1 = a word that is no action, {@link ABSENT} = none given. */
  readonly actionOf: (row: number) => number;
  /** The gold action by code; below 0 = missing or no action. */
  readonly goldOf: (row: number) => number;
  readonly responseOf: (row: number) => string | null;
  /** The conversation, as `readMessages` takes it. */
  readonly messagesOf: (row: number) => unknown;
  readonly answerOf: (row: number) => string | null;
  readonly goldAnswerOf: (row: number) => string | null;
  readonly goldActionsOf: (row: number) => readonly GoldAction[] | null;
  /** R_fmt and R_ans that the caller has judged, NaN = not; null = in no row. */
  readonly judgedFormat: Float64Array | null;
  readonly judgedAnswer: Float64Array | null;
}

/** No value in the row, as opposed to -1, a value that is no action. */
export const ABSENT = -2;

/** Judges every row, and adds what is to be said of it to `status`. */
export function judgeTerms(source: TermSource, settings: TrustSettings, status: Uint32Array): RowTerms {
  const terms: RowTerms = {
    format: new Float64Array(source.rows),
    answer: new Float64Array(source.rows),
    class: new Float64Array(source.rows),
  };
  const read = rowReader(source, settings);
  for (let row = 0; row < source.rows; row++) {
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

/** The response of a row, read only where it is asked for: other fields may already say all that is needed. */
type ResponseReader = (row: number) => ParsedResponse | null;

/** The calls that a text holds, as `parseCalls` reads them. */
type CallsReader = (text: string) => readonly ToolCall[];

/** Reads rows; every call fills and returns the same object. */
function rowReader(source: TermSource, settings: TrustSettings): (row: number) => JudgedRow {
  const callsOf = rememberedCalls();
  const responseOf = rememberedResponse(responseReader(source, callsOf));
  const judgeFormat = formatJudge(source, settings, responseOf);
  const judgeAnswer = answerJudge(source, settings, responseOf, callsOf);
  const judged: JudgedRow = { action: -1, gold: -1, format: 0, answer: 0, bits: 0 };
  return (row) => {
    const given = source.actionOf(row);
    judged.action = given === ABSENT ? actionCode(responseOf(row)?.action) : given;
    judged.gold = Math.max(source.goldOf(row), -1);
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
function formatJudge(
  { judgedFormat: given }: TermSource,
  settings: TrustSettings,
  responseOf: ResponseReader,
): Judge {
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
  source: TermSource,
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
  const given = source.judgedAnswer;
  const inputOf = inputReader(source, responseOf, callsOf);
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

/** What is compared in a row, and whether it has an answer of its own or a response at all. */
interface ComparedRow {
  readonly input: AnswerAgreementInput;
  readonly isResponse: boolean;
}

/** Reads rows whose action is the gold one: the given answer, else what the response holds, and the target. */
function inputReader(
  source: TermSource,
  responseOf: ResponseReader,
  callsOf: CallsReader,
): (row: number, action: Action) => ComparedRow {
  return (row, action) => {
    const own = source.answerOf(row);
    const response = own === null ? responseOf(row) : null;
    const goldAnswer = source.goldAnswerOf(row);
    const input: { -readonly [K in keyof AnswerAgreementInput]: AnswerAgreementInput[K] } = {
      action,
      goldAction: action,
      answer: own ?? response?.answer ?? null,
      goldAnswer,
    };
    if (response !== null) input.calls = response.calls;
    if (action === "tool_call") {
      input.goldCalls = goldAnswer === null ? source.goldActionsOf(row) : callsOf(goldAnswer);
    }
    return { input, isResponse: own !== null || response !== null };
  };
}

/** The response of a row: its text, else the end of its messages; null when it has neither. */
function responseReader(source: TermSource, callsOf: CallsReader): ResponseReader {
  return (row) => {
    const text = source.responseOf(row);
    if (text !== null) return readResponse(text, callsOf);
    const messages = readMessages(source.messagesOf(row));
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
