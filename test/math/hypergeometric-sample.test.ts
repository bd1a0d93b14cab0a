import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleHypergeometric, sampleWithoutReplacement } from "../../src/math/hypergeometric-sample.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { chiSquareRatio, type DiscretePmf } from "./chi-square.ts";

interface Case extends DiscretePmf {
  readonly total: number;
  readonly marked: number;
  readonly draws: number;
}

const golden = JSON.parse(readFileSync(new URL("../golden/discrete-pmf.json", import.meta.url), "utf8")) as {
  readonly hypergeometric: readonly Case[];
};

describe("sampleHypergeometric", () => {
  it.each(golden.hypergeometric)(
    "follows the exact probabilities, $draws of $total, $marked marked",
    ({ total, marked, draws, low, pmf }) => {
      const random = seededRandom(total);
      const sample = Array.from({ length: 40_000 }, () => sampleHypergeometric(total, marked, draws, random));
      expect(chiSquareRatio(sample, { low, pmf })).toBeLessThan(1);
    },
  );

  it("is certain where only one value is possible", () => {
    const random = seededRandom(1);
    expect(sampleHypergeometric(10, 0, 5, random)).toBe(0);
    expect(sampleHypergeometric(10, 10, 5, random)).toBe(5);
    expect(sampleHypergeometric(10, 4, 10, random)).toBe(4);
    expect(sampleHypergeometric(10, 4, 0, random)).toBe(0);
    expect(sampleHypergeometric(0, 0, 0, random)).toBe(0);
  });
});

describe("sampleWithoutReplacement", () => {
  it("takes the number asked for, never more than there are", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(300), { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer(),
        (raw, share, seed) => {
          const counts = Float64Array.from(raw);
          const draws = Math.round(share * counts.reduce((sum, count) => sum + count, 0));
          const target = new Float64Array(counts.length);
          sampleWithoutReplacement(counts, draws, seededRandom(seed), target);
          expect(target.reduce((sum, count) => sum + count, 0)).toBe(draws);
          for (const [kind, count] of counts.entries()) {
            expect(target[kind]).toBeLessThanOrEqual(count);
            expect(target[kind]).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  it("gives the last kind its hypergeometric distribution", () => {
    const { total, marked, draws, low, pmf } = golden.hypergeometric[2] as Case;
    const counts = Float64Array.of(100, total - marked - 100, marked);
    const target = new Float64Array(3);
    const random = seededRandom(2);
    const sample = Array.from({ length: 20_000 }, () => {
      sampleWithoutReplacement(counts, draws, random, target);
      return target[2] as number;
    });
    expect(chiSquareRatio(sample, { low, pmf })).toBeLessThan(1);
  });
});
