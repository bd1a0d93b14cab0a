import { describe, expect, it } from "vitest";
import { FEWEST_UNITS, isBeyondNoise } from "../../src/math/beyond-noise.ts";

const judged = { baseline: 0.4, candidate: 0.5, low: 0.02, high: 0.18, units: 50 };

describe("isBeyondNoise", () => {
  it("holds when the interval leaves out 0, on either side", () => {
    expect(isBeyondNoise(judged)).toBe(true);
    expect(isBeyondNoise({ ...judged, low: -0.18, high: -0.02 })).toBe(true);
    expect(isBeyondNoise({ ...judged, low: -0.02 })).toBe(false);
    expect(isBeyondNoise({ ...judged, low: 0 })).toBe(false);
  });

  it("takes rounding for no difference", () => {
    expect(isBeyondNoise({ ...judged, baseline: 0.5, low: 5.6e-17, high: 5.6e-17 })).toBe(false);
    expect(isBeyondNoise({ ...judged, baseline: 5e-20, candidate: 6e-20, low: 1e-21, high: 1e-20 })).toBe(
      true,
    );
  });

  it("says nothing without an interval, or from too few units", () => {
    expect(isBeyondNoise({ ...judged, low: Number.NaN })).toBeNull();
    expect(isBeyondNoise({ ...judged, units: FEWEST_UNITS - 1 })).toBeNull();
    expect(isBeyondNoise({ ...judged, units: FEWEST_UNITS })).toBe(true);
  });
});
