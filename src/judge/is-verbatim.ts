import { userTurns } from "../data/calls/user-turns.ts";
import type { TurnJudgement } from "./annotation.ts";
import { readConversation } from "./read-conversation.ts";
import type { TurnToJudge } from "./turn-to-judge.ts";

/**
 * Whether the words that a judge gives as the assistant's are in its texts of that turn: runs of white space count as one space,
 * letter case counts, and the texts of several messages follow each other.
 *
 * @returns null for `tool_call`, whose answer is the call and no text.
 * @throws CalibrantError `data` for messages that are none.
 */
export function isVerbatim(
  { pred_action, pred_answer }: TurnJudgement,
  { messages, turnIdx }: Pick<TurnToJudge, "messages" | "turnIdx">,
): boolean | null {
  if (pred_action === "tool_call") return null;
  const read = readConversation(messages);
  const { start = 0, end = 0 } = userTurns(read)[turnIdx] ?? {};
  const texts = read
    .slice(start, end)
    .flatMap(({ role, content }) => (role === "assistant" && content !== null ? [content] : []));
  return collapsed(texts.join(" ")).includes(collapsed(pred_answer));
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
