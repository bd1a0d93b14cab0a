import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialQuantile, binomialWindow } from "../../src/math/binomial-window.ts";

describe("binomialWindow", () => {
  it("is the binomial distribution", () => {
    const { first, probability } = binomialWindow(3, 0.25);
    expect(first).toBe(0);
    [27, 27, 9, 1].forEach((ways, k) => {
      expect(probability[k]).toBeCloseTo(ways / 64, 14);
    });
  });

  it("is one number at the ends and without trials", () => {
    expect(binomialWindow(9, 0)).toEqual({ first: 0, probability: Float64Array.of(1) });
    expect(binomialWindow(9, 1)).toEqual({ first: 9, probability: Float64Array.of(1) });
    expect(binomialWindow(0, 0.4)).toEqual({ first: 0, probability: Float64Array.of(1) });
  });

  it("has the mean np and the variance np(1 - p)", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }),
        (n, p) => {
          const { first, probability } = binomialWindow(n, p);
          let mean = 0;
          let variance = 0;
          probability.forEach((mass, i) => {
            mean += mass * (first + i - n * p);
            variance += mass * (first + i - n * p) ** 2;
          });
          expect(Math.abs(mean)).toBeLessThan(1e-7 * n);
          expect(variance / (n * p * (1 - p))).toBeCloseTo(1, 6);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(first + probability.length - 1).toBeLessThanOrEqual(n);
        },
      ),
    );
  });
});

describe("binomialQuantile", () => {
  it("is the smallest number whose distribution function reaches the level", () => {
    const window = binomialWindow(2, 0.5);
    expect([0, 0.25, 0.26, 0.75, 0.76, 1].map((level) => binomialQuantile(window, level))).toEqual([
      0, 0, 1, 1, 2, 2,
    ]);
  });
});
