import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError, CalibrantRangeError } from "../../src/errors.ts";
import { conformalCoverage, conformalThreshold } from "../../src/uq/conformal.ts";
import { calibrationCase } from "../golden/calibrators.ts";

const K39 = calibrationCase("K39");
const K40 = calibrationCase("K40");

describe("conformalThreshold", () => {
  it.skipIf(K39 === null)("is the exact order statistic (K39)", () => {
    const { threshold, k, flags } = conformalThreshold(K39?.input.scores, { alpha: K39?.input.alpha });
    expect([k, threshold, flags]).toEqual([K39?.expected.k, K39?.expected.q, []]);
  });

  it.skipIf(K40 === null)("is Infinity when there are too few scores (K40)", () => {
    const { threshold, k, flags, minN, n } = conformalThreshold(K40?.input.scores, {
      alpha: K40?.input.alpha,
    });
    expect([k, threshold, flags, minN, n]).toEqual([
      4,
      Infinity,
      K40?.expected.flags,
      K40?.expected.min_n,
      3,
    ]);
  });

  it("has k = ⌈(n + 1)(1 - alpha)⌉ in exact arithmetic, for every alpha in hundredths", () => {
    for (let hundredths = 1; hundredths < 100; hundredths++) {
      const alpha = hundredths / 100;
      for (const n of [1, 2, 8, 9, 19, 98, 99, 100, 199]) {
        const exact = Math.ceil(((n + 1) * (100 - hundredths)) / 100);
        const scores = Float64Array.from({ length: n }, (_, i) => i + 1);
        const { k, threshold, minN } = conformalThreshold(scores, { alpha });
        expect(k).toBe(exact);
        expect(threshold).toBe(exact > n ? Infinity : exact);
        expect(n >= minN).toBe(exact <= n);
      }
    }
  });

  it("covers with at least 1 - alpha, and at most 1/(n + 1) more, over all orders of exchangeable scores", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.double({ noNaN: true }), { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 99 }),
        (all, hundredths) => {
          const alpha = hundredths / 100;
          const covered = all.filter((score, i) => {
            const { threshold } = conformalThreshold(all.toSpliced(i, 1), { alpha });
            return score <= threshold;
          }).length;
          expect(covered / all.length).toBeGreaterThanOrEqual(1 - alpha - 1e-12);
          if (covered < all.length)
            expect(covered / all.length).toBeLessThan(1 - alpha + 1 / all.length + 1e-12);
        },
      ),
    );
  });

  it("gives one threshold a group, from its rows alone", () => {
    const scores = Float32Array.of(1, 10, 2, 20, 3, 30, 4);
    const groups = [5, -1, 5, -1, 5, -1, 5];
    const all = conformalThreshold(scores, { alpha: 0.25, groups });
    expect(all.byGroup).toEqual([
      { group: -1, threshold: 30, k: 3, n: 3, minN: 3, flags: [] },
      { group: 5, threshold: 4, k: 4, n: 4, minN: 3, flags: [] },
    ]);
    expect(all.threshold).toBe(20);
    expect(conformalThreshold(scores, { alpha: 0.1 }).byGroup).toEqual([]);
  });

  it("takes infinite scores, no scores, and leaves its argument alone", () => {
    const scores = [Infinity, 1, -Infinity];
    expect(conformalThreshold(scores, { alpha: 0.5 }).threshold).toBe(1);
    expect(scores).toEqual([Infinity, 1, -Infinity]);
    expect(conformalThreshold([], { alpha: 0.5 })).toMatchObject({
      threshold: Infinity,
      k: 1,
      n: 0,
      minN: 1,
      flags: ["n-too-small"],
    });
  });

  it("knows how many scores a small or large alpha needs", () => {
    expect(conformalThreshold([], { alpha: 0.05 }).minN).toBe(19);
    expect(conformalThreshold([], { alpha: 0.001 }).minN).toBe(999);
    expect(conformalThreshold([], { alpha: 1e-7 }).minN).toBe(9_999_999);
    expect(conformalThreshold([3], { alpha: 0.9999999999 })).toMatchObject({ k: 1, threshold: 3, minN: 1 });
  });

  it("refuses what cannot be", () => {
    expect(() => conformalThreshold([1, NaN], { alpha: 0.1 })).toThrow("scores[1] must be a number, got NaN");
    expect(() => conformalThreshold([1, NaN], { alpha: 0.1 })).toThrow(CalibrantRangeError);
    expect(() => conformalThreshold([1], { alpha: 0 })).toThrow("alpha must be in (0, 1), got 0");
    expect(() => conformalThreshold([1], { alpha: 0.1, groups: [] })).toThrow(CalibrantError);
    expect(() => conformalThreshold([1], { alpha: 0.1, groups: [NaN] })).toThrow(
      "groups[0] must be a number, got NaN",
    );
  });
});

describe("conformalCoverage", () => {
  it("is the share at or below the threshold", () => {
    expect(conformalCoverage([1, 2, 3, 4], 3)).toEqual({ coverage: 0.75, n: 4, reason: null });
    expect(conformalCoverage([1, Infinity], Infinity).coverage).toBe(1);
    expect(conformalCoverage([], 1)).toEqual({ coverage: NaN, n: 0, reason: "empty" });
    expect(() => conformalCoverage([NaN], 1)).toThrow(CalibrantRangeError);
    expect(() => conformalCoverage([1], NaN)).toThrow("threshold[0] must be a number, got NaN");
  });
});
