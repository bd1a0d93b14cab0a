import { InvalidArgumentError } from "commander";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyNumber,
  gather,
  gatherNames,
  integerBetween,
  numberBetween,
  parseNumbers,
  parsePair,
  parsePairs,
  parseWeights,
} from "../../src/cli/option-values.ts";

const refusal = (message: string): unknown =>
  expect.objectContaining({ constructor: InvalidArgumentError, message });

describe("numberBetween", () => {
  const parse = numberBetween(0, 2);
  it.each([
    ["0", 0],
    ["2", 2],
    [" 0.5 ", 0.5],
    ["1e-3", 0.001],
  ])("reads %j", (text, value) => {
    expect(parse(text)).toBe(value);
  });

  it.each(["", "  ", "-0.1", "2.0001", "x", "1,5", "NaN", "Infinity"])("refuses %j", (text) => {
    expect(() => parse(text)).toThrow(refusal("expected a number from 0 to 2."));
  });
});

describe("integerBetween", () => {
  const parse = integerBetween(1, 256);
  it.each([
    ["1", 1],
    ["256", 256],
    ["2.0", 2],
  ])("reads %j", (text, value) => {
    expect(parse(text)).toBe(value);
  });

  it.each(["", " ", "0", "257", "1.5", "x", "NaN", "Infinity"])("refuses %j", (text) => {
    expect(() => parse(text)).toThrow(refusal("expected an integer from 1 to 256."));
  });
});

describe("gather", () => {
  it("adds to what was given before, and changes it not", () => {
    const before = gather("a", undefined);
    expect(before).toEqual(["a"]);
    expect(gather("a", before)).toEqual(["a", "a"]);
    expect(before).toEqual(["a"]);
  });
});

describe("parsePairs", () => {
  it("reads names and values, blanks around them dropped", () => {
    expect([...parsePairs("a=b, c = d")]).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect([...parsePairs("ppl=")]).toEqual([["ppl", ""]]);
    expect([...parsePairs("a=b=c")]).toEqual([["a", "b=c"]]);
    expect(() => parsePairs("a=1,a=2")).toThrow("expected each name once, got a=1,a=2");
  });

  it.each([
    ["", ""],
    ["a", "a"],
    ["=b", "=b"],
    [" =b", " =b"],
    ["a=b,", ""],
    ["a=b,c", "c"],
  ])("refuses %j", (text, pair) => {
    expect(() => parsePairs(text)).toThrow(
      refusal(`expected name=value pairs separated by commas, got ${pair}.`),
    );
  });

  it("reads back any names and values without separators", () => {
    const word = fc.stringMatching(/^[a-z_]{1,5}$/);
    fc.assert(
      fc.property(fc.dictionary(word, word, { minKeys: 1 }), (pairs) => {
        const text = Object.entries(pairs)
          .map(([name, value]) => `${name}=${value}`)
          .join(",");
        expect(Object.fromEntries(parsePairs(text))).toEqual({ ...pairs });
      }),
    );
  });
});

describe("parseWeights", () => {
  const parse = parseWeights(["format", "answer"]);
  it("reads numbers under known names", () => {
    expect(parse("format=1,answer=-0.5")).toEqual({ format: 1, answer: -0.5 });
    expect(parse("answer=0")).toEqual({ answer: 0 });
  });

  it.each(["class=1", "format=", "format=x", "format=Infinity", "format=NaN"])("refuses %j", (text) => {
    expect(() => parse(text)).toThrow(refusal(`expected numbers for format, answer, got ${text}.`));
  });
});

describe("parseNumbers", () => {
  it("reads numbers in order, infinities among them", () => {
    expect(parseNumbers("-9999,-1e9, 0 ,-Infinity")).toEqual([-9999, -1e9, 0, Number.NEGATIVE_INFINITY]);
  });

  it.each([
    ["", ""],
    ["1,,2", ""],
    ["1,x", "x"],
    ["NaN", "NaN"],
  ])("refuses %j", (text, piece) => {
    expect(() => parseNumbers(text)).toThrow(refusal(`expected numbers separated by commas, got ${piece}.`));
  });
});

describe("anyNumber", () => {
  it.each([
    ["0.1", 0.1],
    ["-2", -2],
    ["Infinity", Number.POSITIVE_INFINITY],
  ])("reads %j", (text, value) => {
    expect(anyNumber(text)).toBe(value);
  });

  it.each(["", " ", "x", "1,5", "NaN"])("refuses %j", (text) => {
    expect(() => anyNumber(text)).toThrow(refusal(`expected a number, got ${text}.`));
  });
});

describe("gatherNames", () => {
  it("adds names to those given before", () => {
    expect(gatherNames("a, b", undefined)).toEqual(["a", "b"]);
    expect(gatherNames("c", ["a"])).toEqual(["a", "c"]);
  });

  it.each(["", "a,,b", "a,"])("refuses %j", (text) => {
    expect(() => gatherNames(text, undefined)).toThrow(
      refusal(`expected names separated by commas, got ${text}.`),
    );
  });
});

describe("parsePair", () => {
  it("keeps everything after the first equals sign as it is", () => {
    expect(parsePair("baseline=base")).toEqual({ column: "baseline", value: "base" });
    expect(parsePair(" file =runs/a=1, b.jsonl")).toEqual({ column: "file", value: "runs/a=1, b.jsonl" });
    expect(parsePair("x=")).toEqual({ column: "x", value: "" });
  });

  it.each(["", "base", "=base", " =base"])("refuses %j", (text) => {
    expect(() => parsePair(text)).toThrow(refusal(`expected column=value, got ${text}.`));
  });
});
