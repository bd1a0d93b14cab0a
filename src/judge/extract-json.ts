import { parseJsonLine } from "../data/jsonl/parse-json-line.ts";
import { readJsonObject } from "../data/jsonl/read-json-object.ts";

/** A JSON object, or a list of objects, in a text. */
export interface FoundJson {
  /** Integers beyond 2^53 are BigInt. */
  readonly value: unknown;
  /** Whether nothing but white space and commas stands between it and the one before. */
  readonly joined: boolean;
}

/**
 * The JSON objects and lists of objects in a model's text, in order: in prose, in code fences, or as the whole text (which may
 * also be any other list). What is inside one of them is not listed again. Objects that are left of a broken or cut container
 * (`{"a":[{…},{…}`) are not listed: they are no answer. What stands before the last `</think>` is listed only when nothing
 * stands behind it. Time and memory are linear in the text.
 */
export function jsonObjects(text: string): readonly FoundJson[] {
  const answerStart = thoughtEnd(text);
  const whole = wholeJson(text.slice(answerStart));
  if (whole !== null) return [{ value: whole, joined: false }];
  const spans = withoutFragments(text, listedSpans(text, objectSpans(text)));
  const isThoughtOnly = text.slice(answerStart).trim() === "";
  return spans
    .filter(({ start }) => isThoughtOnly || start >= answerStart)
    .flatMap(({ start, end }, index, all) => {
      const value = parsedOrNull(text.slice(start, end));
      const before = all[index - 1];
      const joined = before !== undefined && /^[\s,]*$/.test(text.slice(before.end, start));
      return value === null ? [] : [{ value, joined }];
    });
}

/** Begin and end of an object or list, the end not included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const THOUGHT_END = "</think>";

function thoughtEnd(text: string): number {
  const at = text.lastIndexOf(THOUGHT_END);
  return at < 0 ? 0 : at + THOUGHT_END.length;
}

/** The value of a text that is one object or list, also within one code fence; null otherwise. */
function wholeJson(text: string): unknown {
  let bare = text.trim();
  if (bare.startsWith("```") && bare.endsWith("```"))
    bare = bare
      .slice(3, -3)
      .replace(/^[a-z]*/i, "")
      .trim();
  return /^[[{]/.test(bare) && /[\]}]$/.test(bare) ? parsedOrNull(bare) : null;
}

/** The objects of a text that are not inside another object, in order. */
function objectSpans(text: string): Span[] {
  const ends = new Int32Array(text.length);
  for (let at = text.lastIndexOf("{"); at >= 0; at = at === 0 ? -1 : text.lastIndexOf("{", at - 1))
    ends[at] = readJsonObject(text, at, ends, () => undefined);
  const spans: Span[] = [];
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = ends[start] as number;
    if (end > 0) spans.push({ start, end });
    start = text.indexOf("{", end > 0 ? end : start + 1);
  }
  return spans;
}

/** Joins objects that make up a list, brackets included, to one span. */
function listedSpans(text: string, objects: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (let first = 0; first < objects.length; ) {
    let last = first;
    while (last + 1 < objects.length && /^\s*,\s*$/.test(gapAfter(text, objects, last))) last += 1;
    const { start } = objects[first] as Span;
    const { end } = objects[last] as Span;
    const open = beforeSpace(text, start);
    const close = afterSpace(text, end);
    if (text[open] === "[" && text[close] === "]") spans.push({ start: open, end: close + 1 });
    else for (const object of objects.slice(first, last + 1)) spans.push(object);
    first = last + 1;
  }
  return spans;
}

function gapAfter(text: string, objects: readonly Span[], index: number): string {
  return text.slice((objects[index] as Span).end, (objects[index + 1] as Span).start);
}

/** Leaves out what is the element of a list or the value of a member that was never closed, and what follows it there. */
function withoutFragments(text: string, spans: readonly Span[]): Span[] {
  let fragmentEnd = -1;
  return spans.filter(({ start, end }) => {
    const at = beforeSpace(text, start);
    const inList = text[at] === "[";
    const inMember = text[at] === ":" && text[beforeSpace(text, at)] === '"';
    const inRest = text[at] === "," && fragmentEnd >= 0 && beforeSpace(text, at) === fragmentEnd - 1;
    const isFragment = inList || inMember || inRest;
    if (isFragment) fragmentEnd = end;
    return !isFragment;
  });
}

/** The position of the nearest character before `at` that is no white space; -1 without. */
function beforeSpace(text: string, at: number): number {
  let position = at - 1;
  while (position >= 0 && isSpace(text.charCodeAt(position))) position -= 1;
  return position;
}

function afterSpace(text: string, at: number): number {
  let position = at;
  while (position < text.length && isSpace(text.charCodeAt(position))) position += 1;
  return position;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function parsedOrNull(text: string): unknown {
  try {
    return parseJsonLine(text, { exactIntegers: true }).value;
  } catch {
    return null;
  }
}
