import { userTurns } from "../data/calls/user-turns.ts";
import { CalibrantError } from "../errors.ts";
import type { KeyTurnAnnotation } from "./annotation.ts";
import { annotatorMessages } from "./annotator-prompt.ts";
import { ANNOTATIONS_SCHEMA } from "./answer-schemas.ts";
import type { JudgeQuestion } from "./ask-until-valid.ts";
import type { LabelBalance } from "./label-balance.ts";
import { type TextLimits, textLimits } from "./quoted-part.ts";
import { annotationsSchema, readAnnotationsAnswer } from "./read-annotations-answer.ts";
import { readConversation } from "./read-conversation.ts";
import { toolNames } from "./tool-list.ts";
import type { TrajectoryToAnnotate } from "./trajectory-to-annotate.ts";

/** Makes the questions that find key turns. */
export interface Annotator {
  /**
   * The question for at most two key turns of a trajectory. Its reader takes an answer only when every annotation in it is
   * valid: an existing turn, no turn twice, one of the four actions by its canonical name, and a target answer that is calls
   * of the trajectory's own tools for `tool_call` and text without a call otherwise. An empty list is valid: no turn is worth
   * a label.
   *
   * @throws CalibrantError `data` for a trajectory without messages, or with messages that are none.
   */
  question(
    trajectory: TrajectoryToAnnotate,
    balance: LabelBalance,
  ): JudgeQuestion<readonly KeyTurnAnnotation[]>;
}

/**
 * Creates an annotator; loads zod.
 *
 * @param options - how much of a trajectory it is shown: `textLimit` units (default 20000) of each message, result, tool and
 *   checklist, and `totalLimit` (default 160000) of all together.
 * @throws CalibrantError `option` for a limit that is no integer from 100.
 *
 * @example
 * ```ts
 * import { createAnnotator, labelBalance } from "calibrant/judge";
 * const annotator = await createAnnotator();
 * const messages = [
 *   { role: "user", content: "Book a table." },
 *   { role: "assistant", content: "For how many?" },
 * ];
 * const balance = labelBalance({ direct_answer: 0, tool_call: 0, request_for_info: 0, cannot_answer: 0 });
 * const question = annotator.question({ messages, tools: null, checklists: null }, balance);
 * console.log(question.read('{"annotations": []}')); // { value: [] }
 * ```
 */
export async function createAnnotator(options: Partial<TextLimits> = {}): Promise<Annotator> {
  const limits = textLimits(options);
  const { z } = await import("zod");
  return {
    question(trajectory, balance) {
      const read = { ...trajectory, messages: readConversation(trajectory.messages) };
      const turns = userTurns(read.messages).length;
      if (turns === 0) throw new CalibrantError("data", "the trajectory to annotate has no messages");
      const schema = annotationsSchema(z, { turns, tools: toolNames(trajectory.tools) });
      return {
        messages: annotatorMessages(read, balance, limits),
        schema: ANNOTATIONS_SCHEMA,
        read: (text) => readAnnotationsAnswer(text, schema),
      };
    },
  };
}
