import { describe, expect, it } from "vitest";
import {
  actionCode,
  actionFromLetter,
  actionLabelCode,
  parseAction,
  sameCoarsePair,
} from "../../../src/data/calls/action.ts";
import { ACTIONS } from "../../../src/types.ts";

describe("parseAction", () => {
  it.each([
    ["direct_answer", "direct_answer"],
    ["direct", "direct_answer"],
    ["tool_call", "tool_call"],
    ["tool", "tool_call"],
    ["request_for_info", "request_for_info"],
    ["ask", "request_for_info"],
    ["cannot_answer", "cannot_answer"],
    ["unable", "cannot_answer"],
  ])("reads %s in any letter case", (name, action) => {
    expect(parseAction(name)).toBe(action);
    expect(parseAction(name.toUpperCase())).toBe(action);
    expect(parseAction(name.charAt(0).toUpperCase() + name.slice(1))).toBe(action);
  });

  it.each([
    null,
    undefined,
    "",
    "A",
    "b",
    " tool",
    "tool ",
    "tool-call",
    "toolcall",
    "as\u212a",
    "a\u017fk",
    "__proto__",
  ])("leaves %j unparsed", (name) => {
    expect(parseAction(name)).toBeNull();
    expect(actionCode(name)).toBe(-1);
  });

  it("numbers the actions in letter order", () => {
    expect(ACTIONS.map(actionCode)).toEqual([0, 1, 2, 3]);
    expect(["A", "B", "C", "D"].map(actionFromLetter)).toEqual(ACTIONS);
    expect(["a", "b", "c", "d"].map(actionFromLetter)).toEqual(ACTIONS);
    expect(["", "E", "AB", "1"].map(actionFromLetter)).toEqual([null, null, null, null]);
  });
});

describe("sameCoarsePair", () => {
  it("separates acting from holding back, and never pairs an unparsed action", () => {
    const all = [...ACTIONS, null];
    const table = all.map((a) => all.map((b) => (sameCoarsePair(a, b) ? 1 : 0)));
    expect(table).toEqual([
      [1, 1, 0, 0, 0],
      [1, 1, 0, 0, 0],
      [0, 0, 1, 1, 0],
      [0, 0, 1, 1, 0],
      [0, 0, 0, 0, 0],
    ]);
  });
});

describe("actionLabelCode", () => {
  it.each([
    ["B", 1],
    ["d", 3],
    ["Tool", 1],
    ["E", -1],
    [" A", -1],
    ["", -1],
    [null, -1],
    ["\u212a", -1],
  ])("reads %j as %i", (label, code) => expect(actionLabelCode(label)).toBe(code));
});
