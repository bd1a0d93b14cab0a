import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binsOf, countBins, iouFromCounts } from "../../../src/uq/iou/iou-counts.ts";

/** The rule, written out: the last edge that is not above the value, within the bins. */
function binByRule(value: number, edges: readonly number[]): number {
  let bin = 0;
  for (let k = 1; k < edges.length - 1; k++) if (value >= (edges[k] as number)) bin = k;
  return bin;
}

describe("countBins", () => {
  it("closes bins on the left, the last one on both sides, and clamps", () => {
    expect([...countBins([0, 0.25, 0.5, 0.75, 1], [0, 0.5, 1])]).toEqual([2, 3]);
    const far = [Number.NEGATIVE_INFINITY, -5, 9, Number.POSITIVE_INFINITY, Number.NaN];
    expect([...countBins(far, [0, 0.5, 1])]).toEqual([2, 2]);
  });

  it("adds weights", () => {
    expect([...countBins([0.1, 0.9, 0.2], [0, 0.5, 1], [2, 3, 0.5])]).toEqual([2.5, 3]);
  });

  it("follows the rule for equal steps, at the edges and one rounding away", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -100, max: 100, noNaN: true }),
        fc.double({ min: 1e-6, max: 1000, noNaN: true }),
        fc.integer({ min: 1, max: 100 }),
        (low, width, bins) => {
          const edges = Array.from({ length: bins + 1 }, (_v, k) => low + (width * k) / bins);
          const near = edges.flatMap((edge) => [
            edge,
            edge * (1 + 2 ** -52),
            edge * (1 - 2 ** -53),
            edge + width / 3,
          ]);
          expect([...binsOf(near, edges)]).toEqual(near.map((value) => binByRule(value, edges)));
        },
      ),
    );
  });

  it("follows the rule for any ascending edges, equal ones too", () => {
    const edgesOf = fc
      .array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 12 })
      .map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(edgesOf, fc.array(fc.integer({ min: -25, max: 25 })), (edges, values) => {
        expect([...binsOf(values, edges)]).toEqual(values.map((value) => binByRule(value, edges)));
      }),
    );
  });

  it("takes infinite edges and widths", () => {
    const inf = Number.POSITIVE_INFINITY;
    expect([...binsOf([-1e308, 0, 1e308], [-inf, 0, inf])]).toEqual([0, 1, 1]);
    expect([...binsOf([-1.5e308, 0, 1.5e308], [-1.5e308, -1, 1.5e308])]).toEqual([0, 1, 1]);
    expect([...binsOf([0, 5e-324], [0, 5e-324])]).toEqual([0, 0]);
  });
});

describe("iouFromCounts", () => {
  it("compares shares by default, rows on demand", () => {
    expect(iouFromCounts([9, 9], [1, 1])).toEqual({ iou: 1, overlap: 1 });
    expect(iouFromCounts([9, 9], [1, 1], "count").iou).toBeCloseTo(1 / 9, 14);
    expect(iouFromCounts([9, 9], [1, 1], "count").overlap).toBeCloseTo(0.2, 14);
  });

  it("is NaN without rows in a class", () => {
    expect(iouFromCounts([0, 0], [1, 2])).toEqual({ iou: NaN, overlap: NaN });
    expect(iouFromCounts([], [])).toEqual({ iou: NaN, overlap: NaN });
  });
});
