import { type TurnRange, userTurns } from "../data/calls/user-turns.ts";
import { CalibrantError } from "../errors.ts";
import { turnDecision } from "../rewards/trajectory/turn-decision.ts";
import type { Message } from "../types.ts";
import type { TurnJudgement } from "./annotation.ts";
import { JUDGEMENT_SCHEMA } from "./answer-schemas.ts";
import type { JudgeQuestion } from "./ask-until-valid.ts";
import { judgeMessages } from "./judge-prompt.ts";
import { type TextLimits, textLimits } from "./quoted-part.ts";
import { readConversation } from "./read-conversation.ts";
import { judgementSchema, readJudgementAnswer } from "./read-judgement-answer.ts";
import type { TurnToJudge } from "./turn-to-judge.ts";

/** What can be said of a turn without asking a model. */
export type WithoutModel =
  /** Native calls, or a text in TRUST's tags. The answer is empty where the tags hold none. */
  | {
      readonly outcome: "judged";
      readonly judgement: TurnJudgement;
      readonly source: "native_calls" | "text";
    }
  /** Free text: a model has to be asked. */
  | { readonly outcome: "unparsed" }
  /** The assistant neither wrote nor called anything in the turn: nothing was decided, and there is nothing to ask. */
  | { readonly outcome: "no_assistant" }
  /** The trajectory has no such turn. */
  | { readonly outcome: "no_turn" };

/**
 * Judges a turn without a model where that is possible, by the rule of `turnDecision`: native calls are `tool_call`, a text
 * with an action tag is what the tag says.
 *
 * @throws CalibrantError `data` for messages that are none.
 *
 * @example
 * ```ts
 * import { judgedWithoutModel } from "calibrant/judge";
 * const messages = [
 *   { role: "user", content: "Find 7." },
 *   { role: "assistant", content: "It is on the left." },
 * ];
 * console.log(judgedWithoutModel({ messages, turnIdx: 0, annotation: null })); // { outcome: 'unparsed' }
 * ```
 */
export function judgedWithoutModel({ messages, turnIdx }: TurnToJudge): WithoutModel {
  return readTurn(readConversation(messages), turnIdx);
}

/** {@link judgedWithoutModel} of messages that are read. */
export function readTurn(messages: readonly Message[], turnIdx: number): WithoutModel {
  const range = turnRange(messages, turnIdx);
  if (range === null) return { outcome: "no_turn" };
  const turn = messages.slice(range.start, range.end);
  const { action, answer, source } = turnDecision(turn);
  if (source === "no_assistant") return { outcome: "no_assistant" };
  if (action === null || source === "unparsed") return { outcome: "unparsed" };
  return {
    outcome: "judged",
    judgement: { pred_action: action, pred_answer: answer ?? "", rationale: "" },
    source,
  };
}

/** Makes the questions that judge turns. */
export interface TurnJudge {
  /**
   * The question what the assistant did in a turn. Its reader takes one of the four actions by its canonical name, with the
   * calls as JSON for `tool_call` and text that is not empty otherwise.
   *
   * @throws CalibrantError `data` when the trajectory has no such turn, or messages that are none.
   */
  question(turn: TurnToJudge): JudgeQuestion<TurnJudgement>;
}

/**
 * Creates a judge of turns; loads zod.
 *
 * @param options - how much of a trajectory it is shown: `textLimit` units (default 20000) of each text outside the turn
 *   itself, and `totalLimit` (default 160000) of all together.
 * @throws CalibrantError `option` for a limit that is no integer from 100.
 *
 * @example
 * ```ts
 * import { createTurnJudge } from "calibrant/judge";
 * const judge = await createTurnJudge();
 * const messages = [
 *   { role: "user", content: "Where is it?" },
 *   { role: "assistant", content: "On the left." },
 * ];
 * const { read } = judge.question({ messages, turnIdx: 0, annotation: null });
 * const answer = { pred_action: "direct_answer", pred_answer: "On the left.", rationale: "It says where." };
 * console.log("value" in read(JSON.stringify(answer))); // true
 * ```
 */
export async function createTurnJudge(options: Partial<TextLimits> = {}): Promise<TurnJudge> {
  const limits = textLimits(options);
  const { z } = await import("zod");
  const schema = judgementSchema(z);
  return {
    question(turn) {
      const messages = readConversation(turn.messages);
      if (turnRange(messages, turn.turnIdx) === null) {
        const count = userTurns(messages).length;
        throw new CalibrantError(
          "data",
          `the trajectory has ${count} turns, none with the index ${turn.turnIdx}`,
        );
      }
      return {
        messages: judgeMessages({ ...turn, messages }, limits),
        schema: JUDGEMENT_SCHEMA,
        read: (text) => readJudgementAnswer(text, schema),
      };
    },
  };
}

function turnRange(messages: readonly Message[], turnIdx: number): TurnRange | null {
  return userTurns(messages)[turnIdx] ?? null;
}
