import { describe, expect, it } from "vitest";
import { logBeta } from "../../src/math/log-beta.ts";

describe("logBeta", () => {
  it.each([
    [0.5, 0.5, Math.log(Math.PI)],
    [1, 1, 0],
    [3, 8, Math.log(1 / 360)],
    [1e-3, 1e-3, 7.600900817008347],
    [1e7, 1e7, -13862950.404734597],
    [2, 1e9, -41.44653167489282],
  ])("of %d, %d is %d", (a, b, expected) => {
    const tolerance = 2e-15 * Math.max(1, Math.abs(expected));
    expect(Math.abs(logBeta(a, b) - expected)).toBeLessThan(tolerance);
    expect(logBeta(b, a)).toBe(logBeta(a, b));
  });
});
