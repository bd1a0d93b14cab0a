import { describe, expect, it } from "vitest";
import { bcaInterval } from "../../src/math/bca-interval.ts";

const replicates = Float64Array.from({ length: 1001 }, (_, i) => i / 1000);

describe("bcaInterval", () => {
  it("is the percentile interval without bias and skewness", () => {
    const { low, high } = bcaInterval(replicates, 0.5, Float64Array.of(1, 2, 3), 0.9);
    expect(low).toBeCloseTo(0.05, 10);
    expect(high).toBeCloseTo(0.95, 10);
  });

  it("moves by twice the bias without skewness", () => {
    // P(Z < -1) of the replicates lie below the value: levels Φ(-2 ∓ 1.6448536).
    const { low, high } = bcaInterval(replicates, 0.15865525393145707, Float64Array.of(5, 5), 0.9);
    expect(low).toBeCloseTo(0.000133, 3);
    expect(high).toBeCloseTo(0.3612, 2);
  });

  it("has closed-form levels with skewness", () => {
    // d = 2, -1, -1: acceleration 6 / (6 · 6^1.5) = 0.0680414; levels Φ(z / (1 - a z)) at z = ∓1.6448536.
    const { low, high } = bcaInterval(replicates, 0.5, Float64Array.of(0, 3, 3), 0.9);
    expect(low).toBeCloseTo(0.0695, 3);
    expect(high).toBeCloseTo(0.968, 3);
  });

  it("is undefined when all replicates lie on one side, and ignores NaN", () => {
    expect(bcaInterval(replicates, 2, Float64Array.of(1, 2), 0.9)).toEqual({ low: NaN, high: NaN });
    const withGaps = Float64Array.from([Number.NaN, ...replicates]);
    expect(bcaInterval(withGaps, 0.5, Float64Array.of(1, NaN, 2, 3), 0.9)).toEqual(
      bcaInterval(replicates, 0.5, Float64Array.of(1, 2, 3), 0.9),
    );
  });
});
