import { NEXT_ACTIONS } from "./labels.ts";

/** Number of actions, by which a code is divided. */
const ACTIONS = NEXT_ACTIONS.length;

/** The code of an answer that could not be read: the first one behind all pairs of labels. */
export const UNPARSED = 143;

/** The code of no answer at all: what a fresh store is filled with. */
export const NO_ANSWER = 255;

/** Codes of answers lie below this number, {@link NO_ANSWER} apart. */
export const ANSWER_CODES = 144;

/** One byte for an answer: its fault type and action, or {@link UNPARSED} where either is no label (−1). */
export function answerCode(fault: number, action: number): number {
  return fault < 0 || action < 0 ? UNPARSED : fault * ACTIONS + action;
}

/** The fault type of a code below {@link UNPARSED}. */
export function faultOf(code: number): number {
  return Math.trunc(code / ACTIONS);
}

/** The action of a code below {@link UNPARSED}. */
export function actionOf(code: number): number {
  return code % ACTIONS;
}
