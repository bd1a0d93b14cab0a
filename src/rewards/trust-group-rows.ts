import { actionLabelCode } from "../data/calls/action.ts";
import { readGoldActions } from "../data/calls/messages.ts";
import type { ColumnKind } from "../data/columns.ts";
import { parseJsonLine } from "../data/jsonl/parse-json-line.ts";
import { asList, rowPlace, shownValue } from "../data/jsonl/row-value.ts";
import { keyText, mistyped, otherNumber } from "../data/jsonl/rows-columns.ts";
import { CalibrantError } from "../errors.ts";
import type { GoldAction, Message } from "../types.ts";
import type { TrustRollout } from "./score-trust.ts";
import { ABSENT, type TermSource } from "./trust-terms.ts";
import { wireMessage } from "./wire-message.ts";

/** One rollout of a group: a {@link TrustRollout} without what the group shares. */
export type TrustGroupRollout = Omit<
  TrustRollout,
  "groupId" | "gtAction" | "gtAnswer" | "goldActions" | "refPpl" | "refLogprobs" | "negPpl"
>;

/** The rollouts of one decision point. What is absent, null or undefined is missing. */
export interface TrustGroupInput
  extends Pick<TrustRollout, "goldActions" | "refPpl" | "refLogprobs" | "negPpl"> {
  /** The gold action: a name or alias; for the variant `released` also a letter. */
  readonly goldAction: string | null | undefined;
  /** The target answer. */
  readonly goldAnswer?: string | null | undefined;
  /** The functions that may be called; only the variant `released` asks. */
  readonly tools?: unknown;
  readonly rollouts: readonly TrustGroupRollout[];
}

/** Where a value of a group stands: in a rollout, by its number, or in the group itself, {@link SHARED}. */
export type GroupRow = number;

export const SHARED = -1;

/** @throws CalibrantError `data` for a group without a list of rollouts, or a rollout that is none. */
export function checkRollouts({ rollouts }: TrustGroupInput): void {
  if (!Array.isArray(rollouts))
    throw new CalibrantError("data", `rollouts must be a list, got ${shownValue(rollouts)}`);
  for (let row = 0; row < rollouts.length; row++) {
    const rollout: unknown = rollouts[row];
    if (typeof rollout === "object" && rollout !== null) continue;
    throw new CalibrantError(
      "data",
      `${rowPlace("rollouts", row)}: must be an object, got ${shownValue(rollout)}`,
    );
  }
}

/** The fields of a group that its terms are judged by, checked at once and by column. */
export function groupSource(group: TrustGroupInput): TermSource {
  const { rollouts } = group;
  const rows = rollouts.length;
  const gold = codeOf(group.goldAction, "gt_action", SHARED);
  const goldAnswer = textOf(group.goldAnswer, "gt_answer", SHARED);
  const goldActionsOf = goldActionsReader(group.goldActions);
  const actions = new Int8Array(rows);
  const responses: (string | null)[] = [];
  const answers: (string | null)[] = [];
  const messages: unknown[] = [];
  const judgedFormat = new Float64Array(rows);
  const judgedAnswer = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const rollout = rollouts[row] as TrustGroupRollout;
    actions[row] = codeOf(rollout.action, "action", row);
    responses.push(textOf(rollout.response, "response", row));
    messages.push(messagesOf(rollout.messages, row));
    answers.push(textOf(rollout.answer, "answer", row));
    judgedFormat[row] = numberOf(rollout.rFmt, "judged_r_fmt", row);
    judgedAnswer[row] = numberOf(rollout.rAns, "judged_r_ans", row);
  }
  return {
    rows,
    actionOf: (row) => actions[row] as number,
    goldOf: () => gold,
    responseOf: (row) => responses[row] ?? null,
    messagesOf: (row) => messages[row],
    answerOf: (row) => answers[row] ?? null,
    goldAnswerOf: () => goldAnswer,
    goldActionsOf,
    judgedFormat,
    judgedAnswer,
  };
}

/** A number; NaN = missing. */
export function numberOf(value: unknown, name: string, row: GroupRow): number {
  return typeof value === "number" ? value : (otherNumber(value) ?? fail(name, "number", row, value));
}

/** A text; null = missing. */
export function textOf(value: unknown, name: string, row: GroupRow): string | null {
  if (typeof value === "string") return value;
  return isMissing(value) ? null : fail(name, "text", row, value);
}

/** An array or typed array; null = missing. */
export function listOf(value: unknown, name: string, row: GroupRow): ArrayLike<unknown> | null {
  if (isMissing(value)) return null;
  return asList(value) ?? fail(name, "list", row, value);
}

/** Where a value stands, for messages. */
export function groupPlace(row: GroupRow): string {
  return row === SHARED ? "group" : rowPlace("rollouts", row);
}

/** A name, numbers as their digits; null = missing. */
export function keyOf(value: unknown, name: string, row: GroupRow): string | null {
  return isMissing(value) ? null : (keyText(value) ?? fail(name, "key", row, value));
}

function codeOf(value: unknown, name: string, row: GroupRow): number {
  const key = keyOf(value, name, row);
  return key === null ? ABSENT : actionLabelCode(key);
}

/** The tools of a group, JSON text of them too; null = missing. */
export function toolsOf(value: unknown): unknown {
  if (isMissing(value)) return null;
  if (typeof value !== "string") return value;
  try {
    return value.trim() === "" ? null : parseJsonLine(value, { exactIntegers: true }).value;
  } catch (error) {
    return fail("tools", "json", SHARED, error);
  }
}

/** A conversation as `readMessages` takes it; null = missing. */
export function messagesOf(value: unknown, row: GroupRow): unknown {
  if (isMissing(value)) return null;
  if (!Array.isArray(value)) return fail("messages", "json", row, value);
  return (value as Message[]).map(wireMessage);
}

/** The rollouts of a group share their gold calls: they are read once, and only if an answer is compared with them. */
function goldActionsReader(value: unknown): () => readonly GoldAction[] | null {
  if (isMissing(value)) return () => null;
  let read: readonly GoldAction[] | undefined;
  return () => {
    read ??= readGoldActions(value);
    return read;
  };
}

/** Null, undefined, or NaN, which Python writes for a missing value. */
export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "number" && Number.isNaN(value));
}

function fail(name: string, kind: ColumnKind, row: GroupRow, value: unknown, index?: number): never {
  return mistyped({ name, kind }, groupPlace(row), value, index);
}
