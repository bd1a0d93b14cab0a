import { callBlock, callText, randomTools } from "./random-call.ts";
import { chance, pick, type Random, upTo } from "./random-choice.ts";
import {
  ACTIONS,
  anyCase,
  beside,
  block,
  LETTERS,
  mutated,
  NEIGHBOURS,
  OPENINGS,
  PROSE,
  space,
} from "./random-text.ts";
import type { TurnInput } from "./released-reference.ts";

/*
 * Only what the description of the golden vectors settles is generated: no ſ, Kelvin sign, İ or ı where it could
 * complete a marker, no list, object, NaN or infinity as a call's name, no ppl text with `_` or digits beyond ASCII.
 */

const PHRASES: readonly string[] = [
  "Could you tell me the city?",
  "can you help",
  "WOULD YOU please",
  "Please provide the date",
  "please specify",
  "What is it",
  "which one",
  "show me",
  "How ",
  "how",
  "could\u00a0you",
  "somewhat nice",
  "Paris?",
  "Paris？",
  "I am unable to book flights",
  "I cannot do that",
  "I can't do that",
  "I can’t do that",
  "Sorry, no tool for the weather in Paris",
  "my apologies",
  "I do not have access",
  "I  do not have",
  "Unable",
  "CANNOT",
];

/** A turn to score: a hostile response and everything beside it, matching it often enough to reach every term. */
export function randomTurnInput(random: Random): TurnInput {
  const response = randomResponse(random);
  return {
    response,
    gold_label: randomGold(random),
    chosen_response: randomChosen(random, response),
    tools: randomTools(random),
    ppl_gt: randomNumber(random, PERPLEXITIES),
    ppl_neg: randomNumber(random, PERPLEXITIES),
    tau: chance(random, 0.5) ? 0.1 : randomNumber(random, SCALES),
    lambda: chance(random, 0.5) ? 1 : randomNumber(random, SCALES),
  };
}

/** A raw model output to normalise. */
export function randomRawText(random: Random): string {
  const text = chance(random, 0.5) ? wellFormed(random, true) : soup(random);
  return mutated(random, chance(random, 0.02) ? space(random) : text);
}

function randomResponse(random: Random): unknown {
  if (chance(random, 0.02))
    return pick<unknown>(random, ["", null, 7, true, undefined, ["<think>a</think>"]]);
  return mutated(random, chance(random, 0.6) ? wellFormed(random, false) : soup(random));
}

/** The expected shape with each part present, doubled, damaged or missing. */
function wellFormed(random: Random, raw: boolean): string {
  const index = upTo(random, 3);
  const action = chance(random, 0.85) ? (ACTIONS[index] as string) : pick(random, ACTIONS);
  const letter = chance(random, 0.85) ? (LETTERS[index] as string) : pick(random, LETTERS);
  const parts: string[] = [];
  if (chance(random, 0.85))
    parts.push(block(random, pick(random, ["think", "think", "uq"]), thought(random, action, letter)));
  if (raw && chance(random, 0.5))
    parts.push(block(random, "action", `${space(random)}${anyCase(random, action)}${space(random)}`));
  if (raw && chance(random, 0.5)) parts.push(`<label>${letter}</label>`);
  if (chance(random, raw ? 0.4 : 0.6)) parts.push(tag(random, action, letter));
  if (action === "tool_call" && chance(random, 0.8)) {
    for (let left = upTo(random, 1); left >= 0; left--) parts.push(callBlock(random));
  }
  const reply = replyTo(random, action, letter);
  if (chance(random, 0.7))
    parts.push(
      chance(random, raw ? 0.5 : 0.9)
        ? block(random, pick(random, ["answer", "answer", "[answer]"]), reply)
        : reply,
    );
  if (chance(random, 0.1)) parts.reverse();
  if (chance(random, 0.1)) parts.push(fragment(random));
  return parts.join(chance(random, 0.8) ? "\n" : space(random));
}

function replyTo(random: Random, action: string, letter: string): string {
  const words = [pick(random, PROSE)];
  if (action === "request_for_info" || action === "cannot_answer" || chance(random, 0.1)) {
    words.unshift(pick(random, PHRASES));
  }
  if (chance(random, 0.3)) words.push(`<${letter}>${space(random)}`);
  if (chance(random, 0.2)) words.push(beside(random));
  if (chance(random, 0.2)) words.push(pick(random, PROSE));
  return words.join(chance(random, 0.6) ? " " : space(random));
}

function thought(random: Random, action: string, letter: string): string {
  const parts = [pick(random, PROSE)];
  if (chance(random, 0.8)) parts.push(sourceText(random));
  if (chance(random, 0.7)) parts.push(suggestion(random, action, letter));
  if (chance(random, 0.1)) parts.push(sourceText(random), suggestion(random, action, letter));
  if (chance(random, 0.2)) parts.shift();
  if (chance(random, 0.1)) parts.push(chance(random, 0.5) ? callBlock(random) : tag(random, action, letter));
  if (chance(random, 0.1)) parts.push(fragment(random));
  return parts.join(chance(random, 0.7) ? " " : space(random));
}

