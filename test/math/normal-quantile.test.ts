import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf } from "../../src/math/normal-cdf.ts";
import { normalQuantile } from "../../src/math/normal-quantile.ts";

const golden: { readonly normal_quantiles: readonly [number, number][] } = JSON.parse(
  readFileSync(new URL("../golden/beta.json", import.meta.url), "utf8"),
);

describe("normalQuantile", () => {
  it.each(golden.normal_quantiles)("of %d is %d", (p, x) => {
    expect(Math.abs(normalQuantile(p) / x - 1)).toBeLessThan(1e-15);
  });

  it("has its limits, its centre, and NaN outside", () => {
    expect([normalQuantile(0), normalQuantile(0.5), normalQuantile(1)]).toEqual([-Infinity, 0, Infinity]);
    expect([normalQuantile(-0.1), normalQuantile(1.1), normalQuantile(NaN)]).toEqual([NaN, NaN, NaN]);
  });

  it("inverts normalCdf", () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 5, noNaN: true }), (x) => {
        const tolerance = x < 0 ? 1e-14 : 1e-15 * Math.exp((x * x) / 2) * 4;
        expect(Math.abs(normalQuantile(normalCdf(x)) - x)).toBeLessThan(tolerance + 1e-14 * Math.abs(x));
      }),
    );
  });
});
