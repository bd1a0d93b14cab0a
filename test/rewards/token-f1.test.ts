import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenF1 } from "../../src/rewards/token-f1.ts";

/** The definition as it is written: lower-cased text, tokens by one pattern, overlap as multisets. */
function plainF1(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
  const rest = [...(left ?? [])];
  const matched = (right ?? []).filter((token) => {
    const at = rest.indexOf(token);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  }).length;
  return matched === 0 ? 0 : (2 * matched) / ((left ?? []).length + (right ?? []).length);
}

describe("tokenF1", () => {
  it.each([
    ["Paris is the capital.", "the CAPITAL: Paris", 6 / 7],
    ["a a b", "a b b", 4 / 6],
    ["a", "b", 0],
    ["snake_case 12", "snake_case, 12!", 1],
    ["snake case", "snake_case", 0],
    ["don't", "don t", 1],
    ["Füße ИВАН", "füße иван", 1],
    ["你好 世界", "你好，世界", 1],
    ["x²", "x²", 1],
    ["", "a", 0],
    ["", "", 0],
    ["?!", "?!", 0],
  ])("of %j and %j is %d", (a, b, f1) => {
    expect(tokenF1(a, b)).toBe(f1);
    expect(tokenF1(b, a)).toBe(f1);
  });

  it("is in [0, 1], symmetric, and does not depend on the order of words", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c", "É", "_", "7"), { maxLength: 8 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const value = tokenF1(a.join(" "), b.join(" "));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(tokenF1(b.join(","), a.join("."))).toBe(value);
        expect(tokenF1(a.toReversed().join(" "), b.join(" "))).toBe(value);
      }),
    );
  });

  it("is 1 exactly for the same multiset of words", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const same = a.toSorted().join(" ") === b.toSorted().join(" ");
        expect(tokenF1(a.join(" "), b.join(" ")) === 1).toBe(same);
      }),
    );
  });

  it("is what its definition says, for ASCII and other texts, short and long", () => {
    const word = fc.constantFrom(
      "a",
      "A",
      "aa",
      "bB",
      "an",
      "c0",
      "b2",
      "_",
      "é",
      "\u212a",
      "k",
      "-",
      "'",
      "`",
      "[",
    );
    const text = fc
      .tuple(fc.array(word, { maxLength: 90 }), fc.constantFrom(" ", "", ", "))
      .map(([words, glue]) => words.join(glue));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(tokenF1(a, b)).toBe(plainF1(a, b));
      }),
    );
    const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 300 });
    fc.assert(
      fc.property(ascii, ascii, (a, b) => {
        expect(tokenF1(a, b)).toBe(plainF1(a, b));
      }),
    );
  });

  it("compares tokens of equal hashes letter by letter", () => {
    // 31 · "a" + "n" = 31 · "c" + "0".
    expect(tokenF1("an", "c0")).toBe(0);
    expect(tokenF1("an c0", "c0 an")).toBe(1);
  });
});
