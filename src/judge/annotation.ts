import type { Action } from "../types.ts";

/** What the right decision of one user turn is, in the wire form of annotation files. */
export interface KeyTurnAnnotation {
  /** The user turn, from 0, as `userTurns` counts them. */
  readonly turn_idx: number;
  readonly gt_action: Action;
  readonly rationale: string;
  /** For `tool_call`, `<tool_call>{"name":…,"arguments":{…}}</tool_call>` blocks; otherwise text without a call. */
  readonly target_answer: string;
}

/** What an assistant did in one user turn, in the wire form of judgement files. */
export interface TurnJudgement {
  readonly pred_action: Action;
  /** For `tool_call`, JSON of the call or the list of calls; otherwise the text. Empty where a tagged text has no answer. */
  readonly pred_answer: string;
  /** Why, in the judge's words; empty where no model was asked. */
  readonly rationale: string;
}
