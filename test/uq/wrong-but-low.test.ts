import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import { wrongButLowUncertainty } from "../../src/uq/wrong-but-low.ts";

describe("wrongButLowUncertainty", () => {
  it("takes the lower median of the correct class as the threshold, a value of the data", () => {
    const result = wrongButLowUncertainty([4, 1, 3, 2], [2, 2.5, 9]);
    expect(result).toEqual({
      threshold: 2,
      ofWrong: 1 / 3,
      ofAll: 1 / 7,
      ofLow: 1 / 3,
      n: { correct: 4, wrong: 3 },
      excluded: { correct: 0, wrong: 0 },
      reason: null,
    });
    expect(wrongButLowUncertainty([4, 1, 3], [9]).threshold).toBe(3);
  });

  it("finds Youden's threshold", () => {
    // F_correct − F_wrong: 1/4, 2/4, 3/4 − 1/3, 1 − 1/3, …; the largest is 2/3 at 4.
    const result = wrongButLowUncertainty([1, 2, 3, 4], [2.5, 5, 6], { threshold: "youden" });
    expect([result.threshold, result.ofWrong, result.ofLow]).toEqual([4, 1 / 3, 1 / 5]);
    expect(wrongButLowUncertainty([5, 6], [1, 2], { threshold: "youden" }).threshold).toBe(6);
  });

  it("leaves NaN out, counts infinities", () => {
    const inf = Number.POSITIVE_INFINITY;
    const result = wrongButLowUncertainty([1, Number.NaN, inf], [inf, 1], { threshold: inf });
    expect([result.ofWrong, result.ofAll, result.ofLow, result.excluded.correct]).toEqual([1, 0.5, 0.5, 1]);
  });

  it("takes weights as repetition", () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3 }));
    const rows = fc.array(row, { minLength: 1, maxLength: 15 });
    const rule = fc.constantFrom("median-correct" as const, "youden" as const, 4);
    fc.assert(
      fc.property(rows, rows, rule, (a, b, threshold) => {
        const repeated = (list: typeof a): number[] =>
          list.flatMap(([value, weight]) => Array.from({ length: weight }, () => value));
        const values = (list: typeof a): number[] => list.map(([value]) => value);
        const weights = { correct: a.map(([, weight]) => weight), wrong: b.map(([, weight]) => weight) };
        const { n: _n, ...weighted } = wrongButLowUncertainty(values(a), values(b), { threshold, weights });
        const { n: _m, ...plain } = wrongButLowUncertainty(repeated(a), repeated(b), { threshold });
        expect(weighted).toEqual(plain);
      }),
    );
  });

  it("gives reasons for what is NaN", () => {
    expect(wrongButLowUncertainty([], [1])).toMatchObject({ threshold: NaN, ofWrong: NaN, reason: "empty" });
    const noWrong = wrongButLowUncertainty([1, 2], []);
    expect(noWrong).toMatchObject({ threshold: 1, ofWrong: NaN, ofAll: 0, ofLow: 0, reason: "empty" });
    const none = wrongButLowUncertainty([1, 2], [3], { threshold: 0 });
    expect(none).toMatchObject({ ofWrong: 0, ofAll: 0, ofLow: NaN, reason: "none-low" });
  });

  it("refuses a threshold that is none", () => {
    expect(() => wrongButLowUncertainty([1], [2], { threshold: Number.NaN })).toThrow(CalibrantError);
    expect(() => wrongButLowUncertainty([1], [2], { threshold: "mean" as "youden" })).toThrow(
      /^threshold must be .* got mean$/,
    );
  });
});
