import { chance, pick, type Random, upTo } from "./random-choice.ts";
import { joined, randomJsonText, randomObjectText, randomStringText } from "./random-json.ts";
import { block, space } from "./random-text.ts";

const CALL_NAMES: readonly string[] = ["get_weather", "search", "Search", "book flight", "查询"];

/** A call, or a list with one, between markers. */
export function callBlock(random: Random): string {
  let inside = callText(random);
  if (chance(random, 0.15))
    inside = `[${joined(random, [inside, chance(random, 0.5) ? callText(random) : randomJsonText(random, 1)])}]`;
  if (chance(random, 0.03))
    inside = pick(random, [
      `\`\`\`json\n${inside}\n\`\`\``,
      `\ufeff${inside}`,
      "[]",
      "",
      `${inside} ${inside}`,
    ]);
  return block(
    random,
    chance(random, 0.9) ? "tool_call" : "toolcall",
    `${space(random)}${inside}${space(random)}`,
  );
}

/** JSON text of a call, plain or wrapped in `function`. */
export function callText(random: Random): string {
  const entries: string[] = [];
  if (chance(random, 0.97)) entries.push(`"name": ${callName(random)}`);
  if (chance(random, 0.9)) entries.push(`"arguments": ${callArguments(random)}`);
  if (chance(random, 0.1)) entries.push(`"id": ${randomJsonText(random, 1)}`);
  if (chance(random, 0.05)) entries.push(`"name": ${callName(random)}`);
  if (chance(random, 0.05)) entries.push(`"arguments": ${callArguments(random)}`);
  if (chance(random, 0.1)) entries.reverse();
  const call = `{${joined(random, entries)}}`;
  if (chance(random, 0.88)) return call;
  const wrapped = chance(random, 0.8) ? call : randomJsonText(random, 1);
  return pick(random, [
    `{"type": "function", "function": ${wrapped}}`,
    `{"name": "search", "function": ${wrapped}}`,
  ]);
}

function callName(random: Random): string {
  if (chance(random, 0.7)) return `"${pick(random, CALL_NAMES)}"`;
  if (chance(random, 0.4)) return `"${space(random)}${pick(random, CALL_NAMES)}${space(random)}"`;
  return pick(random, [
    "null",
    "true",
    "false",
    "0",
    "7",
    "-0",
    "0.0",
    "1.5",
    "1e16",
    "12345678901234567890",
    '""',
    '" "',
    '"\\u00a0"',
    '"None"',
    '"7"',
    '"\\ud83d"',
    '"a\\nb"',
  ]);
}

function callArguments(random: Random): string {
  const simple = [
    '{"city": "Paris"}',
    '{"city": "paris", "n": 10}',
    '{"date": "10:30", "city": "Paris"}',
    "{}",
  ];
  if (chance(random, 0.45)) return pick(random, simple);
  if (chance(random, 0.6)) return randomObjectText(random, 2);
  if (chance(random, 0.5))
    return JSON.stringify(chance(random, 0.7) ? randomObjectText(random, 1) : randomJsonText(random, 1));
  return chance(random, 0.5) ? randomJsonText(random, 1) : randomStringText(random);
}

/** A turn's `tools`: mostly a list of objects with names. */
export function randomTools(random: Random): unknown {
  if (chance(random, 0.5))
    return pick<unknown>(random, [null, [], "[]", '[{"name": "search"}]', {}, undefined]);
  const tools: unknown[] = [];
  for (let left = upTo(random, 5); left >= 0; left--) tools.push(randomTool(random));
  return tools;
}

function randomTool(random: Random): unknown {
  const name = pick(random, CALL_NAMES);
  const odd: readonly unknown[] = [
    { type: "function", function: { name } },
    `{"name": ${callName(random)}}`,
    `{"name": "${name}",}`,
    `"${name}"`,
    name,
    { name: null },
    { name: true },
    { name: 7 },
    {},
    "{}",
    null,
    3,
    [{ name }],
    `[{"name": "${name}"}]`,
    ` {"name": "search", "name": "${name}"}\n`,
  ];
  if (chance(random, 0.25)) return pick(random, odd);
  return { name: `${space(random)}${name}${space(random)}`, parameters: {} };
}
