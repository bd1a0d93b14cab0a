import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { harmonicDifference } from "../../src/math/harmonic.ts";

function added(a: number, m: number): number {
  let sum = 0;
  for (let j = m; j >= 1; j--) sum += 1 / (a + j);
  return sum;
}

describe("harmonicDifference", () => {
  it.each([
    [0, 1, 1],
    [0, 4, 25 / 12],
    [7, 0, 0],
    // H(1/2) = 2 - 2 ln 2 and H(-1/2 + 1) - H(1/2) = 0 by the recurrence of the digamma function.
    [0, 0.5, 2 - 2 * Math.LN2],
    [0.5, 1, 2 / 3],
    [0.5, 0.5, 1 - (2 - 2 * Math.LN2)],
  ])("H(%d + m) - H(%d) for m = %d", (a, m, expected) => {
    expect(harmonicDifference(a, m)).toBeCloseTo(expected, 14);
  });

  it("is the sum of reciprocals for whole numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e7 }), fc.integer({ min: 0, max: 3000 }), (a, m) => {
        const expected = added(a, m);
        expect(Math.abs(harmonicDifference(a, m) - expected)).toBeLessThanOrEqual(1e-14 * expected);
      }),
    );
  });

  it("adds up over neighbouring ranges of any length", () => {
    const length = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(length, length, length, (a, m, k) => {
        const whole = harmonicDifference(a, m + k);
        expect(harmonicDifference(a, m) + harmonicDifference(a + m, k)).toBeCloseTo(whole, 12);
      }),
    );
  });
});
