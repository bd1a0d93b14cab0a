import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compensatedSum } from "../../src/math/sum.ts";

describe("compensatedSum", () => {
  it("keeps what plain addition loses", () => {
    expect(compensatedSum([1, 1e100, 1, -1e100])).toBe(2);
    expect(compensatedSum(new Float64Array(10).fill(0.1))).toBe(1);
    expect(compensatedSum(new Float64Array(1e6).fill(-0.1))).toBe(-100000);
  });

  it("sums a range", () => {
    expect(compensatedSum([1, 2, 4, 8], 1, 3)).toBe(6);
    expect(compensatedSum([1, 2], 1, 1)).toBe(0);
    expect(compensatedSum([])).toBe(0);
  });

  it("passes infinities and NaN on", () => {
    expect(compensatedSum([1, Number.NEGATIVE_INFINITY, 2])).toBe(Number.NEGATIVE_INFINITY);
    expect(compensatedSum([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBeNaN();
    expect(compensatedSum([1, Number.NaN])).toBeNaN();
    expect(compensatedSum([-1e308, -1e308])).toBe(Number.NEGATIVE_INFINITY);
  });

  it("is exact for integers over a common denominator, in any order of magnitude", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), { maxLength: 50 }), (integers) => {
        const exact = Number(integers.reduce((sum, x) => sum + BigInt(x), 0n));
        expect(compensatedSum(integers.map((x) => x / 1024)) + 0).toBe(exact / 1024);
      }),
    );
  });
});
