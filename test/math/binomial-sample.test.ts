import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleBinomial, sampleMultinomial } from "../../src/math/binomial-sample.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { chiSquareRatio, type DiscretePmf } from "./chi-square.ts";

const golden = JSON.parse(readFileSync(new URL("../golden/discrete-pmf.json", import.meta.url), "utf8")) as {
  readonly binomial: readonly (DiscretePmf & { readonly n: number; readonly p: number })[];
};

describe("sampleBinomial", () => {
  it.each(golden.binomial)("follows the exact probabilities, n = $n, p = $p", ({ n, p, low, pmf }) => {
    const random = seededRandom(n);
    const draws = Array.from({ length: 40_000 }, () => sampleBinomial(n, p, random));
    expect(chiSquareRatio(draws, { low, pmf })).toBeLessThan(1);
  });

  it("has the exact mean and variance at ten million trials", () => {
    const random = seededRandom(5);
    const n = 1e7;
    const p = 0.003;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < 20_000; i++) {
      const z = (sampleBinomial(n, p, random) - n * p) / Math.sqrt(n * p * (1 - p));
      sum += z;
      squares += z * z;
    }
    expect(Math.abs(sum / 20_000)).toBeLessThan(4 / Math.sqrt(20_000));
    expect(Math.abs(squares / 20_000 - 1)).toBeLessThan(4 * Math.sqrt(2 / 20_000));
  });

  it("is certain at the ends", () => {
    const random = seededRandom(1);
    expect(sampleBinomial(7, 0, random)).toBe(0);
    expect(sampleBinomial(7, 1, random)).toBe(7);
    expect(sampleBinomial(7, 1 + 1e-16, random)).toBe(7);
    expect(sampleBinomial(7, -1e-18, random)).toBe(0);
    expect(sampleBinomial(0, 0.5, random)).toBe(0);
  });
});

describe("sampleMultinomial", () => {
  it("draws the number asked for, none into an empty cell", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }),
        fc.nat(500),
        fc.integer(),
        (raw, n, seed) => {
          const weights = Float64Array.from([...raw, 1]);
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          const target = new Float64Array(weights.length);
          sampleMultinomial(n, weights, total, seededRandom(seed), target);
          expect(target.reduce((sum, count) => sum + count, 0)).toBe(n);
          for (const [cell, weight] of weights.entries()) if (weight === 0) expect(target[cell]).toBe(0);
        },
      ),
    );
  });

  it("gives each cell its binomial distribution", () => {
    const { n, p, low, pmf } = golden.binomial[4] as (typeof golden.binomial)[number];
    const random = seededRandom(3);
    const target = new Float64Array(4);
    const draws = Array.from({ length: 20_000 }, () => {
      sampleMultinomial(n, Float64Array.of(3, 10 * p, 0, 10 * (1 - p) - 3), 10, random, target);
      return target[1] as number;
    });
    expect(chiSquareRatio(draws, { low, pmf })).toBeLessThan(1);
  });

  it("leaves no item over when the weights round", () => {
    const weights = Float64Array.of(0.1, 0.2, 0.3, 0);
    const target = new Float64Array(4);
    const random = seededRandom(9);
    for (let i = 0; i < 200; i++) {
      sampleMultinomial(50, weights, 0.6000000000000001, random, target);
      expect(target.reduce((sum, count) => sum + count, 0)).toBe(50);
      expect(target[3]).toBe(0);
    }
  });
});
