import { describe, expect, it } from "vitest";
import { choice, flag, parsed, present, text } from "../../src/cli/define-option.ts";

describe("option definitions", () => {
  it("make a new option every time", () => {
    const define = text("--title <text>", "a title");
    expect(define()).not.toBe(define());
    expect(define()).toMatchObject({ long: "--title", description: "a title", required: true });
  });

  it("carry words, parsers and defaults", () => {
    expect(choice("--scale <scale>", "a scale", ["log", "identity"])().argChoices).toEqual([
      "log",
      "identity",
    ]);
    expect(parsed<number>("--bins <n>", "bins", Number)().parseArg?.("3", undefined as never)).toBe(3);
    expect(flag("--quiet", "quiet")().defaultValue).toBe(false);
  });
});

describe("present", () => {
  it("drops what was not given, and keeps null, 0 and false", () => {
    expect(Object.entries(present({ a: undefined, b: null, c: 0, d: false, e: "x" }))).toEqual([
      ["b", null],
      ["c", 0],
      ["d", false],
      ["e", "x"],
    ]);
  });
});
