import { actionFromLetter } from "../../data/calls/action.ts";
import { ACTIONS, type Action } from "../../types.ts";
import { callsInBlocks, renderReleasedCalls } from "./call-blocks.ts";
import { pythonStrip, skipSpace, startsWithFolded } from "./python-text.ts";
import { allBlocks, findTag, firstBlock, indexOfMarker } from "./released-markers.ts";

export { type RenderableCall, renderReleasedCalls } from "./call-blocks.ts";

/** A span of a text, and the value that stands in it. */
interface Element {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

interface Decision {
  readonly think: string;
  readonly action: Action | null;
  readonly letter: string | null;
  /** "" = absent. */
  readonly answer: string;
}

const LETTERS = ["a", "b", "c", "d"] as const;

/**
 * A response as the authors' trajectory-level training rewrites it before it is scored (TRUST's released code, revision
 * 2b5be3e): three lines that earn the points for format whatever the format was, `<think>…</think>`, `action<L>` and
 * `<answer>…</answer>`, where action, letter and answer can be found; else the parts that can. Two passes, each of which
 * writes out the calls of every `<tool_call>` block again, so that a call quoted in the reasoning counts, and counts twice.
 * Linear; never throws; "" for blank text.
 *
 * @example
 * ```ts
 * import { normaliseReleased } from "calibrant/rewards";
 * const [, decision, answer] = normaliseReleased("<label>a</label> direct_answer<A> Paris").split("\n");
 * console.log(decision, answer); // direct_answer<A> <answer>Paris</answer>
 * ```
 */
export function normaliseReleased(text: string): string {
  const first = listedParts(readDecision(pythonStrip(text)));
  const { think, action, letter, answer } = readDecision(first);
  if (action === null || letter === null || answer === "") return first;
  return releasedTurnText({ action, letter, answer, think });
}

/**
 * A decision as the text that the authors' trajectory-level scorer reads: `<think>X</think>`, `action<L>` and
 * `<answer>…</answer>` on three lines. X is `think` where it holds `suggested_action`, else a stock phrase that names the
 * action and the letter. The answer of a `tool_call` is replaced by its calls, written by {@link renderReleasedCalls}, if
 * it holds blocks with any.
 */
export function releasedTurnText(turn: {
  readonly action: Action;
  readonly letter: string;
  readonly answer: string;
  readonly think: string;
}): string {
  const { action, letter, think } = turn;
  const calls = action === "tool_call" ? renderReleasedCalls(callsInBlocks(turn.answer)) : "";
  const reasoning = think.includes("suggested_action")
    ? think
    : `source=trajectory_or_when2call suggested_action=${action} <${letter}>`;
  return `<think>${reasoning}</think>\n${action}<${letter}>\n<answer>${calls || turn.answer}</answer>`;
}

function readDecision(text: string): Decision {
  const calls = renderReleasedCalls(callsInBlocks(text));
  const tag = findTag(text);
  const element = elements(text, "action", ACTIONS)[0];
  const fallback = calls === "" ? null : "tool_call";
  const action = (element?.value as Action | undefined) ?? tag?.action ?? fallback;
  const label = elements(text, "label", LETTERS)[0]?.value.toUpperCase();
  return {
    think: firstBlock(text, "<think>", "</think>") ?? "",
    action,
    letter: label ?? tag?.letter ?? (calls === "" ? letterOf(action) : "B"),
    answer: calls || (firstBlock(text, "<answer>", "</answer>") ?? bareText(text)),
  };
}

function letterOf(action: Action | null): string | null {
  const letter = LETTERS.find((candidate) => actionFromLetter(candidate) === action);
  return letter?.toUpperCase() ?? null;
}

/** The parts that are there, one below the other. */
function listedParts({ think, action, letter, answer }: Decision): string {
  const parts = [
    think === "" ? "" : `<think>${think}</think>`,
    action === null ? "" : `<action>${action}</action>`,
    letter === null ? "" : `<label>${letter}</label>`,
    answer,
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** The text without reasoning, action, label and tags: what is left is the answer. */
function bareText(text: string): string {
  const withoutThink = without(text, allBlocks(text, "<think>", "</think>"));
  const withoutAction = without(withoutThink, elements(withoutThink, "action", ACTIONS));
  const withoutLabel = without(withoutAction, elements(withoutAction, "label", LETTERS));
  return without(withoutLabel, tags(withoutLabel));
}

function without(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let kept = "";
  let at = 0;
  for (const { start, end } of spans) {
    kept += text.slice(at, start);
    at = end;
  }
  return pythonStrip(kept + text.slice(at));
}

/** The elements `<name>VALUE</name>` of one of the values, in any letter case, whitespace around the value aside. */
function elements(text: string, name: string, values: readonly string[]): Element[] {
  const open = `<${name}>`;
  const close = `</${name}>`;
  const found: Element[] = [];
  for (let start = indexOfMarker(text, open, 0); start >= 0; start = indexOfMarker(text, open, start + 1)) {
    const at = skipSpace(text, start + open.length);
    const value = values.find((candidate) => startsWithFolded(text, candidate, at));
    if (value === undefined) continue;
    const end = skipSpace(text, at + value.length);
    if (startsWithFolded(text, close, end)) found.push({ start, end: end + close.length, value });
  }
  return found;
}

function tags(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let from = 0;
  for (let tag = findTag(text); tag !== null; tag = findTag(text.slice(from))) {
    found.push({ start: from + tag.start, end: from + tag.end });
    from += tag.end;
  }
  return found;
}
