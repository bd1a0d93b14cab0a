import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/data/calls/canonical-json.ts";
import { parseJsonLine } from "../../../src/data/jsonl/parse-json-line.ts";

const json = (text: string): string => canonicalJson(parseJsonLine(text, { exactIntegers: true }).value);

describe("canonicalJson", () => {
  it("gives one text for key order, whitespace and number spelling", () => {
    expect(json('{ "b": [1.0, 2], "a": {"d": null, "c": true} }')).toBe(
      '{"a":{"c":true,"d":null},"b":[1,2]}',
    );
    expect(json("[1, 1.0, 1e0, 10e-1, 100E-2]")).toBe("[1,1,1,1,1]");
    expect(json("[0, -0, 0.0, -0.0]")).toBe("[0,0,0,0]");
    expect(json('"\\u0041\\/\\n"')).toBe('"A/\\n"');
  });

  it("keeps the order of arrays and tells kinds apart", () => {
    expect(json("[2,1]")).toBe("[2,1]");
    expect(json('[1, "1", true, null, [], {}]')).toBe('[1,"1",true,null,[],{}]');
  });

  it("keeps every digit of large integers, whatever type holds them", () => {
    expect(json("9007199254740993")).toBe("9007199254740993");
    expect(canonicalJson({ id: 9007199254740992n })).toBe(canonicalJson({ id: 9007199254740992 }));
    expect(canonicalJson(1e21)).toBe(canonicalJson(10n ** 21n));
    expect(canonicalJson(-1e300)).toBe((-BigInt(1e300)).toString());
  });

  it("sorts keys by code point, not by UTF-16 unit", () => {
    expect(canonicalJson({ "\u{1f600}": 1, "\ufffd": 2, z: 3 })).toBe('{"z":3,"\ufffd":2,"\u{1f600}":1}');
    expect(canonicalJson({ ab: 1, a: 2, 10: 3, 9: 4 })).toBe('{"10":3,"9":4,"a":2,"ab":1}');
  });

  it("names what JSON has no form for, and leaves out undefined properties", () => {
    expect(canonicalJson([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBe(
      "[NaN,Infinity,-Infinity]",
    );
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
    expect(canonicalJson(undefined)).toBe("null");
  });

  it("treats __proto__ as an ordinary key", () => {
    expect(json('{"__proto__": {"a": 1}}')).toBe('{"__proto__":{"a":1}}');
  });

  it("goes as deep as the data", () => {
    const text = `${'{"a":['.repeat(100_000)}${"]}".repeat(100_000)}`;
    expect(json(text)).toBe(text);
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = canonicalJson(value);
        expect(canonicalJson(JSON.parse(once))).toBe(once);
      }),
    );
  });

  it("does not depend on the order in which keys were added", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), (fields) => {
        const reversed = Object.fromEntries(Object.entries(fields).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(fields));
      }),
    );
  });

  it("tells different values apart", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });
});

/** The value with its keys as a list of pairs in a fixed order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const pairs = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return { pairs: pairs.sort(([a], [b]) => (a < b ? -1 : 1)) };
}
