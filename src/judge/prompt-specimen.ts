import type { Message } from "../types.ts";
import type { KeyTurnAnnotation } from "./annotation.ts";
import type { TextLimits } from "./quoted-part.ts";

/** Stands for all conversations in the hashes of prompts: it has every kind of line, and a text that is shortened. */
export const SPECIMEN_MESSAGES: readonly Message[] = [
  { role: "system", content: "rules", toolCalls: [] },
  { role: "user", content: "=====", toolCalls: [] },
  {
    role: "assistant",
    content: "text",
    toolCalls: [
      { name: "look", arguments: { id: 7 } },
      { name: "look", arguments: "broken" },
    ],
  },
  { role: "tool", content: "result", toolCalls: [], name: "look" },
  { role: "tool", content: null, toolCalls: [] },
  { role: "user", content: "long ".repeat(100), toolCalls: [] },
  { role: "assistant", content: "text", toolCalls: [] },
];

/** A conversation with as little in it as possible. */
export const BARE_MESSAGES: readonly Message[] = [{ role: "user", content: "text", toolCalls: [] }];

/** Stands for all annotations. */
export const ANNOTATION_SPECIMEN: KeyTurnAnnotation = {
  turn_idx: 1,
  gt_action: "direct_answer",
  rationale: "why",
  target_answer: "text",
};

/** Short enough that a text of the specimen is shortened. */
export const SPECIMEN_LIMITS: TextLimits = { textLimit: 200, totalLimit: 10_000 };
