import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonLine } from "../../src/data/jsonl/parse-json-line.ts";
import { jsonObjects } from "../../src/judge/extract-json.ts";

const values = (text: string): unknown[] => jsonObjects(text).map(({ value }) => value);

describe("jsonObjects", () => {
  it.each<[string, unknown[]]>([
    ['{"a": 1}', [{ a: 1 }]],
    ['```json\n{"a": {"b": []}}\n```', [{ a: { b: [] } }]],
    ['Sure, {"a": 1}! And: {"b": "}{"} done', [{ a: 1 }, { b: "}{" }]],
    ['<think>{"a": 1} {"b": 2}</think> so {"c": 3}', [{ c: 3 }]],
    ['<think>{"a": 1}</think>\n', [{ a: 1 }]],
    ['<think>{"a": 1}</think> nothing', []],
    ['{"a": 1}</think>\nI give up.', []],
    ['<think>{"a": 1}</think> []', [[]]],
    ['a list: [{"a": 1}, {"a": 2}]', [[{ a: 1 }, { a: 2 }]]],
    ["[]", [[]]],
    ["```\n[]\n```", [[]]],
    ["see [] and [1, 2]", []],
    ["", []],
    ["none, {x} and { broken", []],
    ['a set {x} then {"a": 1}', [{ a: 1 }]],
    ['{"id": 9007199254740993}', [{ id: 9007199254740993n }]],
  ])("finds what is complete: %s", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each([
    '{"a": [{"b": 1}, {"b": 2}',
    '[{"b": 1}, {"b": 2}, {"b":',
    '{"a": {"b": 1}, broken}',
    '{"a": [{"b": 1}], "c": tru',
    '```json\n{"a": [{"b": 1},\n{"b": 2}]\n```',
  ])("leaves out what is left of something broken: %s", (text) => {
    expect(values(text)).toEqual([]);
    expect(values(`${text}\n\nAgain: {"z": 1}`)).toEqual([{ z: 1 }]);
  });

  it("says which objects stand side by side", () => {
    const text = 'x {"a":1}\n{"b":2},{"c":3} then {"d":4}';
    expect(jsonObjects(text).map(({ joined }) => joined)).toEqual([false, true, true, false]);
  });

  it("finds any object again behind prose, in a fence, and after another", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
        const text = JSON.stringify(object);
        const expected = parseJsonLine(text, { exactIntegers: true }).value;
        expect(values(text)).toEqual([expected]);
        expect(values(`Well {then}:\n\`\`\`json\n${text}\n\`\`\`\nok`)).toEqual([expected]);
        expect(values(`{"first": 1} but ${text}`)).toEqual([{ first: 1 }, expected]);
      }),
      { numRuns: 100 },
    );
  });

  it("reads long hostile texts in linear time", () => {
    expect(jsonObjects("{".repeat(1e6))).toEqual([]);
    for (const piece of [
      "{",
      '{"',
      '{"a":',
      '{"a":[',
      "[",
      "[{",
      "[{}",
      "[{},",
      "{},",
      '"{\\"',
      "```",
      "</think>",
      "{ ",
    ])
      expect(jsonObjects(piece.repeat(4e5 / piece.length)).length).toBeGreaterThanOrEqual(0);
  });
});
