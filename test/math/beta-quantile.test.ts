import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaQuantile } from "../../src/math/beta-quantile.ts";
import { incompleteBeta } from "../../src/math/incomplete-beta.ts";

interface Golden {
  readonly quantiles: readonly [number, number, number, number][];
}

const golden: Golden = JSON.parse(readFileSync(new URL("../golden/beta.json", import.meta.url), "utf8"));

describe("betaQuantile", () => {
  it("agrees with 40-digit arithmetic", () => {
    const far = golden.quantiles.filter(([p, a, b, x]) => {
      const tolerance = 1e-14 * Math.max(1, 0.3 / Math.min(a, 1), Math.abs(Math.log(x)) / 10);
      return !(Math.abs(betaQuantile(p, a, b) / x - 1) < tolerance);
    });
    expect(golden.quantiles.length).toBeGreaterThan(50);
    expect(far).toEqual([]);
  });

  it("is the closed form of b = 1 and of a = 1", () => {
    for (const p of [1e-300, 1e-12, 0.3, 0.975, 1 - 1e-9]) {
      expect(betaQuantile(p, 3, 1) / p ** (1 / 3)).toBeCloseTo(1, 13);
      expect(betaQuantile(p, 1, 50) / -Math.expm1(Math.log1p(-p) / 50)).toBeCloseTo(1, 13);
    }
  });

  it("is 0 where the quantile is below the smallest double", () => {
    expect(betaQuantile(1e-12, 1e-3, 1e-3)).toBe(0);
    expect(betaQuantile(0.3, 1e-3, 1e7)).toBe(0);
  });

  it("takes the ends, and gives NaN outside", () => {
    expect([betaQuantile(0, 2, 3), betaQuantile(1, 2, 3)]).toEqual([0, 1]);
    const bad = [
      betaQuantile(-0.1, 1, 1),
      betaQuantile(NaN, 1, 1),
      betaQuantile(0.5, 0, 1),
      betaQuantile(0.5, 1, Infinity),
    ];
    expect(bad).toEqual([NaN, NaN, NaN, NaN]);
  });

  it("inverts incompleteBeta in both tails", () => {
    const size = fc.double({ min: -3, max: 21, noNaN: true }).map((e) => Math.exp(e));
    const chance = fc.double({ min: -300, max: -1e-6, noNaN: true });
    fc.assert(
      fc.property(chance, size, size, (logP, a, b) => {
        const p = Math.exp(logP);
        const x = betaQuantile(p, a, b);
        fc.pre(x > 1e-300 && x < 0.9);
        const { logLower, logUpper } = incompleteBeta(x, a, b);
        // One rounding of x moves the logarithm by its slope, about the root of the sizes.
        const slack = 1e-12 + 1e-15 * Math.sqrt(a + b) * (1 + Math.abs(logP));
        const error = p < 0.5 ? logLower - logP : logUpper - Math.log1p(-p);
        expect(Math.abs(error)).toBeLessThan(slack + (p < 0.5 ? 0 : 1e-15 / (1 - p)));
      }),
      { numRuns: 500 },
    );
  });

  it("rises with p", () => {
    for (const [a, b] of [
      [0.01, 3],
      [5, 5],
      [1e7, 1e7],
      [2, 1e9],
    ] as const) {
      let before = 0;
      for (let i = 1; i < 200; i++) {
        const x = betaQuantile(i / 200, a, b);
        expect(x).toBeGreaterThanOrEqual(before);
        before = x;
      }
    }
  });
});
