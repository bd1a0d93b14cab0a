import { describe, expect, it } from "vitest";
import { stirlingError } from "../../src/math/stirling-error.ts";

describe("stirlingError", () => {
  it("completes Stirling's formula to ln Γ", () => {
    const logGamma = (x: number): number =>
      (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirlingError(x);
    expect(logGamma(1)).toBeCloseTo(0, 15);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 14);
    expect(logGamma(11)).toBeCloseTo(Math.log(3628800), 13);
    expect(logGamma(171) / 706.5730622457874).toBeCloseTo(1, 15);
    expect(logGamma(1e-3)).toBeCloseTo(6.907178885383854, 14);
  });

  it("is 1/(12x) for large x", () => {
    expect(stirlingError(1e8) * 12e8).toBeCloseTo(1, 15);
  });
});
