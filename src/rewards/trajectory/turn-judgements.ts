import { actionLabelCode } from "../../data/calls/action.ts";
import { ACTIONS, type Action } from "../../types.ts";

/** What a judge made of a turn. */
export interface TurnVerdict {
  /** Null where the judge failed. */
  readonly action: Action | null;
  readonly answer: string | null;
}

/**
 * Reads judgements as `calibrant judge` writes them: objects with `turn_idx`, `pred_action` (a name, an alias or a letter)
 * and `pred_answer`, by turn. One without a known action is a judge that failed, unless another judged the turn; of
 * several the last counts. Anything else in the list is left out.
 *
 * @returns null when there are no judgements at all: nothing was judged, so nothing is missing.
 */
export function readTurnJudgements(value: unknown): ReadonlyMap<number, TurnVerdict> | null {
  if (value === null || value === undefined) return null;
  const verdicts = new Map<number, TurnVerdict>();
  for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (entry === null || typeof entry !== "object") continue;
    const { turn_idx, pred_action, pred_answer } = entry as Readonly<Record<string, unknown>>;
    const turn = Number(turn_idx);
    const action = typeof pred_action === "string" ? actionOf(pred_action) : null;
    if (action === null && verdicts.has(turn)) continue;
    verdicts.set(turn, { action, answer: typeof pred_answer === "string" ? pred_answer : null });
  }
  return verdicts;
}

function actionOf(text: string): Action | null {
  return ACTIONS[actionLabelCode(text.trim())] ?? null;
}
