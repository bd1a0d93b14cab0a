import { type PythonJson, parsePythonJson, pythonJsonText } from "./python-json.ts";
import { SPACE, strip } from "./python-text.ts";
import { firstBlock, firstTag, nameText, TAG, toolCallBlocks } from "./released-reference.ts";

interface Parts {
  readonly think: string;
  readonly action: string;
  readonly label: string;
  readonly answer: string;
}

const NAME = "(direct_answer|tool_call|request_for_info|cannot_answer)";
const ACTION_ELEMENT = `<action>${SPACE}*${NAME}${SPACE}*</action>`;
const LABEL_ELEMENT = `<label>${SPACE}*([ABCD])${SPACE}*</label>`;

const LETTER_OF: Readonly<Record<string, string>> = {
  direct_answer: "A",
  tool_call: "B",
  request_for_info: "C",
  cannot_answer: "D",
};

/** Raw model text as handed to the released scorer, written a second time from the golden vectors' description. */
export function referenceNormalise(text: string): string {
  const trimmed = strip(text);
  if (trimmed === "") return "";
  const first = partsOf(trimmed);
  const lines: string[] = [];
  if (first.think !== "") lines.push(`<think>${first.think}</think>`);
  if (first.action !== "") lines.push(`<action>${first.action}</action>`);
  if (first.label !== "") lines.push(`<label>${first.label}</label>`);
  if (first.answer !== "") lines.push(first.answer);
  const rewritten = lines.join("\n");

  const { think, action, label, answer } = partsOf(rewritten);
  if (action === "" || label === "" || answer === "") return rewritten;
  const reasoning = think.includes("suggested_action")
    ? think
    : `source=trajectory_or_when2call suggested_action=${action} <${label}>`;
  const uncovered = action === "tool_call" ? renderedCalls(answer) : "";
  return `<think>${reasoning}</think>\n${action}<${label}>\n<answer>${uncovered || answer}</answer>`;
}

/** What one pass reads from a text; "" where a part is absent. */
function partsOf(text: string): Parts {
  const calls = renderedCalls(text);
  const tag = firstTag(text);
  const element = new RegExp(ACTION_ELEMENT, "iu").exec(text)?.[1]?.toLowerCase();
  const action = element ?? tag?.name ?? (calls === "" ? "" : "tool_call");
  const labelled = new RegExp(LABEL_ELEMENT, "iu").exec(text)?.[1]?.toUpperCase();
  const label = labelled ?? tag?.letter ?? (calls === "" ? (LETTER_OF[action] ?? "") : "B");
  const answer = calls || (firstBlock(text, "<answer>", "</answer>") ?? bareAnswer(text));
  return { think: firstBlock(text, "<think>", "</think>") ?? "", action, label, answer };
}

function bareAnswer(text: string): string {
  let rest = text;
  for (const pattern of ["<think>.*?</think>", ACTION_ELEMENT, LABEL_ELEMENT, TAG]) {
    rest = strip(rest.replace(new RegExp(pattern, "gisu"), ""));
  }
  return rest;
}

function renderedCalls(text: string): string {
  const rendered: string[] = [];
  for (const { inside } of toolCallBlocks(text)) {
    const parsed = parsePythonJson(inside);
    for (const item of Array.isArray(parsed) ? parsed : [parsed]) {
      const call = callOf(item);
      if (call !== null) rendered.push(`<tool_call>\n${pythonJsonText(call)}\n</tool_call>`);
    }
  }
  return rendered.join("\n");
}

function callOf(item: PythonJson | undefined): PythonJson | null {
  if (!(item instanceof Map)) return null;
  const wrapped = item.get("function");
  const call = wrapped instanceof Map ? wrapped : item;
  const name = call.get("name");
  if (name === null || name === false || name === 0n || name === 0) return null;
  const text = nameText(name);
  if (text === "") return null;
  const given = call.get("arguments");
  const args = typeof given === "string" ? parsePythonJson(given) : given;
  return new Map<string, PythonJson>([
    ["name", text],
    ["arguments", args instanceof Map ? args : new Map()],
  ]);
}