function sourceText(random: Random): string {
  const key = anyCase(random, pick(random, ["source", "source", "resource", "sources", "source_"]));
  const text = pick(random, [
    "query",
    "user",
    "abc",
    "abcd",
    "",
    " ",
    "\n",
    "a\u{1f600}b",
    "tools and query",
    "🎉🎉🎉🎉",
    "a\u0301bc",
  ]);
  return `${key}${space(random)}=${space(random)}${text}${chance(random, 0.2) ? space(random) : ""}`;
}

function suggestion(random: Random, action: string, letter: string): string {
  const key = anyCase(
    random,
    pick(random, ["suggested_action", "suggested_action", "suggested_action", "suggested action"]),
  );
  const value = pick(random, [
    `<${letter}>`,
    letter,
    action,
    `${action} <${letter}>`,
    `${action}<${letter}>`,
    `< ${letter}>`,
    `<<${letter}`,
    "none",
    "",
  ]);
  return `${key}${space(random)}=${space(random)}${value}`;
}

function tag(random: Random, action: string, letter: string): string {
  const before = chance(random, 0.1) ? pick(random, NEIGHBOURS) : "";
  const brackets = chance(random, 0.95)
    ? `<${letter}>`
    : pick(random, [`< ${letter}>`, `<${letter} >`, "<E>", `[${letter}]`, `<<${letter}>>`]);
  return `${before}${anyCase(random, action)}${space(random)}${brackets}`;
}

function fragment(random: Random): string {
  const action = pick(random, ACTIONS);
  const letter = pick(random, LETTERS);
  const makers: readonly (() => string)[] = [
    () => anyCase(random, pick(random, OPENINGS)),
    () => anyCase(random, pick(random, OPENINGS)),
    () => block(random, pick(random, ["think", "uq", "answer", "[answer]"]), replyTo(random, action, letter)),
    () => block(random, "think", thought(random, action, letter)),
    () => block(random, "action", pick(random, [action, ` ${action}\n`, `${action} <${letter}>`])),
    () => block(random, "label", letter),
    () => tag(random, action, letter),
    () => `<${letter}>${space(random)}`,
    () => beside(random),
    () => sourceText(random),
    () => suggestion(random, action, letter),
    () => callBlock(random),
    () => callText(random),
    () => anyCase(random, action),
    () => pick(random, PHRASES),
    () => pick(random, PROSE),
  ];
  return pick(random, makers)();
}

function soup(random: Random): string {
  let text = "";
  for (let left = upTo(random, 7); left >= 0; left--) text += fragment(random) + space(random);
  return text;
}

function randomGold(random: Random): unknown {
  if (chance(random, 0.8)) return pick(random, LETTERS);
  return pick(random, [
    " A ",
    "\u00a0b\u2028",
    "\u001cC",
    "\ufeffA",
    "",
    " ",
    "E",
    "direct_answer",
    "AB",
    "ß",
    null,
  ]);
}

function randomChosen(random: Random, response: unknown): string | null {
  const own = typeof response === "string" && chance(random, 0.6) ? ownAnswer(random, response) : null;
  if (own !== null) return own;
  const kind = random();
  if (kind < 0.4) return replyTo(random, pick(random, ACTIONS), pick(random, LETTERS));
  if (kind < 0.65) return callBlock(random);
  if (kind < 0.85) return callText(random);
  if (kind < 0.95) return soup(random);
  return pick(random, [null, "", space(random), "[]", "{}"]);
}

/** What the response itself answers, a little changed, so that the two overlap. */
function ownAnswer(random: Random, response: string): string | null {
  const inside = /<(?:tool_call|answer)>(.*?)<\//isu.exec(response)?.[1] ?? response;
  const changed = inside.replace(
    pick(random, ["Paris", "city", "10", "the"]),
    pick(random, ["Lyon", "town", "NaN", ""]),
  );
  const kind = random();
  if (kind < 0.2) return inside;
  if (kind < 0.5) return changed;
  if (kind < 0.7) return `<tool_call>${changed}</toolcall>`;
  if (kind < 0.8) return `${pick(random, PROSE)} ${inside}`;
  return kind < 0.95 ? mutated(random, changed) : null;
}

const PERPLEXITIES: readonly (number | string | null)[] = [
  ...[1, 1.03125, 1.5, 2, 2.000001, 3, 1.1000005, 0, -0, -1, -2.5, 1e300, -1e308, 1e308, 5e-324, 1e-7],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null],
  ...["1.25", " 2.5 ", "1e1", "+3", ".5", "5.", "1E-2", "-1", "\u00a01.5\u2028", "\ufeff1.5", "1e400"],
  ...["", " ", "abc", "nan", "NaN", "inf", "-Infinity", "0x10", "1,5", "1.5.2", "1 2", "e5", "."],
];

const SCALES: readonly (number | string | null)[] = [
  ...[1, 0.1, 0.05, 0.5, 2, 0, -0, -1, -0.3, 1e-9, 10, 1e6, -1e6, 1e300, -4.15, 0.03125],
  ...[Number.NaN, Number.POSITIVE_INFINITY, null, "0.2", " 0.5\n", "", "x", "nan", "1e-1", "-2"],
];

/** Mostly a plain value of up to four decimals near the first entries' size, else one of the list. */
function randomNumber(random: Random, odd: readonly (number | string | null)[]): number | string | null {
  if (chance(random, 0.5)) return Math.round(random() * 25000) / 10000 + 0.05;
  return pick(random, odd);
}
