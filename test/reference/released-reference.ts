import { type PythonJson, parsePythonJson, pythonJsonText } from "./python-json.ts";
import { floatText, readFloat, SPACE, splitLines, strip, WORD } from "./python-text.ts";
import { roundHalfEven } from "./round-half-even.ts";

/** One turn as the golden vectors of `released_turn` name it. */
export interface TurnInput {
  readonly response: unknown;
  readonly gold_label: unknown;
  readonly chosen_response: unknown;
  readonly tools: unknown;
  readonly ppl_gt: unknown;
  readonly ppl_neg: unknown;
  readonly tau: unknown;
  readonly lambda: unknown;
}

/** The terms of one turn; all but the score are null for an empty or non-text response. */
export interface TurnTerms {
  readonly score: number;
  readonly raw_score: number | null;
  readonly max_score: number | null;
  readonly r_fmt: number | null;
  readonly r_align: number | null;
  readonly r_ans: number | null;
  readonly r_cls: number | null;
  readonly cert: number | null;
  readonly margin: number | null;
  readonly letter: string | null;
  readonly pred_action: string | null;
  readonly self_consistent: boolean | null;
  readonly category_match: boolean | null;
}

const ACTION_OF: Readonly<Record<string, string>> = {
  A: "direct_answer",
  B: "tool_call",
  C: "request_for_info",
  D: "cannot_answer",
};

/** The released reward of one turn, written a second time from the description of the golden vectors. */
export function referenceTurn(input: TurnInput): TurnTerms {
  const { response } = input;
  if (typeof response !== "string" || response === "") return NOTHING;
  const reasoning = reasoningOf(response);
  const answer = answerOf(response);
  const tag = firstTag(response);
  const letter = letterOf(response, answer, tag);
  const action = letter === null ? "" : (ACTION_OF[letter] as string);
  const suggested = tag?.letter ?? suggestedLetter(reasoning);
  const selfConsistent = suggested !== null && suggested === letter;

  let format = 0;
  if (reasoning !== null) format += 0.5;
  if (answer !== null) format += 0.5;
  if (letter !== null) format += 0.3;
  if ([...sourceOf(reasoning)].length >= 4) format += 0.3;
  if (tag !== null) format += 0.15;
  if (selfConsistent) format += 0.4;

  const y = strip(answer ?? "");
  const g = typeof input.chosen_response === "string" ? strip(input.chosen_response) : "";
  const gated = y === "" || letter === null;
  const align = gated || g === "" ? 0 : alignment(action, y, g, input.tools);
  const category = categoryReward(letter, input.gold_label);

  const correct = finite(input.ppl_gt);
  const wrong = finite(input.ppl_neg);
  const margin = correct === null || wrong === null ? 0 : wrong - correct;
  const lambda = finite(input.lambda) ?? 1;
  const certainty = certaintyOf(margin / Math.max(1e-6, finite(input.tau) ?? 0.1));

  const answerReward = Math.max(0, Math.min(2, align + lambda * (gated ? 0 : certainty)));
  const raw = format + answerReward + certainty * category;
  const most = 2.15 + (1 + lambda) + 2;
  return {
    score: roundHalfEven(raw / Math.max(1e-6, most), 4),
    raw_score: roundHalfEven(raw, 4),
    max_score: roundHalfEven(most, 4),
    r_fmt: roundHalfEven(format, 4),
    r_align: roundHalfEven(align, 4),
    r_ans: roundHalfEven(answerReward, 4),
    r_cls: roundHalfEven(category, 4),
    cert: roundHalfEven(certainty, 4),
    margin: roundHalfEven(margin, 6),
    letter: letter ?? "",
    pred_action: action,
    self_consistent: selfConsistent,
    category_match: tag !== null,
  };
}

const NOTHING: TurnTerms = {
  score: 0,
  raw_score: null,
  max_score: null,
  r_fmt: null,
  r_align: null,
  r_ans: null,
  r_cls: null,
  cert: null,
  margin: null,
  letter: null,
  pred_action: null,
  self_consistent: null,
  category_match: null,
};

/** The trimmed inside of the first complete block, e.g. `("<think>", "</think>")`; null when there is none. */
export function firstBlock(text: string, opening: string, closing: string): string | null {
  const literal = (marker: string): string => marker.replace("[", "\\[").replace("]", "\\]");
  const match = new RegExp(`${literal(opening)}(.*?)${literal(closing)}`, "isu").exec(text);
  return match === null ? null : strip(match[1] as string);
}

/** Every `<tool_call>` block of a text: whole (as written) and its trimmed inside. */
export function toolCallBlocks(text: string): { readonly whole: string; readonly inside: string }[] {
  const found = text.matchAll(/<tool_call>(.*?)<\/tool_call>/gisu);
  return [...found].map((match) => ({ whole: match[0], inside: strip(match[1] as string) }));
}

/** The pattern of a tag: an action's name, optional whitespace, a letter in angle brackets. */
export const TAG: string = `(direct_answer|tool_call|request_for_info|cannot_answer)${SPACE}*<([ABCD])>`;

/** The first tag anywhere: name in lower case, letter in upper case. */
export function firstTag(text: string): { readonly name: string; readonly letter: string } | null {
  const match = new RegExp(TAG, "iu").exec(text);
  if (match === null) return null;
  return { name: (match[1] as string).toLowerCase(), letter: (match[2] as string).toUpperCase() };
}

function reasoningOf(response: string): string | null {
  return firstBlock(response, "<think>", "</think>") ?? firstBlock(response, "[uq]", "[/uq]");
}

