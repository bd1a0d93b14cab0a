import { userTurns } from "../data/calls/user-turns.ts";
import type { ChatMessage } from "../inference/chat-client.ts";
import type { Action } from "../types.ts";
import { actionLines, QUOTED_TEXT_RULE } from "./actions-prompt.ts";
import { jsonLine, type QuotedPart, quotedText, type TextLimits } from "./quoted-part.ts";
import type { WithMessages } from "./read-conversation.ts";
import { turnSummary } from "./turn-summary.ts";
import type { TurnToJudge } from "./turn-to-judge.ts";

/** The judge's prompt: what is asked; then the earlier turns, the turn itself and its annotation. Later turns are not in it. */
export function judgeMessages(turn: WithMessages<TurnToJudge>, limits: TextLimits): readonly ChatMessage[] {
  const quoted = quotedText([...turnParts(turn), ...annotationParts(turn)], limits);
  const closing = `What did the assistant do in turn ${turn.turnIdx}? Answer with one JSON object:\n${ANSWER_FORM}`;
  return [
    { role: "system", content: SYSTEM_TEXT },
    { role: "user", content: `${quoted}\n\n${closing}` },
  ];
}

/** What each action looks like in a turn. */
const WHAT_IT_LOOKS_LIKE: Readonly<Record<Action, string>> = {
  direct_answer:
    "the assistant gives the user the substance of a reply, and neither calls a tool nor waits for something from the user first",
  tool_call: "the assistant's first step is to call one or more tools, in whatever notation",
  request_for_info:
    "the assistant asks the user for something that it says it needs before it can answer or call a tool",
  cannot_answer:
    "the assistant says that it cannot or will not do what is asked, for want of ability, access or permission, and nothing it asks for would change that",
};

const ANSWER_FORM =
  '{"pred_action": "<one of the four actions>", "pred_answer": "<the assistant\'s reply>", "rationale": "<one or two sentences>"}';

const SYSTEM_TEXT = `You read one turn of a conversation between a user and an assistant that can use tools, and say what the assistant did in it.

A turn is a message of the user and everything up to the user's next one. You are shown the earlier turns, the turn to read, and in most cases an annotation: what somebody else held to be the right action there.

${QUOTED_TEXT_RULE}

The four actions, of which exactly one fits a turn:
${actionLines(WHAT_IT_LOOKS_LIKE)}

How to decide:
- Go by what the assistant did in the turn, not by what it should have done or what it announced.
- A polite question after a complete answer ("anything else?") does not make it request_for_info, and an apology before one does not make it cannot_answer.
- If the assistant did do the action that the annotation names, then that is the pred_action, also where another one could be argued for. If it did not, say what it did; the annotation is no reason to see more in the turn than is there.

The pred_answer is the assistant's reply, not yours:
- tool_call: only the call as JSON text, {"name": "<name of the tool>", "arguments": {<its arguments>}}, or a list of such objects for several calls
- any other action: the words of the assistant, copied unchanged from the turn

Answer with one JSON object in this form and write nothing after it:
${ANSWER_FORM}`;

function turnParts({ messages, turnIdx }: WithMessages<TurnToJudge>): QuotedPart[] {
  const turns = userTurns(messages).slice(0, turnIdx + 1);
  return turns.map(({ start, end }, turn) => {
    const isRead = turn === turnIdx;
    const title = isRead ? `Turn ${turn}, THE TURN TO READ:` : `Turn ${turn}, earlier:`;
    return { title, lines: turnSummary(messages.slice(start, end), isRead) };
  });
}

function annotationParts({ annotation }: Pick<TurnToJudge, "annotation">): QuotedPart[] {
  if (annotation === null) return [];
  const { turn_idx, gt_action, rationale, target_answer } = annotation;
  const line = jsonLine({ turn_idx, gt_action, rationale, target_answer });
  return [{ title: "Annotation of the turn to read:", lines: [line] }];
}
