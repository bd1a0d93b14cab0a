import { readJsonObject } from "../../data/jsonl/read-json-object.ts";
import { FAULT_TYPES, faultTypeCode, modelLabel, NEXT_ACTIONS, nextActionCode } from "./labels.ts";
import type { ToolFaultAnswer } from "./tool-fault-item.ts";

/** Begin and end of a piece of text in UTF-16 units, the end not included. */
export type TextSpan = readonly [start: number, end: number];

/** An answer, and where its labels stand in the text: what is between the quotes. */
export interface FoundToolFaultAnswer {
  readonly answer: ToolFaultAnswer;
  readonly faultSpan: TextSpan;
  readonly actionSpan: TextSpan;
}

/**
 * The answer in a model's text: a JSON object with both `fault_type` and `next_action` being known labels, white space
 * around them and letter case aside. It may stand anywhere: in prose, in a `<think>` block, in a code fence, inside
 * other objects and arrays. Broken or cut JSON before, around or behind it does not matter. Of several the one that ends
 * last counts, so an answer with another inside it (a rejected alternative, say) is itself the answer. Of a key that
 * occurs twice the last counts, as in every JSON parser. Time and memory are linear in the text.
 *
 * @returns null when there is no such object, and for null.
 *
 * @example
 * ```ts
 * import { parseToolFaultAnswer } from "calibrant/metrics";
 * const text = 'It timed out. {"fault_type": "Timeout", "next_action": "retry_same"}';
 * console.log(parseToolFaultAnswer(text)); // { fault_type: 'timeout', next_action: 'retry_same' }
 * ```
 */
export function parseToolFaultAnswer(text: string | null): ToolFaultAnswer | null {
  return text === null ? null : (findToolFaultAnswer(text)?.answer ?? null);
}

/** The answer that {@link parseToolFaultAnswer} reads, and where its labels stand; null when there is none. */
export function findToolFaultAnswer(text: string): FoundToolFaultAnswer | null {
  const ends = new Int32Array(text.length);
  let found: FoundToolFaultAnswer | null = null;
  let foundEnd = 0;
  let fault: Label | null = null;
  let action: Label | null = null;
  const onMember = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void => {
    const key = shortKey(text, keyStart, keyEnd);
    if (key === "fault_type") fault = labelAt(text, valueStart, valueEnd, faultTypeCode);
    else if (key === "next_action") action = labelAt(text, valueStart, valueEnd, nextActionCode);
  };
  for (let start = text.lastIndexOf("{"); start >= 0; start = before(text, start)) {
    fault = null;
    action = null;
    const end = readJsonObject(text, start, ends, onMember);
    ends[start] = end;
    if (end <= foundEnd) continue;
    const answer = foundAnswer(fault, action);
    if (answer === null) continue;
    found = answer;
    foundEnd = end;
  }
  return found;
}

/** A label by its code, and where it stands. */
interface Label {
  readonly code: number;
  readonly span: TextSpan;
}

function foundAnswer(fault: Label | null, action: Label | null): FoundToolFaultAnswer | null {
  const faultType = FAULT_TYPES[fault?.code ?? -1];
  const nextAction = NEXT_ACTIONS[action?.code ?? -1];
  if (fault === null || action === null || faultType === undefined || nextAction === undefined) return null;
  const answer = { fault_type: faultType, next_action: nextAction };
  return { answer, faultSpan: fault.span, actionSpan: action.span };
}

/** The brace before `start`; `lastIndexOf` takes a negative position for 0. */
function before(text: string, start: number): number {
  return start === 0 ? -1 : text.lastIndexOf("{", start - 1);
}

/** `next_action` with every letter escaped (\u006e…), in its quotes. */
const LONGEST_KEY = 6 * "next_action".length + 2;

/** A key that is short enough to be one of ours, escapes resolved. */
function shortKey(text: string, start: number, end: number): string | null {
  return end - start > LONGEST_KEY ? null : (JSON.parse(text.slice(start, end)) as string);
}

function labelAt(text: string, start: number, end: number, codeOf: (label: string) => number): Label | null {
  if (text[start] !== '"') return null;
  const value = JSON.parse(text.slice(start, end)) as string;
  return { code: codeOf(modelLabel(value)), span: [start + 1, end - 1] };
}
