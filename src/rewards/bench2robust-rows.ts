import { jsonReader, numberColumn, placeOf } from "../data/batch-columns.ts";
import { readGoldActions, readMessages, readToolCalls } from "../data/calls/messages.ts";
import type { ColumnNeeds, ColumnRequest, RolloutBatch } from "../data/columns.ts";
import { CalibrantError } from "../errors.ts";
import type { Message, ToolCall } from "../types.ts";
import { matchActions } from "./match-actions.ts";

/** What one turn is: an assistant message, any message but the system's, or a tool call. */
export type TurnCounting = "assistant" | "messages" | "calls";

/** One episode as the reward reads it; NaN and null = missing. */
export interface Episode {
  /** 1 or 0. */
  readonly completed: number;
  readonly turns: number;
  readonly calls: readonly ToolCall[] | null;
  readonly matched: number;
  readonly required: number;
}

/** The columns that Bench2Robust reads. */
export function bench2robustNeeds(turns: TurnCounting): ColumnNeeds {
  const number = (name: string): ColumnRequest => ({ name, kind: "number" });
  const json = (name: string): ColumnRequest => ({ name, kind: "json" });
  const calls = [json("tool_calls"), json("messages")];
  return {
    required: [
      [number("completed")],
      [number("num_turns"), ...(turns === "calls" ? calls : [json("messages")])],
      calls,
      // Both counts, or the gold actions: without the latter neither count can be absent.
      [number("matched_actions"), json("gold_actions")],
      [number("required_actions"), json("gold_actions")],
    ],
    optional: [],
  };
}

/**
 * Reads the episodes of a batch row by row. `num_turns` wins over counting, `tool_calls` over `messages` (of which only
 * the assistant's calls count), the two action counts over `gold_actions`; each row falls back on its own.
 *
 * @throws CalibrantError `data`, on reading a row, for a value that cannot be: `completed` other than 0 or 1, a count
 * that is no whole number from 0 on, more matched than required actions.
 */
export function episodeReader(batch: RolloutBatch, turns: TurnCounting): (row: number) => Episode {
  const completed = numberReader(batch, "completed");
  const numTurns = numberReader(batch, "num_turns");
  const matchedActions = numberReader(batch, "matched_actions");
  const requiredActions = numberReader(batch, "required_actions");
  const messageValues = jsonReader(batch, "messages");
  const callValues = jsonReader(batch, "tool_calls");
  const goldValues = jsonReader(batch, "gold_actions");
  const fail = failIn(batch);
  return (row) => {
    const givenTurns = whole(numTurns(row), "num_turns", row, fail);
    const callValue = callValues(row);
    const needsMessages = callValue === null || (Number.isNaN(givenTurns) && turns !== "calls");
    const messages = needsMessages ? readMessages(messageValues(row)) : null;
    const calls = callValue === null ? assistantCalls(messages) : readToolCalls(callValue);
    let matched = whole(matchedActions(row), "matched_actions", row, fail);
    let required = whole(requiredActions(row), "required_actions", row, fail);
    if (matched > required) {
      fail(row, "matched_actions", `at most required_actions = ${required}`, matched);
    }
    if (Number.isNaN(matched) || Number.isNaN(required)) {
      const value = goldValues(row);
      const gold = value === null ? null : readGoldActions(value);
      matched = gold === null || calls === null ? Number.NaN : matchActions(calls, gold);
      required = gold === null ? Number.NaN : gold.length;
    }
    return {
      completed: flag(completed(row), row, fail),
      turns: Number.isNaN(givenTurns) ? countTurns(messages, calls, turns) : givenTurns,
      calls,
      matched,
      required,
    };
  };
}

/** The number of turns of an episode; NaN when what is counted is missing. */
function countTurns(
  messages: readonly Message[] | null,
  calls: readonly ToolCall[] | null,
  turns: TurnCounting,
): number {
  if (turns === "calls") return calls === null ? Number.NaN : calls.length;
  if (messages === null) return Number.NaN;
  let count = 0;
  for (const { role } of messages) {
    if (turns === "assistant" ? role === "assistant" : role !== "system") count += 1;
  }
  return count;
}

function assistantCalls(messages: readonly Message[] | null): readonly ToolCall[] | null {
  return messages?.flatMap(({ role, toolCalls }) => (role === "assistant" ? toolCalls : [])) ?? null;
}

function numberReader(batch: RolloutBatch, name: string): (row: number) => number {
  const values = numberColumn(batch, name);
  return values === null ? () => Number.NaN : (row) => values[row] as number;
}

/** Throws for a value of a row that cannot be. */
type Fail = (row: number, column: string, expected: string, value: number) => never;

function failIn(batch: RolloutBatch): Fail {
  return (row, column, expected, value) => {
    const message = `${placeOf(batch, row)}: column ${column}: must be ${expected}, got ${value}`;
    throw new CalibrantError("data", message, { column, row, value });
  };
}

function whole(value: number, name: string, row: number, fail: Fail): number {
  if (value < 0 || (!Number.isInteger(value) && !Number.isNaN(value))) {
    fail(row, name, "a whole number from 0 on", value);
  }
  return value;
}

function flag(value: number, row: number, fail: Fail): number {
  if (value !== 0 && value !== 1 && !Number.isNaN(value)) fail(row, "completed", "0 or 1", value);
  return value;
}
