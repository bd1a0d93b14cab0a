import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sigmoid } from "../../src/math/sigmoid.ts";

describe("sigmoid", () => {
  it("is 0, 1/2 and 1 where it should be", () => {
    expect(sigmoid(0)).toBe(0.5);
    expect(sigmoid(-1000)).toBe(0);
    expect(sigmoid(1000)).toBe(1);
    expect(sigmoid(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(sigmoid(Number.POSITIVE_INFINITY)).toBe(1);
    expect(sigmoid(Number.NaN)).toBeNaN();
  });

  it("keeps the digits of the left tail", () => {
    expect(sigmoid(-0.5)).toBeCloseTo(0.37754066879814546, 16);
    expect(sigmoid(-700) / Math.exp(-700)).toBe(1);
  });

  it("rises, stays in [0, 1] and is symmetric about 0", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (x, y) => {
        expect(sigmoid(Math.min(x, y))).toBeLessThanOrEqual(sigmoid(Math.max(x, y)));
        expect(sigmoid(x) + sigmoid(-x)).toBeCloseTo(1, 15);
      }),
    );
  });
});
