import { actionCode } from "../../data/calls/action.ts";
import { parseJsonLine } from "../../data/jsonl/parse-json-line.ts";
import { rowValue, shownValue } from "../../data/jsonl/row-value.ts";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { ACTIONS } from "../../types.ts";
import {
  valueOfChoice,
  WHEN2CALL_CHOICES,
  type When2CallChoice,
  type When2CallItem,
} from "./when2call-item.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a row of the dataset. Columns of other names are kept as they stand.
 *
 * @param place where the row stands, for errors
 * @throws CalibrantError `data` naming row and field for a value that the field cannot have.
 */
export function readItem(row: Fields, place: () => string): When2CallItem {
  const fail = (field: string, expected: string, value: unknown): never => {
    const message = `${place()}: ${field}: expected ${expected}, found ${shownValue(value)}`;
    throw new CalibrantError("data", message, { place: place(), field });
  };
  const question = rowValue(row, "question");
  if (question !== null && typeof question !== "string") fail("question", "text", question);
  return {
    ...row,
    id: itemId(row, fail),
    correct_answer: goldAction(row, fail),
    tools: toolList(row, fail),
    answers: answerTexts(row, fail),
  };
}

/** Refuses a value of a field. */
type Fail = (field: string, expected: string, value: unknown) => never;

function itemId(row: Fields, fail: Fail): string {
  const uuid = rowValue(row, "uuid");
  const field = uuid === null ? "id" : "uuid";
  const value = uuid ?? rowValue(row, "id");
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  return fail(field, "text or an integer", value);
}

function goldAction(row: Fields, fail: Fail): When2CallItem["correct_answer"] {
  const value = rowValue(row, "correct_answer");
  const code = typeof value === "string" ? actionCode(value) : -1;
  return ACTIONS[code] ?? fail("correct_answer", `one of ${WHEN2CALL_CHOICES.join(", ")}`, value);
}

function toolList(row: Fields, fail: Fail): readonly unknown[] | null {
  const value = parsedField(row, "tools", fail);
  if (value === null) return null;
  if (!Array.isArray(value)) return fail("tools", "a list of tools ([] for none)", value);
  return value.map((tool: unknown, index) => {
    if (typeof tool === "string") return parsedTool(tool);
    if (typeof tool === "object" && tool !== null && !Array.isArray(tool)) return tool;
    return fail(`tools[${index}]`, "an object or its JSON text", tool);
  });
}

/** A tool whose JSON is broken stays text: only the number of tools matters to the scores. */
function parsedTool(text: string): unknown {
  try {
    return parseJsonLine(text).value;
  } catch {
    return text;
  }
}

function answerTexts(row: Fields, fail: Fail): When2CallItem["answers"] {
  const value = parsedField(row, "answers", fail);
  if (value === null) return null;
  if (typeof value !== "object" || Array.isArray(value))
    return fail("answers", `an object of ${WHEN2CALL_CHOICES.join(", ")}`, value);
  const texts = WHEN2CALL_CHOICES.map((choice, code): [When2CallChoice, string] => {
    const text = valueOfChoice(value as Fields, code);
    return [choice, typeof text === "string" ? text : fail(`answers.${choice}`, "text", text ?? null)];
  });
  return Object.fromEntries(texts) as Record<When2CallChoice, string>;
}

/** A nested field, also where a flat format holds it as JSON text. */
function parsedField(row: Fields, field: string, fail: Fail): unknown {
  const value = rowValue(row, field);
  if (typeof value !== "string") return value;
  if (value.trim() === "") return null;
  try {
    return parseJsonLine(value).value;
  } catch (error) {
    return fail(field, `JSON text (${errorMessage(error)})`, value);
  }
}
