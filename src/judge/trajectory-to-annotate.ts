import type { Message } from "../types.ts";

/** A trajectory whose key turns are wanted. */
export interface TrajectoryToAnnotate {
  /** The whole trajectory: messages as `readMessages` gives them, or in OpenAI's chat format. */
  readonly messages: readonly (Message | Readonly<Record<string, unknown>>)[];
  /** The agent's tools: a list of schemas, one of them, or JSON text of either; null or empty = unknown. */
  readonly tools: unknown;
  /** The checklists of the trajectory in any form; null without. */
  readonly checklists: unknown;
}
