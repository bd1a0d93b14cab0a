import { actionCode } from "../../data/calls/action.ts";

/** Names under which judges write their verdict. */
const FIELD =
  /"(?:classification|category|pred_action|predicted_label|prediction|judge_label|label|action)"\s*:\s*"([^"]*)"/gi;
/** Category names as they are spelled in the dataset. */
const EXACT = /(?<!\w)(?:direct(?:_answer)?|tool_call|request_for_info|cannot_answer)(?!\w)/gi;
/** The same in the words of a sentence. */
const SPACED =
  /(?<!\w)(?:direct[ -]answer|tool[ -]call|request[ -]for[ -]info(?:rmation)?|cannot[ -]answer)(?!\w)/gi;

/**
 * The category that a judge's text names, as its place in `ACTIONS`; -1 when it names none.
 *
 * The whole text may be the category, in any spelling of `parseAction`. Else the last field of a JSON answer that holds a
 * verdict decides (`"classification": "tool_call"`, complete or cut off), so that a rationale after it may name other
 * categories; else the last category in the text: first by its exact name (`direct`, `tool_call`, …), else in words
 * (`tool call`).
 */
export function judgeLabelCode(text: string): number {
  const whole = actionCode(text.trim().replace(/^["'`*]+|["'`*.]+$/g, ""));
  if (whole >= 0) return whole;
  const verdict = lastCode(Array.from(text.matchAll(FIELD), (match) => (match[1] as string).trim()));
  if (verdict >= 0) return verdict;
  const exact = lastCode(text.match(EXACT) ?? []);
  if (exact >= 0) return exact;
  return lastCode(
    (text.match(SPACED) ?? []).map((words) => words.replace(/[ -]/g, "_").replace(/rmation$/i, "")),
  );
}

function lastCode(names: readonly string[]): number {
  for (let i = names.length - 1; i >= 0; i--) {
    const code = actionCode(names[i]);
    if (code >= 0) return code;
  }
  return -1;
}
