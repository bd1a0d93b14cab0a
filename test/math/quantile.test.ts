import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantileOfSorted, quantiles } from "../../src/math/quantile.ts";

describe("quantiles", () => {
  it("interpolates as numpy's default does", () => {
    const values = Float64Array.of(15, 20, 35, 40, 50);
    expect([...quantiles(values, [0, 0.05, 0.25, 0.4, 0.5, 1])]).toEqual([15, 16, 20, 29, 35, 50]);
    expect(quantiles(Float64Array.of(3, 1), [0.5])[0]).toBe(2);
  });

  it("leaves NaN out, and the argument alone", () => {
    const values = Float64Array.of(4, Number.NaN, 2);
    expect([...quantiles(values, [0, 0.5, 1])]).toEqual([2, 3, 4]);
    expect([...values]).toEqual([4, Number.NaN, 2]);
  });

  it("is NaN for no values and for probabilities that are none", () => {
    expect([...quantiles(Float64Array.of(Number.NaN), [0.5])]).toEqual([Number.NaN]);
    expect([...quantiles(Float64Array.of(1, 2), [-0.1, 1.1, Number.NaN])]).toEqual([NaN, NaN, NaN]);
  });

  it("carries infinities", () => {
    const inf = Number.POSITIVE_INFINITY;
    expect([...quantiles(Float64Array.of(1, inf, inf), [0, 0.25, 0.75, 1])]).toEqual([1, inf, inf, inf]);
  });

  it("rises with p and stays between the extremes", () => {
    const numbers = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        numbers,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (xs, p, q) => {
          const sorted = Float64Array.from(xs).sort();
          const low = quantileOfSorted(sorted, Math.min(p, q));
          const high = quantileOfSorted(sorted, Math.max(p, q));
          expect(low).toBeLessThanOrEqual(high + 1e-9);
          expect(low).toBeGreaterThanOrEqual((sorted[0] as number) - 1e-9);
        },
      ),
    );
  });
});
