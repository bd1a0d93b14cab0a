import { describe, expect, it } from "vitest";
import { averagePrecision } from "../../src/metrics/average-precision.ts";

describe("averagePrecision", () => {
  it("adds steps, without interpolation", () => {
    // Recall 1/2 at precision 1, recall 1 at precision 2/3.
    expect(averagePrecision([0.9, 0.8, 0.7], [1, 0, 1]).ap).toBeCloseTo(0.5 + 0.5 * (2 / 3), 15);
  });

  it("reads low scores as positive on request", () => {
    expect(averagePrecision([1, 2, 3], [1, 0, 0], { direction: "lower-is-positive" }).ap).toBe(1);
    expect(averagePrecision([1, 2, 3], [1, 0, 0]).ap).toBeCloseTo(1 / 3, 15);
  });

  it("is undefined without positive rows and 1 with no others", () => {
    expect(averagePrecision([], [])).toEqual({ ap: Number.NaN, reason: "empty" });
    expect(averagePrecision([1, 2], [0, 0])).toEqual({ ap: Number.NaN, reason: "single-class" });
    expect(averagePrecision([1, 2], [1, 1])).toEqual({ ap: 1, reason: null });
  });
});
