import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortedCopy } from "../../src/math/sort-numbers.ts";
import { compareSorted } from "../../src/math/two-samples.ts";

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);
const sample = fc.array(value, { minLength: 1, maxLength: 30 });

/** The definition, pair by pair and point by point. */
function byDefinition(a: readonly number[], b: readonly number[]): { auc: number; ks: number } {
  let halves = 0;
  for (const x of a) for (const y of b) halves += y > x ? 2 : Number(y === x);
  const share = (of: readonly number[], at: number): number => of.filter((x) => x <= at).length / of.length;
  const ks = Math.max(...[...a, ...b].map((at) => Math.abs(share(a, at) - share(b, at))));
  return { auc: halves / (2 * a.length * b.length), ks };
}

describe("compareSorted", () => {
  it("counts ties one half", () => {
    // 2 beats 1 and ties twice; 3 beats all: (1 + 2/2 + 3) / 6. Between 2 and 3 all of a and half of b lie below.
    const { auc, ks } = compareSorted(new Float64Array([1, 2, 2]), new Float64Array([2, 3]));
    expect(auc).toBe(5 / 6);
    expect(ks).toBe(0.5);
  });

  it("is NaN when a side is empty", () => {
    const none = new Float64Array(0);
    expect(compareSorted(none, new Float64Array([1]))).toEqual({ auc: Number.NaN, ks: Number.NaN });
    expect(compareSorted(new Float64Array([1]), none)).toEqual({ auc: Number.NaN, ks: Number.NaN });
  });

  it("takes infinities as values", () => {
    const low = new Float64Array([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]);
    const high = new Float64Array([0, Number.POSITIVE_INFINITY]);
    expect(compareSorted(low, high)).toEqual({ auc: 5.5 / 6, ks: 2 / 3 });
  });

  it("compares a float32 with a float64 sample", () => {
    expect(compareSorted(new Float32Array([0.1]), new Float64Array([0.1])).auc).toBe(0);
  });

  it("is the definition", () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const got = compareSorted(sortedCopy(a), sortedCopy(b));
        const expected = byDefinition(a, b);
        expect(got.auc).toBeCloseTo(expected.auc, 12);
        expect(got.ks).toBeCloseTo(expected.ks, 12);
      }),
    );
  });

  it("swapping the samples turns auc around and keeps ks", () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const one = compareSorted(sortedCopy(a), sortedCopy(b));
        const two = compareSorted(sortedCopy(b), sortedCopy(a));
        expect(one.auc + two.auc).toBeCloseTo(1, 12);
        expect(one.ks).toBe(two.ks);
      }),
    );
  });
});
