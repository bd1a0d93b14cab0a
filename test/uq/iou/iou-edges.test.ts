import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import { calibrationIou } from "../../../src/uq/iou/calibration-iou.ts";
import { iouEdges, riceBins } from "../../../src/uq/iou/iou-edges.ts";

const PLAIN = { resamples: 0, permutations: 0 } as const;
const SCORE = { scale: "identity" } as const;
const upTo = (n: number): Float64Array => Float64Array.from({ length: n }, (_value, i) => i + 1);

describe("riceBins", () => {
  it.each([
    [0, 5],
    [8, 5],
    [27, 6],
    [28, 7],
    [125, 10],
    [1000, 20],
    [1001, 21],
    [20_000, 55],
    [125_000, 100],
    [10_000_000, 100],
  ])("of %d rows are %d", (n, bins) => {
    expect(riceBins(n)).toBe(bins);
  });
});

describe("iouEdges", () => {
  it("spans the inverse-CDF quantiles of the class-balanced pool", () => {
    const { edges, flags } = iouEdges(upTo(1000), upTo(1000), SCORE);
    expect([edges[0], edges.at(-1), edges.length]).toEqual([5, 995, 21]);
    expect(flags).toEqual([]);
    // Ten wrong rows weigh as much as 100,000 correct ones: the largest of them is in the upper 0.5 % only as 1/20.
    const balanced = iouEdges(
      upTo(100_000),
      Float64Array.from({ length: 10 }, (_v, i) => 1e6 + i),
      SCORE,
    );
    expect([balanced.edges[0], balanced.edges.at(-1)]).toEqual([1000, 1e6 + 9]);
  });

  it("weighs rows", () => {
    const weights = { correct: [1, 1000], wrong: [1, 1000] };
    const { edges } = iouEdges([0, 1], [0, 3], { ...SCORE, weights });
    expect([edges[0], edges.at(-1)]).toEqual([1, 3]);
  });

  it("falls back to all values where the quantiles coincide, and to one bin for one value", () => {
    const constant = new Float64Array(1000).fill(2);
    const fallback = iouEdges([...constant, 4], constant, SCORE);
    expect([fallback.edges[0], fallback.edges.at(-1), fallback.flags]).toEqual([2, 4, ["range-fallback"]]);
    const one = iouEdges(constant, [2], SCORE);
    expect([[...one.edges], one.flags]).toEqual([[2, 2], ["zero-range"]]);
  });

  it("leaves the bins to the only class with rows", () => {
    const one = iouEdges(upTo(1000), [], SCORE);
    expect([one.edges[0], one.edges.at(-1), one.edges.length]).toEqual([5, 995, 21]);
    expect(iouEdges([], [], SCORE).edges.length).toBe(0);
  });

  it("takes ranges and says in words what it did", () => {
    const options = { bins: 4, range: [1, 16] } as const;
    const { edges, inputEdges, from } = iouEdges([1, 2, 3], [4, 5], options);
    expect([...inputEdges]).toEqual([1, 2, 4, 8, 16].map((value) => expect.closeTo(value, 12)));
    expect(edges[1]).toBeCloseTo(Math.LN2, 14);
    expect(from).toBe("4 uniform bins of ln PPL over the given range 1 to 16");
    expect(iouEdges([1, 2], [3], { ...SCORE, range: "minmax" }).from).toBe(
      "5 uniform bins over all finite values",
    );
  });

  it("spans numbers whose difference overflows", () => {
    const { edges } = iouEdges([-1.5e308, 0], [1.5e308], { ...SCORE, bins: 4, range: "minmax" });
    expect([...edges]).toEqual(
      [-1.5e308, -0.75e308, 0, 0.75e308, 1.5e308].map((value) => expect.closeTo(value, -295)),
    );
    const result = calibrationIou([-1.5e308, 0], [1.5e308], { ...SCORE, ...PLAIN, bins: 4, range: "minmax" });
    expect([...result.counts.correct, ...result.counts.wrong]).toEqual([1, 0, 1, 0, 0, 0, 0, 1]);
  });

  it("splits no tie with equal-mass bins, and gives the last bin a width", () => {
    const equal = iouEdges([1, 1, 1, 1], [1, 1, 2, 2], { ...SCORE, binning: "equal-mass", bins: 4 });
    expect([...equal.edges]).toEqual([1, 1.5, 2]);
    const quarters = iouEdges(upTo(8), upTo(8), { ...SCORE, binning: "equal-mass", bins: 4 });
    expect([...quarters.edges]).toEqual([1, 3, 5, 7, 8]);
    expect(calibrationIou([1, 1, 1], [2, 2], { ...SCORE, ...PLAIN, binning: "equal-mass" }).iou).toBe(0);
    expect(iouEdges([3, 3], [3], { ...SCORE, binning: "equal-mass" }).flags).toEqual(["zero-range"]);
  });

  it("shares its bins with slices exactly", () => {
    const correct = upTo(500).map((i) => 1 + i / 100);
    const wrong = upTo(300).map((i) => 1.5 + i / 50);
    const edges = iouEdges(correct, wrong);
    const whole = calibrationIou(correct, wrong, PLAIN);
    expect(calibrationIou(correct, wrong, { ...PLAIN, edges })).toEqual(whole);
    const slice = calibrationIou(correct.subarray(0, 50), wrong.subarray(200), { ...PLAIN, edges });
    expect(slice.edges).toEqual(whole.edges);
    expect(() => calibrationIou(correct, wrong, { edges, scale: "identity" })).toThrow(CalibrantError);
  });

  it("refuses integer bins over too wide a range", () => {
    const options = { ...SCORE, binning: "integer" } as const;
    expect(() => iouEdges([0], [1e9], options)).toThrow(/^range must be given.*got 1000000001 values$/);
    expect(iouEdges([0, 1e9], [1], { ...options, range: [0, 3] }).edges.length).toBe(5);
  });
});
