import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { normalCdf } from "../../src/math/normal-cdf.ts";

const golden: { readonly normal: readonly [number, number][] } = JSON.parse(
  readFileSync(new URL("../golden/beta.json", import.meta.url), "utf8"),
);

describe("normalCdf", () => {
  it.each(golden.normal)("at %d is %d", (x, p) => {
    // At -38 the value is subnormal and has fewer digits.
    expect(Math.abs(normalCdf(x) / p - 1)).toBeLessThan(p < 1e-300 ? 1e-7 : 1e-15);
  });

  it("has its limits, and NaN", () => {
    expect([normalCdf(-50), normalCdf(50), normalCdf(-Infinity), normalCdf(Infinity)]).toEqual([0, 1, 0, 1]);
    expect(normalCdf(Number.NaN)).toBeNaN();
  });
});
