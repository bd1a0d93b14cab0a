import { describe, expect, it } from "vitest";
import { jsonText } from "../../../src/data/jsonl/json-text.ts";

describe("jsonText", () => {
  it("is JSON.stringify where that loses nothing", () => {
    for (const value of [
      null,
      "a\u2028",
      1.5,
      true,
      [],
      {},
      { b: [1, { a: null }], a: undefined },
      [undefined],
    ]) {
      expect(jsonText(value)).toBe(JSON.stringify(value));
    }
    expect(jsonText(undefined)).toBe("null");
  });

  it("keeps the digits of BigInt, and non-finite numbers as words", () => {
    const value = {
      id: 12345678901234567890n,
      a: [Number.NaN, Infinity, -Infinity, {}, []],
      "b c": undefined,
      d: "x",
    };
    expect(jsonText(value)).toBe(
      '{"id":12345678901234567890,"a":["NaN","Infinity","-Infinity",{},[]],"d":"x"}',
    );
    expect(jsonText([1n, undefined])).toBe("[1,null]");
    expect(jsonText(-5n)).toBe("-5");
  });

  it("writes a __proto__ key, and any depth", () => {
    expect(jsonText(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
    const text = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    expect(jsonText(JSON.parse(text))).toBe(text);
  });
});
