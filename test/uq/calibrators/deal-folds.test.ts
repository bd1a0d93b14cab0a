import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/math/seeded-random.ts";
import { dealFolds } from "../../../src/uq/calibrators/deal-folds.ts";

const random = seededRandom(5);
const values = Array.from({ length: 101 }, () => random());
const labels = Uint8Array.from(values, (v) => (v < 0.3 ? 1 : 0));
const clusters = values.map((_, i) => i % 13);

function counts(fold: Uint16Array, folds: number, rows: (i: number) => boolean): number[] {
  const result = new Array<number>(folds).fill(0);
  fold.forEach((f, i) => {
    if (rows(i)) result[f] = (result[f] as number) + 1;
  });
  return result;
}

describe("dealFolds", () => {
  it("deals every class in equal parts", () => {
    const fold = dealFolds(values, labels, { folds: 3, seed: 0 });
    for (const label of [0, 1]) {
      const parts = counts(fold, 3, (i) => labels[i] === label);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }
  });

  it("keeps clusters whole, in equal parts", () => {
    const fold = dealFolds(values, labels, { folds: 4, seed: 0, clusters });
    const byCluster = Array.from({ length: 13 }, (_, c) => new Set(fold.filter((_, i) => clusters[i] === c)));
    expect(byCluster.every((seen) => seen.size === 1)).toBe(true);
    const parts = counts(
      Uint16Array.from(byCluster, (seen) => [...seen][0] as number),
      4,
      () => true,
    );
    expect(parts.toSorted()).toEqual([3, 3, 3, 4]);
  });

  it("does not depend on the order of the rows, but on the seed", () => {
    const reversed = dealFolds(values.toReversed(), labels.toReversed(), { folds: 3, seed: 0 });
    const fold = dealFolds(values, labels, { folds: 3, seed: 0 });
    expect(reversed.toReversed()).toEqual(fold);
    expect(dealFolds(values, labels, { folds: 3, seed: 1 })).not.toEqual(fold);
    const whole = dealFolds(values, labels, { folds: 3, seed: 0, clusters });
    const backwards = dealFolds(values.toReversed(), labels.toReversed(), {
      folds: 3,
      seed: 0,
      clusters: clusters.toReversed(),
    });
    expect(backwards.toReversed()).toEqual(whole);
  });
});
