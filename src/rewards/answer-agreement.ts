import { hasReadableArguments } from "../data/calls/call-key.ts";
import { CalibrantError } from "../errors.ts";
import type { Action, GoldAction, ToolCall } from "../types.ts";
import { callAgreement } from "./call-agreement.ts";
import { parseCalls } from "./parse-calls.ts";
import { tokenF1 } from "./token-f1.ts";

/** A realised decision and the gold one. */
export interface AnswerAgreementInput {
  /** The predicted action; null = unparsed. */
  readonly action: Action | null;
  /** The gold action; null = missing. */
  readonly goldAction: Action | null;
  /** The realised answer; null = absent. */
  readonly answer: string | null;
  /** The target answer; null = missing. */
  readonly goldAnswer: string | null;
  /** The calls of the answer, when they are known (null = none); else they are read from `answer`. */
  readonly calls?: readonly ToolCall[] | null;
  /** The gold calls, when they are known; else they are read from `goldAnswer`. Worth reading once for a group. */
  readonly goldCalls?: readonly GoldAction[] | null;
}

/** A caller's own agreement of a realised with a target answer, in [0, 1] or NaN. */
export type AgreementFunction = (answer: string, goldAnswer: string, input: AnswerAgreementInput) => number;

/** How answers are compared, see {@link answerAgreement}. */
export type AgreementMethod = "auto" | "exact" | "call" | "token-f1" | AgreementFunction;

/** Options of {@link answerAgreement}. */
export interface AnswerAgreementOptions {
  /** Default `auto`. */
  readonly method?: AgreementMethod;
}

/** The named methods, for option checks. */
export const AGREEMENT_METHODS = ["auto", "exact", "call", "token-f1"] as const;

/**
 * R_ans of TRUST (Eq. 6): how well the realised answer agrees with the target answer, in [0, 1].
 *
 * 0 when the action is not the gold action (an unparsed one included) or the answer is absent. NaN when the gold action
 * or what the method compares with is missing: no gold answer, or no gold call for `call`.
 * - `auto`: `call` when the gold action is `tool_call`, else `token-f1`.
 * - `call`: {@link callAgreement}. Identical texts skip the comparison.
 * - `token-f1`: {@link tokenF1}.
 * - `exact`: 1 when the trimmed texts are equal or, for `tool_call`, the calls are the same in any order; else 0.
 * - a function: its value, which must be in [0, 1] or NaN.
 *
 * The paper only says that R_ans "rewards consistency between z and z*": the methods are ours.
 *
 * @throws CalibrantError `option` for an unknown method or a function's value outside [0, 1].
 *
 * @example
 * ```ts
 * import { answerAgreement } from "calibrant/rewards";
 * const goldAnswer = '{"name": "cd", "arguments": {"folder": "a", "force": true}}';
 * const answer = '{"name": "cd", "arguments": {"folder": "a"}}';
 * console.log(answerAgreement({ action: "tool_call", goldAction: "tool_call", answer, goldAnswer })); // 0.5
 * ```
 */
export function answerAgreement(input: AnswerAgreementInput, options: AnswerAgreementOptions = {}): number {
  const { method = "auto" } = options;
  if (typeof method !== "function" && !AGREEMENT_METHODS.includes(method)) {
    throw new CalibrantError(
      "option",
      `answer agreement must be ${AGREEMENT_METHODS.join(", ")} or a function, got ${String(method)}`,
    );
  }
  if (input.goldAction === null) return Number.NaN;
  if (input.action !== input.goldAction) return 0;
  if (method === "auto") return input.goldAction === "tool_call" ? compareCalls(input) : compareWords(input);
  if (method === "call") return compareCalls(input);
  return method === "token-f1" ? compareWords(input) : compareTexts(input, method);
}

function compareCalls(input: AnswerAgreementInput): number {
  const { answer, goldAnswer } = input;
  const gold = input.goldCalls ?? (goldAnswer === null ? [] : parseCalls(goldAnswer));
  if (gold.length === 0) return Number.NaN;
  if (answer !== null && answer === goldAnswer && gold.every(hasReadableArguments)) return 1;
  const calls = input.calls === undefined && answer !== null ? parseCalls(answer) : (input.calls ?? []);
  return callAgreement(calls, gold);
}

function compareWords({ answer, goldAnswer }: AnswerAgreementInput): number {
  if (goldAnswer === null) return Number.NaN;
  return answer === null ? 0 : tokenF1(answer, goldAnswer);
}

function compareTexts(input: AnswerAgreementInput, method: "exact" | AgreementFunction): number {
  const { answer, goldAnswer } = input;
  if (method === "exact") {
    if (goldAnswer !== null && answer?.trim() === goldAnswer.trim()) return 1;
    if (input.goldAction !== "tool_call") return goldAnswer === null ? Number.NaN : 0;
    const agreement = compareCalls(input);
    return agreement === 1 || Number.isNaN(agreement) ? agreement : 0;
  }
  if (goldAnswer === null) return Number.NaN;
  if (answer === null) return 0;
  const value = method(answer, goldAnswer, input);
  if (value < 0 || value > 1) {
    throw new CalibrantError(
      "option",
      `answer agreement must be in [0, 1] or NaN: the function gave ${value}`,
    );
  }
  return value;
}
