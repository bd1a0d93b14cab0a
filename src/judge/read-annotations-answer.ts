import type { ZodType } from "zod";
import { parseCalls } from "../rewards/parse-calls.ts";
import { ACTIONS } from "../types.ts";
import type { KeyTurnAnnotation } from "./annotation.ts";
import { issuesText, noJsonText } from "./answer-error.ts";
import { type FoundJson, jsonObjects } from "./extract-json.ts";
import { targetCallsError } from "./target-calls.ts";

/** What a valid annotation depends on. */
export interface AnnotationLimits {
  /** How many user turns the trajectory has. */
  readonly turns: number;
  /** The names of the agent's tools; null = unknown, any name is right. */
  readonly tools: ReadonlySet<string> | null;
}

type Zod = typeof import("zod")["z"];

/** The most annotations of one trajectory. */
const MOST = 2;

/** The form of an answer, for errors. */
const FORM = '{"annotations": [{"turn_idx", "gt_action", "rationale", "target_answer"}]}';

/** The zod schema of an annotator's answer, `{annotations: […]}`; its messages follow the path of a value. */
export function annotationsSchema(
  z: Zod,
  { turns, tools }: AnnotationLimits,
): ZodType<{ annotations: KeyTurnAnnotation[] }> {
  const turn = `must be the number of a turn, an integer from 0 to ${turns - 1}`;
  const annotation = z
    .object(
      {
        turn_idx: z
          .int({ error: turn })
          .min(0, { error: turn })
          .max(turns - 1, { error: turn }),
        gt_action: z.enum(ACTIONS, { error: `must be one of ${ACTIONS.join(", ")}` }),
        rationale: z.string({ error: "must be a string" }),
        target_answer: z.string({ error: "must be a string" }),
      },
      { error: "must be an object with turn_idx, gt_action, rationale and target_answer" },
    )
    .superRefine(({ gt_action, target_answer }, context) => {
      const problem = targetError(gt_action, target_answer, tools);
      if (problem !== null) context.addIssue({ code: "custom", path: ["target_answer"], message: problem });
    });
  const annotations = z
    .array(annotation, { error: "must be a list of annotations" })
    .max(MOST, { error: `must hold at most ${MOST} annotations: keep the ${MOST} turns that decide most` })
    .superRefine((list, context) => {
      const turns = list.map(({ turn_idx }) => turn_idx);
      const again = list.length > MOST ? -1 : turns.findIndex((turn, index) => turns.indexOf(turn) < index);
      if (again < 0) return;
      const message = "names the turn of another annotation: each turn has one at most";
      context.addIssue({ code: "custom", path: [again, "turn_idx"], message });
    });
  return z.object({ annotations });
}

function targetError(
  action: KeyTurnAnnotation["gt_action"],
  target: string,
  tools: AnnotationLimits["tools"],
): string | null {
  if (action === "tool_call") return targetCallsError(target, tools);
  if (target.trim() === "") return `must be the text of the reply for ${action}, which is not empty`;
  return parseCalls(target).length === 0
    ? null
    : `must be text without a tool call for ${action}; a reply that calls a tool is tool_call`;
}

/**
 * Reads the text of an annotator's answer: `{annotations: […]}`, or tolerantly a bare list, a list that is the only member of an
 * object, one annotation, or several with nothing but white space between them. Of several such things the last counts.
 */
export function readAnnotationsAnswer(
  text: string,
  schema: ZodType<{ annotations: KeyTurnAnnotation[] }>,
): { readonly value: readonly KeyTurnAnnotation[] } | { readonly error: string } {
  const found = jsonObjects(text);
  const last = found.findLastIndex(({ value }) => annotationsIn(value) !== null || isAnnotation(value));
  const answer = found[last]?.value ?? found.at(-1)?.value;
  if (answer === undefined) return { error: noJsonText(text, FORM) };
  const run = isAnnotation(answer) ? annotationRun(found, last) : null;
  if (run !== null && standsApart(found, run))
    return { error: `several annotations stand apart: put the ones that you mean into one list, ${FORM}` };
  const read = run === null ? annotationsIn(answer) : { annotations: run };
  if (read === null) return { error: `the answer needs the key "annotations", a list: write ${FORM}` };
  const { success, data, error } = schema.safeParse(read);
  return success ? { value: data.annotations } : { error: issuesText(error.issues, read) };
}

/** The annotation at `last` and those directly before it. */
function annotationRun(found: readonly FoundJson[], last: number): readonly unknown[] {
  let first = last;
  while (first > 0 && found[first]?.joined === true && isAnnotation(found[first - 1]?.value)) first -= 1;
  return found.slice(first, last + 1).map(({ value }) => value);
}

/** Whether some annotation outside the run is about another turn: then it may be meant too, and nobody can tell. */
function standsApart(found: readonly FoundJson[], run: readonly unknown[]): boolean {
  const turnOf = (value: unknown): unknown => (value as { readonly turn_idx: unknown }).turn_idx;
  const turns = new Set(run.map(turnOf));
  return found.some(({ value }) => isAnnotation(value) && !turns.has(turnOf(value)));
}

/** The annotations of an answer in one of its forms, not yet checked; null when it has none of them. */
function annotationsIn(value: unknown): { readonly annotations: unknown } | null {
  if (Array.isArray(value))
    return value.length === 0 || value.some(isAnnotation) ? { annotations: value } : null;
  if (value === null || typeof value !== "object") return null;
  if ("annotations" in value) return { annotations: value.annotations };
  const [only, ...more] = Object.values(value) as unknown[];
  return more.length === 0 && Array.isArray(only) && only.some(isAnnotation) ? { annotations: only } : null;
}

function isAnnotation(value: unknown): boolean {
  return (
    value !== null &&
    typeof value === "object" &&
    !Array.isArray(value) &&
    Object.hasOwn(value, "turn_idx") &&
    Object.hasOwn(value, "gt_action")
  );
}
