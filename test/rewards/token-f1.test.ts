import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenF1 } from "../../src/rewards/token-f1.ts";

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
});
