import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/data/calls/canonical-json.ts";
import { parseCalls } from "../../src/rewards/parse-calls.ts";

const ls = { name: "ls", arguments: { a: true } };
const block = (inside: string): string => `<tool_call>${inside}</tool_call>`;

describe("parseCalls", () => {
  it("reads one block, several, and arrays inside a block", () => {
    const text = JSON.stringify(ls);
    expect(parseCalls(block(text))).toEqual([ls]);
    expect(parseCalls(`I will:\n${block(`\n${text}\n`)}\nand ${block(text)}.`)).toEqual([ls, ls]);
    expect(parseCalls(block(`[${text}, ${text}]`))).toEqual([ls, ls]);
    expect(parseCalls(`<TOOL_CALL>${text}</Tool_Call>`)).toEqual([ls]);
  });

  it("reads the whole text as an object or an array without a block", () => {
    expect(parseCalls(` ${JSON.stringify(ls)}\n`)).toEqual([ls]);
    expect(parseCalls(JSON.stringify([ls, ls]))).toEqual([ls, ls]);
    expect(parseCalls(JSON.stringify({ name: "html", arguments: { text: "<b>x</b>" } }))).toEqual([
      { name: "html", arguments: { text: "<b>x</b>" } },
    ]);
  });

  it("opens a function wrapper and arguments written as JSON text", () => {
    const wrapped = { type: "function", function: { name: "ls", arguments: '{"a": true}' } };
    expect(parseCalls(block(JSON.stringify(wrapped)))).toEqual([ls]);
    expect(parseCalls('{"name": "ls"}')).toEqual([{ name: "ls", arguments: {} }]);
    expect(parseCalls('{"name": "ls", "arguments": null}')).toEqual([{ name: "ls", arguments: {} }]);
    expect(parseCalls('{"name": "ls", "arguments": "{broken"}')).toEqual([
      { name: "ls", arguments: "{broken" },
    ]);
  });

  it("reads Python's JSON and keeps the digits of large integers", () => {
    expect(parseCalls('{"name": "f", "arguments": {"x": NaN, "id": 9007199254740993}}')).toEqual([
      { name: "f", arguments: { x: Number.NaN, id: 9007199254740993n } },
    ]);
  });

  it("keeps a marked call that it cannot read as a call without a name", () => {
    expect(parseCalls(block("{broken"))).toEqual([{ name: "", arguments: "{broken" }]);
    expect(parseCalls(block("ls(a=True)"))).toEqual([{ name: "", arguments: "ls(a=True)" }]);
    expect(parseCalls(`${block(JSON.stringify(ls))}${block('{"arguments": {}}')}`)).toEqual([
      ls,
      { name: "", arguments: '{"arguments":{}}' },
    ]);
    expect(parseCalls(JSON.stringify([ls, 5]))).toEqual([ls, { name: "", arguments: "5" }]);
  });

  it.each([
    "",
    "Paris",
    "a < b",
    "ls(a=True)",
    "{broken",
    '{"temperature": 20}',
    "[1, 2]",
    "[]",
    "{}",
    "<tool_call>",
    `<tool_call>${JSON.stringify(ls)}`,
    "</tool_call> <tool_call>",
    `\`\`\`json\n${JSON.stringify(ls)}\n\`\`\``,
  ])("finds no call in %j", (text) => {
    expect(parseCalls(text)).toEqual([]);
  });

  it("reads back any calls that are written out", () => {
    const call = fc.record({
      name: fc.string({ minLength: 1 }),
      arguments: fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), (calls) => {
        const expected = canonicalJson(calls);
        expect(canonicalJson(parseCalls(JSON.stringify(calls)))).toBe(expected);
        const texts = calls.map((one) => block(JSON.stringify(one).replaceAll("<", "\\u003c")));
        expect(canonicalJson(parseCalls(texts.join("\n")))).toBe(expected);
      }),
    );
  });

  it("never throws", () => {
    const piece = fc.constantFrom(
      "<tool_call>",
      "</tool_call>",
      "{",
      "}",
      "[",
      "]",
      '"name"',
      ":",
      '"f"',
      ",",
      " ",
      "x",
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => parseCalls(pieces.join("")).length >= 0));
  });
});
