import { describe, expect, it } from "vitest";
import { percentileInterval } from "../../src/math/percentile-interval.ts";

describe("percentileInterval", () => {
  it("is the type-7 quantiles, without NaN", () => {
    const replicates = Float64Array.from([5, Number.NaN, 1, 3, 2, 4, Number.NaN]);
    expect(percentileInterval(replicates, 0.5)).toEqual({ low: 2, high: 4, undefined: 2 });
    expect(percentileInterval(replicates, 0.9)).toEqual({
      low: expect.closeTo(1.2, 12),
      high: expect.closeTo(4.8, 12),
      undefined: 2,
    });
    expect(replicates[0]).toBe(5);
  });

  it("is NaN without replicates", () => {
    expect(percentileInterval(new Float64Array(0), 0.95)).toEqual({ low: NaN, high: NaN, undefined: 0 });
    expect(percentileInterval(Float64Array.of(Number.NaN), 0.95)).toEqual({
      low: NaN,
      high: NaN,
      undefined: 1,
    });
  });

  it.each([0, 1, -0.5, 95, Number.NaN])("refuses the level %d", (level) => {
    expect(() => percentileInterval(new Float64Array(1), level)).toThrow(RangeError);
  });
});
