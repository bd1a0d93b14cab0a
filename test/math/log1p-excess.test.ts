import { describe, expect, it } from "vitest";
import { log1pExcess } from "../../src/math/log1p-excess.ts";

describe("log1pExcess", () => {
  it("is w - ln(1 + w), by its series where that cancels", () => {
    for (const w of [-1e-3, -1e-8, 1e-12, 1e-4]) {
      const series = w ** 2 / 2 - w ** 3 / 3 + w ** 4 / 4 - w ** 5 / 5 + w ** 6 / 6;
      expect(log1pExcess(w) / series).toBeCloseTo(1, 14);
    }
    for (const w of [-0.9, -0.51, -0.49, 0.5, 0.99, 1.01, 20]) {
      expect(log1pExcess(w) / (w - Math.log1p(w))).toBeCloseTo(1, 14);
    }
  });

  it("takes the ratio when it is known better, and is infinite at -1", () => {
    expect(log1pExcess(-1, 1e-30)).toBe(-1 - Math.log(1e-30));
    expect(log1pExcess(-1)).toBe(Infinity);
    expect(log1pExcess(0)).toBe(0);
  });
});
