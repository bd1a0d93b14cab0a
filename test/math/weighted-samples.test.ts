import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortedCopy } from "../../src/math/sort-numbers.ts";
import { compareSorted } from "../../src/math/two-samples.ts";
import { compareWeighted, weightedSample } from "../../src/math/weighted-samples.ts";

const rows = fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 4 })), {
  minLength: 1,
  maxLength: 25,
});
const repeated = (list: readonly (readonly [number, number])[]): Float64Array =>
  Float64Array.from(list.flatMap(([value, weight]) => Array.from({ length: weight }, () => value)));

describe("compareWeighted", () => {
  it("counts a row of weight k as k rows", () => {
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const sampleOf = (list: typeof a) =>
          weightedSample(
            list.map(([value]) => value),
            list.map(([, weight]) => weight),
          );
        const weighted = compareWeighted(sampleOf(a), sampleOf(b));
        const plain = compareSorted(sortedCopy(repeated(a)), sortedCopy(repeated(b)));
        expect(weighted.auc).toBeCloseTo(plain.auc, 13);
        expect(weighted.ks).toBeCloseTo(plain.ks, 13);
      }),
    );
  });

  it("takes infinities as values", () => {
    const inf = Number.POSITIVE_INFINITY;
    const a = weightedSample([1, inf], [1, 1]);
    const b = weightedSample([-inf, inf, inf], [1, 1, 1]);
    const plain = compareSorted(Float64Array.of(1, inf), Float64Array.of(-inf, inf, inf));
    expect(compareWeighted(a, b).auc).toBeCloseTo(plain.auc, 14);
    expect(compareWeighted(a, b).ks).toBeCloseTo(plain.ks, 14);
  });

  it("is NaN without rows or weight", () => {
    const some = weightedSample([1, 2], [1, 1]);
    expect(compareWeighted(some, weightedSample([], []))).toEqual({ auc: NaN, ks: NaN });
    expect(compareWeighted(weightedSample([1], [0]), some)).toEqual({ auc: NaN, ks: NaN });
  });
});

describe("weightedSample", () => {
  it("sorts values with their running weights", () => {
    const { values, cumulative } = weightedSample([3, 1, 2], [10, 1, 5]);
    expect([...values]).toEqual([1, 2, 3]);
    expect([...cumulative]).toEqual([1, 6, 16]);
  });
});
