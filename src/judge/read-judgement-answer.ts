import type { ZodType } from "zod";
import { jsonText } from "../data/jsonl/json-text.ts";
import { parseCalls } from "../rewards/parse-calls.ts";
import { ACTIONS } from "../types.ts";
import type { TurnJudgement } from "./annotation.ts";
import { issuesText, noJsonText } from "./answer-error.ts";
import { jsonObjects } from "./extract-json.ts";

type Zod = typeof import("zod")["z"];

/** The form of an answer, for errors. */
const FORM = '{"pred_action", "pred_answer", "rationale"}';

/** The zod schema of a judge's answer; its messages follow the path of a value. */
export function judgementSchema(z: Zod): ZodType<TurnJudgement> {
  const fields = {
    pred_action: z.enum(ACTIONS, { error: `must be one of ${ACTIONS.join(", ")}` }),
    pred_answer: z.string({ error: "must be a string" }),
    rationale: z.string({ error: "must be a string" }),
  };
  return z
    .object(fields, { error: "must be one object with pred_action, pred_answer and rationale" })
    .superRefine(({ pred_action, pred_answer }, context) => {
      const problem = answerError(pred_action, pred_answer);
      if (problem !== null) context.addIssue({ code: "custom", path: ["pred_answer"], message: problem });
    });
}

function answerError(action: TurnJudgement["pred_action"], answer: string): string | null {
  if (action !== "tool_call")
    return answer.trim() === "" ? "must be the words of the assistant, not empty" : null;
  const calls = parseCalls(answer);
  return calls.length > 0 && calls.every(({ name }) => name.trim() !== "")
    ? null
    : 'must be the call as JSON text, {"name": "…", "arguments": {…}}, or a list of such objects';
}

/**
 * Reads the text of a judge's answer. Of several JSON objects the last with a `pred_action` counts. Calls may also come as JSON
 * in the place of text, or in `<tool_call>` blocks. What stands around them is left out.
 */
export function readJudgementAnswer(
  text: string,
  schema: ZodType<TurnJudgement>,
): { readonly value: TurnJudgement } | { readonly error: string } {
  const found = jsonObjects(text).map(({ value }) => onlyElement(value));
  const last = found.findLast((value) => hasKey(value, "pred_action")) ?? found.at(-1);
  if (last === undefined) return { error: noJsonText(text, FORM) };
  const answer = withAnswerText(last);
  const { success, data, error } = schema.safeParse(answer);
  if (!success) return { error: issuesText(error.issues, answer) };
  return {
    value: data.pred_action === "tool_call" ? { ...data, pred_answer: callsText(data.pred_answer) } : data,
  };
}

/** Text that is nothing but JSON or blocks of calls. */
const BARE_CALLS = /^\s*(?:[[{][\s\S]*|<tool_call>[\s\S]*<\/tool_call>\s*)$/i;

/** The calls alone. Once parsed, `1.0` and `1` are the same number, so text that is bare is handed on as it was written. */
function callsText(answer: string): string {
  if (BARE_CALLS.test(answer)) return answer.trim();
  const calls = parseCalls(answer);
  return jsonText(calls.length === 1 ? calls[0] : calls);
}

/** The element of a list of one; anything else as it is. */
function onlyElement(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
}

function withAnswerText(value: unknown): unknown {
  if (!hasKey(value, "pred_answer")) return value;
  const { pred_answer: answer } = value as { readonly pred_answer: unknown };
  const isJson = answer !== null && typeof answer === "object";
  return isJson ? { ...(value as object), pred_answer: jsonText(answer) } : value;
}

function hasKey(value: unknown, key: string): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value) && Object.hasOwn(value, key);
}
