import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundHalfEven } from "../../src/math/round-half-even.ts";

const ROWS = JSON.parse(
  readFileSync(new URL("../golden/round-half-even.json", import.meta.url), "utf8"),
) as readonly [number, number, number][];

describe("roundHalfEven", () => {
  it("rounds the exact binary value, ties to even", () => {
    expect(roundHalfEven(0.03125, 4)).toBe(0.0312);
    expect(roundHalfEven(0.09375, 4)).toBe(0.0938);
    expect(roundHalfEven(2.675, 2)).toBe(2.67);
    expect(roundHalfEven(2.5, 0)).toBe(2);
    expect(roundHalfEven(-1.5, 0)).toBe(-2);
  });

  it("lets −0 and what is not finite pass", () => {
    expect(roundHalfEven(-0, 4)).toBe(-0);
    expect(roundHalfEven(-1e-9, 6)).toBe(-0);
    expect(roundHalfEven(Number.NaN, 4)).toBeNaN();
    expect(roundHalfEven(Number.NEGATIVE_INFINITY, 4)).toBe(Number.NEGATIVE_INFINITY);
  });

  it("is Python's round", () => {
    expect(ROWS.length).toBeGreaterThan(250);
    const different = ROWS.filter(
      ([value, decimals, rounded]) => !Object.is(roundHalfEven(value, decimals), rounded),
    );
    expect(different).toEqual([]);
  });

  it("is odd, idempotent and off by at most half a unit", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }), (x, d) => {
        const rounded = roundHalfEven(x, d);
        expect(roundHalfEven(-x, d)).toBe(-rounded);
        expect(roundHalfEven(rounded, d)).toBe(rounded);
        expect(Math.abs(rounded - x)).toBeLessThanOrEqual(0.5 / 10 ** d + 2e-7);
      }),
    );
  });
});
