/** Some consecutive messages of a conversation: from `start` up to, not including, `end`. */
export interface TurnRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The user turns of a conversation: a message with the role `user` and everything up to the next one. What precedes the
 * first user message joins turn 0; a conversation without a user message is one turn. Linear; empty for no messages.
 *
 * @returns the messages of each turn, in order; together they are all messages.
 *
 * @example
 * ```ts
 * import { userTurns } from "calibrant/data";
 * const messages = [{ role: "system" }, { role: "user" }, { role: "assistant" }, { role: "user" }];
 * console.log(userTurns(messages)); // [ { start: 0, end: 3 }, { start: 3, end: 4 } ]
 * ```
 */
export function userTurns(messages: readonly { readonly role: string }[]): TurnRange[] {
  if (messages.length === 0) return [];
  const starts = [0];
  let isFirst = true;
  messages.forEach(({ role }, index) => {
    if (role !== "user") return;
    if (!isFirst) starts.push(index);
    isFirst = false;
  });
  return starts.map((start, turn) => ({ start, end: starts[turn + 1] ?? messages.length }));
}
