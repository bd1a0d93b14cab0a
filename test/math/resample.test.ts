import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createResampler } from "../../src/math/resample.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";

describe("createResampler", () => {
  it("draws as many units as there are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.nat(1000), (units, seed) => {
        const counts = new Int32Array(units).fill(-7);
        createResampler(units, seededRandom(seed))(counts);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(units);
      }),
    );
  });

  it("has multinomial counts: mean 1, variance 1 - 1/units, covariance -1/units", () => {
    const draw = createResampler(5, seededRandom(1));
    const counts = new Int32Array(5);
    const sums = { first: 0, square: 0, product: 0 };
    const resamples = 20_000;
    for (let r = 0; r < resamples; r++) {
      draw(counts);
      const [a, b] = [counts[0] as number, counts[4] as number];
      sums.first += a;
      sums.square += (a - 1) ** 2;
      sums.product += (a - 1) * (b - 1);
    }
    expect(Math.abs(sums.first / resamples - 1)).toBeLessThan(0.03);
    expect(Math.abs(sums.square / resamples - 0.8)).toBeLessThan(0.04);
    expect(Math.abs(sums.product / resamples + 0.2)).toBeLessThan(0.03);
  });
});
