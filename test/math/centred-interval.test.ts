import { describe, expect, it } from "vitest";
import { centredInterval } from "../../src/math/centred-interval.ts";

const UNIT = { low: 0, high: 1 };
const replicates = Float64Array.from({ length: 101 }, (_, i) => 0.3 + i / 1000);

describe("centredInterval", () => {
  it("moves the percentiles so that the mean of the replicates is the estimate", () => {
    const { low, high } = centredInterval(0.5, replicates, 0.9, UNIT);
    // Replicates are 0.300 … 0.400 with mean 0.35: 5 % and 95 % are 0.305 and 0.395, moved by 0.15.
    expect(low).toBeCloseTo(0.455, 12);
    expect(high).toBeCloseTo(0.545, 12);
  });

  it("stays inside what the metric can be, and contains the estimate", () => {
    expect(centredInterval(0.98, replicates, 0.9, UNIT).high).toBe(1);
    expect(centredInterval(0, replicates, 0.9, UNIT).low).toBe(0);
    const skewed = Float64Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 100);
    const { low, high } = centredInterval(5, skewed, 0.5, { low: -1000, high: 1000 });
    expect([low, high]).toEqual([-5, 5]);
  });

  it("has no ends without an estimate, without replicates, or when most replicates are undefined", () => {
    const none = { low: Number.NaN, high: Number.NaN };
    expect(centredInterval(Number.NaN, replicates, 0.9, UNIT)).toEqual(none);
    expect(centredInterval(Number.POSITIVE_INFINITY, replicates, 0.9, UNIT)).toEqual(none);
    expect(centredInterval(0.5, new Float64Array(0), 0.9, UNIT)).toEqual(none);
    expect(centredInterval(0.5, Float64Array.of(0.5, Number.NaN, Number.NaN), 0.9, UNIT)).toEqual(none);
    expect(centredInterval(0.5, Float64Array.of(0.5, 0.5, Number.NaN), 0.9, UNIT)).toEqual({
      low: 0.5,
      high: 0.5,
    });
  });
});
