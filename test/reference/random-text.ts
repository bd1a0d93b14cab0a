import { chance, pick, type Random, upTo } from "./random-choice.ts";

/** The letters of the actions, in both cases. */
export const LETTERS: readonly string[] = [..."ABCDabcd"];

/** The actions' names, in the order of their letters. */
export const ACTIONS: readonly string[] = ["direct_answer", "tool_call", "request_for_info", "cannot_answer"];

const SPACES: readonly string[] = [
  ..." \t\n\v\f\r\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000",
  "\r\n",
  "\n\n",
  "\n\r",
];

/** Look like whitespace to some languages, never to Python. */
const FALSE_SPACES: readonly string[] = ["\ufeff", "\u200b", "\u2060", "\u180e"];

/** What may stand beside a letter: word characters of many kinds and others that only look like them. */
export const NEIGHBOURS: readonly string[] = [
  ..."_éßжλ是あ한9٣²½ⅣªˢⅠ①〇'’`.,;:!?-–()[]{}<>\"*#/\\|=+~^€",
  "\u0301",
  "\u200d",
  "\u{1d400}",
  "\u{1d7d8}",
  "\u{1f600}",
  "\u{20000}",
  "\u{10107}",
  "\ud83d",
  "\ude00",
  "\u0903",
  "\u20e3",
];

/** Short replies that share words with each other and with the calls. */
export const PROSE: readonly string[] = [
  "The weather in Paris is sunny",
  "I saw a movie",
  "I'd go",
  "grade A",
  "plan b is C",
  "vitamin D",
  "是B",
  "B是",
  "Option A. Option B",
  "e.g. a",
  "CD",
  "é",
  "İstanbul 5 \u212a ſo",
  "STRASSE Straße ﬁne ΟΔΟΣ",
  "snake_case 42 x_1",
  "trip to São Paulo",
  "get_weather paris 10 30",
  "10:30 Paris city",
  "naïve café",
  "🎉 done 🎉",
  "the end",
  "x",
  "…",
];

/** Markers and what only looks like one. */
export const OPENINGS: readonly string[] = [
  ..."<think> </think> [uq] [/uq] <answer> </answer> [answer] [/answer] <tool_call> </tool_call>".split(" "),
  ..."<toolcall> </toolcall> <action> </action> <label> </label> < think> <think > <thinking> <Answer/>".split(
    " ",
  ),
  "</ think>",
  "[ uq]",
  "[/uq ]",
  "<tool call>",
  "<tool_call >",
  "<think",
  "think>",
];

/** Text between an opening and a closing marker, in any case, now and then unclosed, nested or with an odd marker. */
export function block(random: Random, name: string, inside: string): string {
  const [open, close] = name === "uq" || name === "[answer]" ? ["[", "]"] : ["<", ">"];
  const bare = name.replace(/[[\]]/g, "");
  const opening = anyCase(random, `${open}${bare}${close}`);
  const closing = anyCase(random, `${open}/${bare}${close}`);
  const kind = random();
  if (kind < 0.02) return opening + inside;
  if (kind < 0.04) return inside + closing;
  if (kind < 0.06) return closing + inside + opening;
  if (kind < 0.08) return `${opening}${inside}${opening}${pick(random, PROSE)}${closing}${closing}`;
  if (kind < 0.1) return `${opening}${closing}${opening}${inside}${closing}`;
  if (kind < 0.12) return `${pick(random, OPENINGS)}${inside}${pick(random, OPENINGS)}`;
  if (kind < 0.2) return `${opening}${space(random)}${inside}${space(random)}${closing}`;
  if (kind < 0.22)
    return `${opening.slice(0, 4)}<think>${pick(random, PROSE)}</think>${opening.slice(4)}${inside}${closing}`;
  return opening + inside + closing;
}

/** A letter between two random neighbours. */
export function beside(random: Random): string {
  const side = (): string => (chance(random, 0.5) ? pick(random, NEIGHBOURS) : space(random));
  return `${side()}${pick(random, LETTERS)}${side()}`;
}

/** Nothing, one plain space or line end, or a run of odd whitespace. */
export function space(random: Random): string {
  if (chance(random, 0.6)) return pick(random, ["", "", " ", "\n"]);
  let result = "";
  for (let left = upTo(random, 2); left >= 0; left--) result += pick(random, SPACES);
  return chance(random, 0.03) ? result + pick(random, FALSE_SPACES) : result;
}

/** The text as it is, or each letter in a random case. */
export function anyCase(random: Random, text: string): string {
  if (chance(random, 0.75)) return text;
  return [...text].map((letter) => (chance(random, 0.5) ? letter.toUpperCase() : letter)).join("");
}

/** The text itself, or with one character lost, one odd character more, or a stretch of it repeated. */
export function mutated(random: Random, text: string): string {
  if (chance(random, 0.8)) return text;
  const at = upTo(random, text.length);
  const kind = random();
  if (kind < 0.3) return text.slice(0, at) + text.slice(at + 1);
  if (kind < 0.7)
    return text.slice(0, at) + pick(random, [...NEIGHBOURS, ...SPACES, ...LETTERS]) + text.slice(at);
  return text.slice(0, at) + text.slice(upTo(random, at));
}
