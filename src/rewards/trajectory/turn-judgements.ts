import { actionLabelCode } from "../../data/calls/action.ts";
import { ACTIONS, type Action } from "../../types.ts";
import { turnNumber } from "./key-turns.ts";

/** What a judge made of a turn. */
export interface TurnVerdict {
  /** Null where the judge failed. */
  readonly action: Action | null;
  readonly answer: string | null;
}

/**
 * Reads judgements as `calibrant judge` writes them: objects with `turn_idx`, `pred_action` (a name, an alias or a letter)
 * and `pred_answer`, by turn. One without a known action, or refused (`status: "rejected"`), is a judge that failed, unless another judged the
 * turn; of several the last counts. What names no turn by a whole number is left out.
 */
export function readTurnJudgements(value: unknown): ReadonlyMap<number, TurnVerdict> {
  const verdicts = new Map<number, TurnVerdict>();
  for (const entry of Array.isArray(value) ? (value as unknown[]) : [value ?? null]) {
    if (entry === null || typeof entry !== "object") continue;
    const { turn_idx, pred_action, pred_answer, status } = entry as Readonly<Record<string, unknown>>;
    const turn = turnNumber(turn_idx);
    const action = typeof pred_action === "string" && status !== "rejected" ? actionOf(pred_action) : null;
    if (turn === null || (action === null && verdicts.has(turn))) continue;
    verdicts.set(turn, { action, answer: typeof pred_answer === "string" ? pred_answer : null });
  }
  return verdicts;
}

function actionOf(text: string): Action | null {
  return ACTIONS[actionLabelCode(text.trim())] ?? null;
}
