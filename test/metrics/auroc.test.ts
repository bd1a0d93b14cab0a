import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import { auroc } from "../../src/metrics/auroc.ts";
import { isNear, rankingRows } from "../laws/ranking-rows.ts";

describe("auroc", () => {
  it("is the share of pairs in order, ties one half", () => {
    fc.assert(
      fc.property(rankingRows, ({ scores, labels }) => {
        let halves = 0;
        let pairs = 0;
        scores.forEach((a, i) => {
          scores.forEach((b, j) => {
            if (labels[i] !== 0 || labels[j] !== 1) return;
            halves += b > a ? 2 : Number(b === a);
            pairs += 1;
          });
        });
        const expected = pairs === 0 ? Number.NaN : halves / (2 * pairs);
        expect(isNear(auroc(scores, labels).auroc, expected, 1e-15)).toBe(true);
      }),
    );
  });

  it("turns around when the scores are negated", () => {
    fc.assert(
      fc.property(rankingRows, ({ scores, labels, weights }) => {
        const negated = scores.map((score) => -score);
        const { auroc: value } = auroc(scores, labels);
        expect(isNear(auroc(negated, labels).auroc, 1 - value, 1e-15)).toBe(true);
        expect(auroc(negated, labels, { direction: "lower-is-positive" }).auroc).toBe(value);
        const weighted = auroc(scores, labels, { weights }).auroc;
        expect(isNear(auroc(negated, labels, { weights }).auroc, 1 - weighted)).toBe(true);
      }),
    );
  });

  it("ranks thousands of rows, where the sort is by digits", () => {
    const n = 20_000;
    const scores = Float64Array.from({ length: n }, (_, i) => ((i * 7919) % n) / 16);
    const labels = Uint8Array.from(scores, (_, i) => Number(i % 3 === 0));
    const ascending = Array.from(scores, (score, i) => [score, labels[i] as number] as const).sort(
      (a, b) => a[0] - b[0],
    );
    let negatives = 0;
    let pairs = 0;
    for (const [, label] of ascending) {
      if (label === 0) negatives += 1;
      else pairs += negatives;
    }
    const expected = pairs / (negatives * (n - negatives));
    expect(auroc(scores, labels).auroc).toBe(expected);
    expect(auroc(Float32Array.from(scores), labels).auroc).toBe(expected);
    const weights = new Float64Array(n).fill(0.5);
    expect(auroc(scores, labels, { weights }).auroc).toBeCloseTo(expected, 14);
  });

  it("takes infinities as scores", () => {
    expect(auroc([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], [0, 1]).auroc).toBe(1);
    const same = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    expect(auroc(same, [0, 1]).auroc).toBe(0.5);
  });

  it("names why there is no number", () => {
    expect(auroc([], [])).toEqual({ auroc: Number.NaN, positives: 0, negatives: 0, reason: "empty" });
    expect(auroc([1, 2], [0, 0])).toEqual({
      auroc: Number.NaN,
      positives: 0,
      negatives: 2,
      reason: "single-class",
    });
    const unweighted = auroc([1, 2], [0, 1], { weights: [3, 0] });
    expect(unweighted).toEqual({ auroc: Number.NaN, positives: 0, negatives: 3, reason: "single-class" });
    expect(auroc([1, 2], [0, 1], { weights: [0, 0] }).reason).toBe("empty");
  });

  it("refuses another direction", () => {
    const call = (): unknown => auroc([1], [1], { direction: "up" as "lower-is-positive" });
    expect(call).toThrow(CalibrantError);
    expect(call).toThrow('direction must be "higher-is-positive" or "lower-is-positive", got "up"');
  });
});
