import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaTail, incompleteBeta } from "../../src/math/incomplete-beta.ts";

interface Golden {
  readonly tails: readonly [number, number, number, boolean, number][];
}

const golden: Golden = JSON.parse(readFileSync(new URL("../golden/beta.json", import.meta.url), "utf8"));

describe("incompleteBeta", () => {
  it("agrees with 40-digit arithmetic from (1e-3, 1e-3) to (1e12, 1e12), probabilities down to 1e-250", () => {
    const far = golden.tails.filter(([x, a, b, lower, log]) => {
      const tails = incompleteBeta(x, a, b);
      const found = lower ? tails.logLower : tails.logUpper;
      const value = lower ? tails.lower : tails.upper;
      return !(Math.abs(found - log) < 5e-13) || !(Math.abs(value / Math.exp(log) - 1) < 1e-12);
    });
    expect(golden.tails.length).toBeGreaterThan(150);
    expect(far).toEqual([]);
  });

  it("keeps the logarithm where the tail underflows", () => {
    const { lower, logLower, upper, logUpper } = incompleteBeta(0.4, 1e5, 1e5);
    expect(lower).toBe(0);
    expect(logLower).toBeCloseTo(-4087.6121101818694, 10);
    expect([upper, logUpper]).toEqual([1, -0]);
  });

  it("is x^a and 1 - (1-x)^b in closed form", () => {
    for (const x of [1e-9, 0.1, 0.5, 0.9]) {
      for (const a of [0.01, 1, 7.5, 300]) {
        expect(incompleteBeta(x, a, 1).logLower / (a * Math.log(x))).toBeCloseTo(1, 12);
        expect(incompleteBeta(x, 1, a).logUpper / (a * Math.log1p(-x))).toBeCloseTo(1, 12);
      }
    }
  });

  it("takes the ends, and gives NaN outside", () => {
    const zero = incompleteBeta(0, 2, 3);
    expect([zero.lower, zero.upper, zero.logLower, zero.logUpper]).toEqual([0, 1, -Infinity, -0]);
    expect(incompleteBeta(1, 2, 3).lower).toBe(1);
    for (const [x, a, b] of [
      [-0.1, 1, 1],
      [1.1, 1, 1],
      [0.5, 0, 1],
      [0.5, 1, -1],
      [NaN, 1, 1],
      [0.5, Infinity, 1],
    ]) {
      const { lower, upper } = incompleteBeta(x as number, a as number, b as number);
      expect([lower, upper]).toEqual([NaN, NaN]);
    }
  });

  it("has complementary tails, mirrored by swapping a and b", () => {
    const size = fc.double({ min: -6, max: 14, noNaN: true }).map((e) => Math.exp(e));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1023 }), size, size, (k, a, b) => {
        const x = k / 1024;
        const one = incompleteBeta(x, a, b);
        const other = incompleteBeta(1 - x, b, a);
        expect(one.lower + one.upper).toBeCloseTo(1, 14);
        expect(Math.abs(one.logLower - other.logUpper)).toBeLessThan(1e-12 * (1 + Math.abs(one.logLower)));
      }),
    );
  });
});

describe("betaTail", () => {
  it("has the slope of its logarithm by ln x", () => {
    for (const [x, a, b] of [
      [0.2, 3, 5],
      [0.05, 0.5, 20],
      [0.49, 2000, 2000],
    ] as const) {
      for (const lower of [true, false]) {
        const h = 1e-5;
        const up = betaTail(x * Math.exp(h), a, b, lower).log;
        const down = betaTail(x * Math.exp(-h), a, b, lower).log;
        expect(betaTail(x, a, b, lower).slope / ((up - down) / (2 * h))).toBeCloseTo(1, 5);
      }
    }
  });
});
