import type { Message } from "../types.ts";
import type { KeyTurnAnnotation } from "./annotation.ts";

/** One user turn of a trajectory whose decision is wanted. */
export interface TurnToJudge {
  /** The whole trajectory: messages as `readMessages` gives them, or in OpenAI's chat format. */
  readonly messages: readonly (Message | Readonly<Record<string, unknown>>)[];
  /** The user turn, from 0, as `userTurns` counts them. */
  readonly turnIdx: number;
  /** The annotation of the turn; null without. */
  readonly annotation: KeyTurnAnnotation | null;
}
