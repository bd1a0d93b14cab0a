import { userTurns } from "../data/calls/user-turns.ts";
import type { ChatMessage } from "../inference/chat-client.ts";
import { ACTIONS, type Action } from "../types.ts";
import { actionLines, QUOTED_TEXT_RULE } from "./actions-prompt.ts";
import type { LabelBalance } from "./label-balance.ts";
import { jsonLine, type QuotedPart, quotedText, type TextLimits } from "./quoted-part.ts";
import type { WithMessages } from "./read-conversation.ts";
import { toolList } from "./tool-list.ts";
import type { TrajectoryToAnnotate } from "./trajectory-to-annotate.ts";
import { turnSummary } from "./turn-summary.ts";

/** The annotator's prompt: what is asked; then the label counts, the tools, the turns and the checklists of a trajectory. */
export function annotatorMessages(
  trajectory: WithMessages<TrajectoryToAnnotate>,
  balance: LabelBalance,
  limits: TextLimits,
): readonly ChatMessage[] {
  const quoted = quotedText(
    [...toolParts(trajectory), ...turnParts(trajectory), ...checklistParts(trajectory)],
    limits,
  );
  const user = `${balanceText(balance)}\n\n${quoted}\n\n${CLOSING}`;
  return [
    { role: "system", content: SYSTEM_TEXT },
    { role: "user", content: user },
  ];
}

/** What makes each action the right one. */
const WHEN_RIGHT: Readonly<Record<Action, string>> = {
  direct_answer:
    "all that a good reply needs is in the conversation already or is common knowledge, so the agent should reply now, without a call and without a question",
  tool_call:
    "one of the agent's tools takes the request further and every argument it requires is known, so the agent should call it now",
  request_for_info:
    "something that only the user can supply is missing, and until it is there any answer or call would be a guess, so the agent should ask for it",
  cannot_answer:
    "the request is beyond the agent's tools, knowledge or permission, and nothing that the user could add would change that, so the agent should say that it cannot do it",
};

const ANSWER_FORM =
  '{"annotations": [{"turn_idx": <number of the turn>, "gt_action": "<one of the four actions>", "rationale": "<one or two sentences>", "target_answer": "<the reply>"}]}';

const SYSTEM_TEXT = `You label the decisions of an AI agent that uses tools. The labels teach agents when to act and when to hold back.

You are shown the agent's tools, one of its conversations with a user, and the checklists by which the conversation was graded, where there are any. The conversation is split into numbered turns: a message of the user and everything up to the user's next one. Find the turns where deciding well matters most, and say what the right decision was.

${QUOTED_TEXT_RULE}

The four actions, of which exactly one is right in a turn:
${actionLines(WHEN_RIGHT)}

Which turns to choose:
- Choose at most two turns. One that teaches something is better than two that teach little, and no turn is better than one whose right action you would have to guess.
- Choose turns where a careful and a careless agent would part ways: a required argument that nobody gave, a call with invented values or of an unsuited tool, a step that the agent's rules forbid, a failed call that needs the user, a question whose answer earlier results already hold, a request that the tools cannot serve.
- Choose only turns in which the agent replied or called a tool.
- Two turns of one conversation with the same action and the same reason are one too many.

Which action is right:
- The action of a turn is the first step that settles it: where a call comes first and its result is reported afterwards, that is tool_call.
- Decide by what the agent could know at that turn, all earlier messages and tool results included. Later turns and the checklists help you to see whether it was right.
- The agent may have decided wrongly. Label what was right, not what it did.
- Asking is not the safe choice. With enough at hand to answer, direct_answer is right; with enough at hand to call, tool_call is right; where no answer of the user could help, cannot_answer is right.
- Weigh the substance. Words such as "sorry" or a question mark do not decide.

The target_answer is the right reply itself. Where the agent did the right thing, copy it from the conversation; otherwise write it.
- tool_call: the call or calls and nothing else, each in the form <tool_call>{"name": "<name of the tool>", "arguments": {<its arguments>}}</tool_call>
- request_for_info: the question to the user
- direct_answer: the answer
- cannot_answer: the statement that it cannot be done

Answer with one JSON object in this form and write nothing after it. Where no turn is worth a label, the list is empty.
${ANSWER_FORM}`;

const CLOSING = `Which turns, at most two, decide most, and what was right there? Answer with one JSON object:
${ANSWER_FORM}`;

function balanceText({ counts, under, over }: LabelBalance): string {
  const named = (actions: readonly Action[]): string => (actions.length === 0 ? "none" : actions.join(", "));
  return `Labels so far: ${ACTIONS.map((action) => `${action} ${counts[action]}`).join(", ")}.
Under-represented: ${named(under)}. Over-represented: ${named(over)}.
Of turns that are equally useful and equally clear, take those whose right action is under-represented before others, and those whose right action is over-represented last. Never bend the action of a turn to the counts.`;
}

function toolParts({ tools }: Pick<TrajectoryToAnnotate, "tools">): QuotedPart[] {
  const list = toolList(tools);
  const title =
    list === null ? "Tools of the agent: not recorded." : "Tools of the agent, one JSON object a line:";
  return [{ title, lines: (list ?? []).map(jsonLine) }];
}

function turnParts({ messages }: WithMessages<TrajectoryToAnnotate>): QuotedPart[] {
  return userTurns(messages).map(({ start, end }, turn) => ({
    title: `Turn ${turn}:`,
    lines: turnSummary(messages.slice(start, end), false),
  }));
}

function checklistParts({ checklists }: Pick<TrajectoryToAnnotate, "checklists">): QuotedPart[] {
  if (checklists === null || checklists === undefined || checklists === "") return [];
  const list: readonly unknown[] = Array.isArray(checklists) ? checklists : [checklists];
  return [{ title: "Checklists of the conversation, one a line:", lines: list.map(jsonLine) }];
}
