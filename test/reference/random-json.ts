import { chance, pick, type Random, upTo } from "./random-choice.ts";

const NUMBERS: readonly string[] = [
  ..."0 1 -1 7 42 -0 -0.0 0.0 1.0 1E5 1e5 1e16 123456789012345680.0 1e15 1e-4 1e-5 0.0001 0.00001234".split(
    " ",
  ),
  ..."1e400 -1e400 5e-324 1.7976931348623157e308 0.1 2.50 -3.25E-7 9007199254740993 1e22 1e21 100.0e-2".split(
    " ",
  ),
  "NaN",
  "Infinity",
  "-Infinity",
  "123456789012345678901234567890",
  "-98765432109876543210",
];

const BAD_NUMBERS: readonly string[] = ["01", "1.", ".5", "+1", "-", "1e", "0x10", "nan", "-NaN", "1_0", "٣"];

const BARE_STRINGS: readonly string[] = [
  ..."paris Paris city 10:30 true 12.5 it's São_Paulo 是 Straße 🎉 Ünïcode a/b <A> <B>".split(" "),
  "",
  "two words",
  "direct_answer<A>",
  "tool_call <B>",
  "a\u00a0b",
  "\u2028",
  "\u007f",
  "\ufeff",
  "\u0085x",
  "\u{1d49c}",
  "\uffee",
];

const ESCAPES: readonly string[] = [
  ...'\\n \\t \\r \\b \\f \\" \\\\ \\/ \\u0041 \\u00e9 \\u0001 \\u001f \\u007f \\u2028 \\uFEFF'.split(" "),
  "\\ud83d\\ude00",
  "\\ud83d",
  "\\ude00",
  "\\ude00\\ud83d",
  "\\u0000",
];

const BAD_ESCAPES: readonly string[] = [
  "\\x41",
  "\\u12",
  "\\u12g4",
  "\\'",
  "\\",
  "\n",
  "\t",
  "\u0001",
  "\\U0041",
];

const KEYS: readonly string[] = [
  ..."city date n limit unit City 城市 é z Z _ a b constructor __proto__ Name arguments".split(" "),
  "",
  "\u{1f600}",
  "\uffee",
  "a b",
  "\\u0061",
  "k\\ne",
];

/** Text of a JSON string of Python's dialect, now and then one that Python refuses. */
export function randomStringText(random: Random): string {
  let inside = "";
  for (let left = upTo(random, 3); left >= 0; left--) {
    inside += chance(random, 0.25) ? pick(random, ESCAPES) : pick(random, BARE_STRINGS);
  }
  if (chance(random, 0.02)) inside += pick(random, BAD_ESCAPES);
  return `"${inside}"`;
}

/** Text of a JSON value of Python's dialect, at most `depth` levels deep, now and then one that Python refuses. */
export function randomJsonText(random: Random, depth: number): string {
  const kind = random();
  if (depth > 0 && kind < 0.2) return randomObjectText(random, depth);
  if (depth > 0 && kind < 0.35) return randomListText(random, depth);
  if (kind < 0.65) return randomStringText(random);
  if (kind < 0.9) return pick(random, NUMBERS);
  return kind < 0.99 ? pick(random, ["true", "false", "null"]) : pick(random, BAD_NUMBERS);
}

/** Text of a JSON object of up to four keys, some of them repeated. */
export function randomObjectText(random: Random, depth: number): string {
  const entries: string[] = [];
  for (let left = upTo(random, 4); left > 0; left--) {
    entries.push(`"${pick(random, KEYS)}"${pad(random)}:${pad(random)}${randomJsonText(random, depth - 1)}`);
  }
  return `{${pad(random)}${joined(random, entries)}${pad(random)}}`;
}

function randomListText(random: Random, depth: number): string {
  const items: string[] = [];
  for (let left = upTo(random, 3); left > 0; left--) items.push(randomJsonText(random, depth - 1));
  return `[${pad(random)}${joined(random, items)}${pad(random)}]`;
}

/** Parts joined by commas, rarely with one comma too many. */
export function joined(random: Random, parts: readonly string[]): string {
  return parts.join(`${pad(random)},${pad(random)}`) + (chance(random, 0.015) ? "," : "");
}

/** Mostly nothing or a space, else another whitespace of JSON, rarely one that only Python's strip knows. */
function pad(random: Random): string {
  if (chance(random, 0.85)) return pick(random, ["", " "]);
  return chance(random, 0.02)
    ? pick(random, ["\u00a0", "\ufeff", "\u2028"])
    : pick(random, ["\n", "\t", "\r\n", "  "]);
}