function answerOf(response: string): string | null {
  const calls = toolCallBlocks(response);
  if (calls.length > 0) return calls.map(({ whole }) => whole).join("\n");
  return firstBlock(response, "<answer>", "</answer>") ?? firstBlock(response, "[answer]", "[/answer]");
}

function letterOf(
  response: string,
  answer: string | null,
  tag: { readonly letter: string } | null,
): string | null {
  if (tag !== null) return tag.letter;
  if (answer !== null) {
    const closing = new RegExp(`<([ABCD])>${SPACE}*(?:\n|$)`, "iu").exec(answer);
    if (closing !== null) return (closing[1] as string).toUpperCase();
    for (const line of splitLines(answer).reverse()) {
      const letter = lastStandAlone(line);
      if (letter !== null) return letter;
    }
  }
  return lastStandAlone(response);
}

function lastStandAlone(text: string): string | null {
  const found = [...text.matchAll(new RegExp(`(?<!${WORD})[ABCD](?!${WORD})`, "giu"))];
  return found.at(-1)?.[0].toUpperCase() ?? null;
}

function suggestedLetter(reasoning: string | null): string | null {
  const pattern = new RegExp(`suggested_action${SPACE}*=${SPACE}*<?([ABCD])`, "iu");
  return pattern.exec(reasoning ?? "")?.[1]?.toUpperCase() ?? null;
}

function sourceOf(reasoning: string | null): string {
  const start = `source${SPACE}*=${SPACE}*`;
  const bounded = new RegExp(`${start}(.+?)${SPACE}+suggested_action${SPACE}*=`, "isu");
  const line = new RegExp(`${start}([^\n]+)`, "iu");
  const match = bounded.exec(reasoning ?? "") ?? line.exec(reasoning ?? "");
  return strip(match?.[1] ?? "");
}

function alignment(action: string, y: string, g: string, tools: unknown): number {
  if (action === "tool_call") return callAlignment(y, g, tools);
  if (action === "request_for_info" && !isQuestion(y)) return 0;
  if (action === "cannot_answer" && (isQuestion(y) || !isRefusal(y))) return 0;
  return tokenF1(y, g);
}

function isQuestion(y: string): boolean {
  const signs = ["?", "could you", "can you", "would you", "please provide", "please specify"];
  return contains(y, [...signs, "what ", "which ", "how "]);
}

function isRefusal(y: string): boolean {
  return contains(y, ["unable", "cannot", "can't", "sorry", "apologies", "i do not have"]);
}

function contains(text: string, phrases: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return phrases.some((phrase) => lower.includes(phrase));
}

function tokenF1(a: string, b: string): number {
  const left = a.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const right = b.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const free = [...right];
  let overlap = 0;
  for (const token of left) {
    const at = free.indexOf(token);
    if (at < 0) continue;
    free.splice(at, 1);
    overlap++;
  }
  if (overlap === 0) return 0;
  const precision = overlap / left.length;
  const recall = overlap / right.length;
  return (2 * precision * recall) / (precision + recall);
}

interface Call {
  readonly name: string;
  readonly args: Map<string, PythonJson>;
}

function callAlignment(y: string, g: string, tools: unknown): number {
  const called = readCall(y);
  const wanted = readCall(g);
  if (called.name === "") return 0;
  const known = toolNames(tools);
  if (known.length > 0 && !known.includes(called.name)) return 0;
  const sameArguments =
    called.args.size === 0 && wanted.args.size === 0
      ? 1
      : tokenF1(pythonJsonText(called.args), pythonJsonText(wanted.args));
  return 0.5 * (called.name === wanted.name ? 1 : 0) + 0.5 * sameArguments;
}

function readCall(text: string): Call {
  const block = /<(?:tool_call|toolcall)>(.*?)<\/(?:tool_call|toolcall)>/isu.exec(text);
  const parsed = parsePythonJson(block === null ? text : strip(block[1] as string));
  const first = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!(first instanceof Map)) return { name: "", args: new Map() };
  const args = first.get("arguments");
  return { name: nameText(first.get("name")), args: args instanceof Map ? args : new Map() };
}

/** Python's `str(value).strip()` of a name, an absent one being "". A list or object, which no contract names, is JSON text. */
export function nameText(value: PythonJson | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string") return strip(value);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number" && !Number.isFinite(value)) {
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  return typeof value === "number" ? floatText(value) : pythonJsonText(value);
}

function toolNames(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  const names: string[] = [];
  for (const entry of tools as unknown[]) {
    const tool = typeof entry === "string" ? parsePythonJson(entry) : fromPlain(entry);
    if (tool instanceof Map) names.push(nameText(tool.get("name")));
  }
  return names;
}

/** A value of JSON.parse in the dialect's types; a number without a fraction was written as an int. */
function fromPlain(value: unknown): PythonJson {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== "object" || value === null) return null;
  return new Map(Object.entries(value).map(([key, inner]) => [key, fromPlain(inner)]));
}

function categoryReward(letter: string | null, label: unknown): number {
  const gold = typeof label === "string" ? strip(label).toUpperCase() : "";
  if (letter === null || gold === "") return 0;
  if (letter === gold) return 2;
  const inFirstPair = (value: string): boolean => value === "A" || value === "B";
  return inFirstPair(letter) === inFirstPair(gold) ? 1 : 0;
}

function finite(value: unknown): number | null {
  const number = typeof value === "string" ? readFloat(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function certaintyOf(x: number): number {
  if (x >= 30) return 1;
  if (x <= -30) return 0;
  return 1 / (1 + Math.exp(-x));
}
