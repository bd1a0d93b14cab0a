import { describe, expect, it } from "vitest";
import { readGoldActions, readMessages, readToolCalls } from "../../../src/data/calls/messages.ts";

describe("readMessages", () => {
  it("reads OpenAI's format", () => {
    const call = { id: "c1", type: "function", function: { name: "f", arguments: '{"a": 1}' } };
    const messages = [
      { role: "system", content: "s" },
      { role: "assistant", content: "text and call", tool_calls: [call, call] },
      { role: "tool", tool_call_id: "c1", name: "f", content: "" },
      { role: "assistant", content: null, tool_calls: null },
    ];
    expect(readMessages(messages)).toEqual([
      { role: "system", content: "s", toolCalls: [] },
      {
        role: "assistant",
        content: "text and call",
        toolCalls: [
          { name: "f", arguments: { a: 1 } },
          { name: "f", arguments: { a: 1 } },
        ],
      },
      { role: "tool", content: "", toolCalls: [], toolCallId: "c1", name: "f" },
      { role: "assistant", content: null, toolCalls: [] },
    ]);
  });

  it("joins content parts, reads refusals and the older function_call", () => {
    const image = { type: "image_url", image_url: { url: "data:" } };
    const [parts, refusal, inParts, legacy] =
      readMessages([
        { role: "user", content: [{ type: "text", text: "a" }, image, { type: "text", text: "b" }] },
        { role: "assistant", content: null, refusal: "no" },
        { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
        { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      ]) ?? [];
    expect([parts?.content, refusal?.content, inParts?.content]).toEqual(["ab", "no", "no"]);
    expect(legacy?.toolCalls).toEqual([{ name: "f", arguments: {} }]);
  });

  it.each([
    null,
    undefined,
    "text",
    3,
    {},
    [1],
    [null],
    [{ content: "x" }],
    [{ role: 1 }],
    [{ role: "user" }, "x"],
  ])("is null for %j", (value) => {
    expect(readMessages(value)).toBeNull();
  });

  it("reads an empty conversation", () => {
    expect(readMessages([])).toEqual([]);
  });
});

describe("readToolCalls", () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    [{ a: 1 }, { a: 1 }],
    [null, {}],
    [undefined, {}],
    ["", {}],
    ["null", {}],
    ["{}", {}],
    ['{"a": ', '{"a": '],
    ["[1]", "[1]"],
    ['"{}"', '"{}"'],
    [[1], "[1]"],
    [7, "7"],
    ['{"x": NaN}', { x: Number.NaN }],
    ['{"id": [9007199254740993]}', { id: [9007199254740993n] }],
  ])("reads arguments %j", (given, expected) => {
    expect(readToolCalls([{ function: { name: "f", arguments: given } }])).toEqual([
      { name: "f", arguments: expected },
    ]);
    expect(readToolCalls([{ name: "f", arguments: given }])).toEqual([{ name: "f", arguments: expected }]);
  });

  it("reads kwargs, one call, JSON text, and calls without a name", () => {
    expect(readToolCalls({ name: "f", kwargs: { a: 1 } })).toEqual([{ name: "f", arguments: { a: 1 } }]);
    expect(readToolCalls('[{"name": "f"}, {"name": "g", "arguments": "{}"}]')).toEqual([
      { name: "f", arguments: {} },
      { name: "g", arguments: {} },
    ]);
    expect(readToolCalls([{ function: { arguments: "{}" } }, { name: 5 }])).toEqual([
      { name: "", arguments: {} },
      { name: "", arguments: {} },
    ]);
  });

  it.each([null, undefined, "not JSON", 3, [], [null, 1, "x"]])("finds none in %j", (value) => {
    expect(readToolCalls(value)).toEqual([]);
  });
});

describe("readGoldActions", () => {
  it("reads the arguments that count", () => {
    expect(
      readGoldActions([
        { name: "f", arguments: { a: 1 }, compare_args: ["a"] },
        { name: "g", kwargs: { b: 2 }, compare_args: [] },
        { name: "h", arguments: '{"c": 3}', compareArgs: ["c"] },
        { name: "i", arguments: null, compare_args: null },
      ]),
    ).toEqual([
      { name: "f", arguments: { a: 1 }, compareArgs: ["a"] },
      { name: "g", arguments: { b: 2 }, compareArgs: [] },
      { name: "h", arguments: { c: 3 }, compareArgs: ["c"] },
      { name: "i", arguments: {} },
    ]);
    expect(readGoldActions(null)).toEqual([]);
  });
});
