import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brierScore, brierScoreMulticlass } from "../../src/metrics/brier.ts";

const row = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.boolean(),
  fc.integer({ min: 0, max: 4 }),
);

describe("brierScore", () => {
  it("is the mean squared distance, a row of weight k counting as k rows", () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const many = rows.flatMap((item) => Array.from({ length: item[2] }, () => item));
        const expected = many.reduce((sum, [p, y]) => sum + (p - Number(y)) ** 2, 0) / many.length;
        const weighted = brierScore(
          rows.map(([p]) => p),
          rows.map(([, y]) => y),
          { weights: rows.map(([, , w]) => w) },
        );
        const repeated = brierScore(
          many.map(([p]) => p),
          many.map(([, y]) => y),
        );
        if (many.length === 0) {
          expect([weighted.brier, weighted.reason]).toEqual([Number.NaN, "empty"]);
          return;
        }
        expect(weighted.brier).toBeCloseTo(expected, 13);
        expect(repeated.brier).toBeCloseTo(expected, 13);
      }),
    );
  });

  it("adds float32 input in float64", () => {
    // A float32 sum of equal terms stops growing long before this many rows.
    const p = new Float32Array(300_000).fill(0.1);
    const exact = Math.fround(0.1) ** 2;
    const { brier } = brierScore(p, new Uint8Array(300_000));
    expect(brier / exact).toBeCloseTo(1, 13);
    expect(brier).toBe(brierScore(Float64Array.from(p), new Uint8Array(300_000)).brier);
  });

  it("counts excluded rows", () => {
    const p = [0.5, Number.NaN, 1];
    expect(brierScore(p, [1, 0, 1], { nan: "exclude" })).toEqual({
      brier: 0.125,
      n: 2,
      excluded: 1,
      reason: null,
    });
    expect(() => brierScore(p, [1, 0, 1])).toThrow(RangeError);
    expect(brierScore([], [])).toEqual({ brier: Number.NaN, n: 0, excluded: 0, reason: "empty" });
  });

  it("refuses what is no probability", () => {
    expect(() => brierScore([0.5, 1.2], [1, 0])).toThrow("confidence[1] must be in [0, 1], got 1.2");
    expect(() => brierScore([0.5, 0.5], [1, 2])).toThrow("correct[1] must be 0, 1, true or false, got 2");
    expect(() => brierScore([0.5], [1, 0])).toThrow(/got 2$/);
  });
});

describe("brierScoreMulticlass", () => {
  it("agrees with the score of two classes at half scale", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const p = rows.flatMap(([value]) => [1 - value, value]);
        const y = rows.map(([, label]) => Number(label));
        const two = brierScore(
          rows.map(([value]) => value),
          y,
        ).brier;
        expect(brierScoreMulticlass(p, 2, y, { scale: "half" }).brier).toBeCloseTo(two, 13);
        expect(brierScoreMulticlass(Float64Array.from(p), 2, y).brier).toBeCloseTo(2 * two, 13);
      }),
    );
  });

  it("reads many rows of many classes with weights", () => {
    const classes = 700;
    const y = Array.from({ length: 10 }, (_, i) => i * 70);
    const p = new Float32Array(classes * y.length);
    y.forEach((label, i) => {
      p[i * classes + label] = 0.5;
    });
    const weights = y.map((_, i) => i);
    expect(brierScoreMulticlass(p, classes, y, { weights }).brier).toBe(0.25);
  });

  it("names why there is no number, and impossible input", () => {
    expect(brierScoreMulticlass([], 3, [])).toEqual({ brier: Number.NaN, reason: "empty" });
    expect(() => brierScoreMulticlass([1, 0], 3, [0])).toThrow(
      "p must have as many rows as y times classes (3), got 2",
    );
    expect(() => brierScoreMulticlass([1, 0], 2, [2])).toThrow(
      "y[0] must be a class index from 0 to 1, got 2",
    );
    expect(() => brierScoreMulticlass([1, 0, 0, 1.5], 2, [0, 1])).toThrow(
      "p[3] (row 1, class 1) must be in [0, 1], got 1.5",
    );
    expect(() => brierScoreMulticlass([1], 1.5, [0])).toThrow(
      "classes must be a whole number from 1, got 1.5",
    );
    const scale = "double" as "half";
    expect(() => brierScoreMulticlass([1], 1, [0], { scale })).toThrow(
      'scale must be "sum" or "half", got "double"',
    );
  });
});
