import { shownValue } from "../../data/jsonl/row-value.ts";
import { CalibrantError } from "../../errors.ts";
import {
  FAULT_TYPES,
  type FaultType,
  faultTypeCode,
  NEXT_ACTIONS,
  type NextAction,
  nextActionCode,
} from "./labels.ts";
import type { ToolFaultGold, ToolFaultItem } from "./tool-fault-item.ts";

/** The value of a column in one row; null = missing. Text columns give text, the others what their file holds. */
export type ItemCells = (column: string) => unknown;

/**
 * An item from the cells of a row, everything about it checked.
 *
 * @param place - where the row stands, for errors.
 * @throws CalibrantError `data` naming place and column of the first thing that is wrong.
 */
export function checkedItem(cells: ItemCells, place: string): ToolFaultItem {
  const field = (column: string): Field => ({ place, column, value: cells(column) });
  return {
    ...checkedGold(cells, place),
    next_action: readAction(field("next_action")),
    domain: readText(cells("domain")),
    subtype: readText(cells("subtype")),
    difficulty: readText(cells("difficulty")),
    current_time: readText(cells("current_time")),
    user_request: readText(cells("user_request")),
    tools: readList(field("tools"), "an array of function schemas, or JSON text of one"),
    messages: readConversation(field("messages")),
    num_tool_calls: cells("num_tool_calls") as number | null,
    last_tool_name: readText(cells("last_tool_name")),
    last_tool_result: readText(cells("last_tool_result")),
    gold_recovery: readText(cells("gold_recovery")),
    rationale: readText(cells("rationale")),
    meta: cells("meta"),
  };
}

/**
 * What scoring needs of an item, from the cells of a row; a `next_action` of null is left out.
 *
 * @param place - where the row stands, for errors.
 * @throws CalibrantError `data` naming place and column of the first thing that is wrong.
 */
export function checkedGold(cells: ItemCells, place: string): ToolFaultGold & CheckedFlag {
  const field = (column: string): Field => ({ place, column, value: cells(column) });
  const faultType = readFaultType(field("fault_type"));
  const acceptable = readActions(field("acceptable_next_actions"));
  const critical = readActions(field("critical_next_actions"));
  const nextAction = cells("next_action") === null ? null : readAction(field("next_action"));
  checkActions({ acceptable, critical, nextAction }, field);
  return {
    id: readId(field("id")),
    fault_type: faultType,
    ...(nextAction !== null && { next_action: nextAction }),
    acceptable_next_actions: acceptable,
    critical_next_actions: critical,
    is_hard_negative: readHardNegative(field("is_hard_negative"), faultType),
  };
}

interface CheckedFlag {
  readonly is_hard_negative: boolean;
}

interface Field {
  readonly place: string;
  readonly column: string;
  readonly value: unknown;
}

function fail({ place, column }: Pick<Field, "place" | "column">, problem: string): never {
  throw new CalibrantError("data", `${place}: column ${column}: ${problem}`, { place, column });
}

function readText(value: unknown): string | null {
  return value as string | null;
}

function readId(field: Field): string {
  const { value } = field;
  if (typeof value === "string" && value.trim() !== "") return value;
  return fail(
    field,
    `every item needs an id of its own, found ${value === null ? "nothing (null)" : shownValue(value)}`,
  );
}

function readFaultType(field: Field): FaultType {
  const code = typeof field.value === "string" ? faultTypeCode(field.value) : -1;
  return FAULT_TYPES[code] ?? unknownLabel(field, "fault type", FAULT_TYPES);
}

function readAction(field: Field): NextAction {
  const code = typeof field.value === "string" ? nextActionCode(field.value) : -1;
  return NEXT_ACTIONS[code] ?? unknownLabel(field, "next action", NEXT_ACTIONS);
}

function unknownLabel(field: Field, what: string, known: readonly string[]): never {
  const found =
    field.value === null || field.value === undefined ? "nothing (null)" : shownValue(field.value);
  return fail(field, `expected a ${what} (${known.join(", ")}), found ${found}`);
}

function readList(field: Field, expected: string): readonly unknown[] {
  if (Array.isArray(field.value)) return field.value as unknown[];
  return fail(
    field,
    `expected ${expected}, found ${field.value === null ? "nothing (null)" : shownValue(field.value)}`,
  );
}

function readActions(field: Field): NextAction[] {
  const expected = "a list of next actions, or JSON text of one; [] where there are none";
  return readList(field, expected).map((value, i) =>
    readAction({ place: field.place, column: `${field.column}[${i}]`, value }),
  );
}

interface ItemActions {
  readonly acceptable: readonly NextAction[];
  readonly critical: readonly NextAction[];
  readonly nextAction: NextAction | null;
}

function checkActions(
  { acceptable, critical, nextAction }: ItemActions,
  field: (column: string) => Field,
): void {
  if (acceptable.length === 0)
    fail(field("acceptable_next_actions"), "an item needs at least one acceptable action, found []");
  const both = acceptable.filter((action) => critical.includes(action));
  if (both.length > 0)
    fail(field("critical_next_actions"), `an action cannot be acceptable and critical: ${both.join(", ")}`);
  if (nextAction !== null && !acceptable.includes(nextAction))
    fail(
      field("next_action"),
      `must be one of acceptable_next_actions (${acceptable.join(", ")}), got ${nextAction}`,
    );
}

function readHardNegative(field: Field, faultType: FaultType): boolean {
  const isClean = faultType === "none";
  const { value } = field;
  if (value === null || value === Number(isClean)) return isClean;
  return fail(field, `must be ${isClean} where fault_type is ${faultType}, got ${shownHardNegative(value)}`);
}

function shownHardNegative(value: unknown): string {
  return value === 0 ? "false" : value === 1 ? "true" : shownValue(value);
}

function readConversation(field: Field): ToolFaultItem["messages"] {
  const messages = readList(field, "an array of messages, or JSON text of one");
  for (const [i, message] of messages.entries()) {
    if (isMessage(message)) continue;
    fail(
      { ...field, column: `messages[${i}]` },
      `expected an object with a role, found ${shownValue(message)}`,
    );
  }
  const last = messages.at(-1) as Readonly<Record<string, unknown>> | undefined;
  if (last?.role !== "tool") {
    const found = last === undefined ? "no message" : `role ${shownValue(last.role)}`;
    fail(field, `the last message must be the tool result to judge (role "tool"), found ${found}`);
  }
  return messages as ToolFaultItem["messages"];
}

function isMessage(value: unknown): boolean {
  return (
    value !== null &&
    typeof value === "object" &&
    !Array.isArray(value) &&
    typeof (value as { readonly role?: unknown }).role === "string"
  );
}
