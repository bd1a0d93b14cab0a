import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { riskCoverage } from "../../src/metrics/risk-coverage.ts";
import { rankingRows } from "../laws/ranking-rows.ts";

/** All orders of the items. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    orders([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

function meanPrefixRisk(wrong: readonly number[]): number {
  let bad = 0;
  let sum = 0;
  wrong.forEach((value, i) => {
    bad += value;
    sum += bad / (i + 1);
  });
  return sum / wrong.length;
}

describe("riskCoverage", () => {
  it("is the mean over all orders of tied rows", () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 1 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const legal = orders(rows).filter((order) =>
          order.every((item, i) => i === 0 || (order[i - 1]?.[0] as number) <= item[0]),
        );
        const areas = legal.map((order) => meanPrefixRisk(order.map(([, wrong]) => wrong)));
        const expected = areas.reduce((sum, area) => sum + area, 0) / areas.length;
        const { aurc, eaurc } = riskCoverage(
          rows.map(([score]) => score),
          rows.map(([, wrong]) => wrong),
        );
        expect(aurc).toBeCloseTo(expected, 13);
        const perfect = meanPrefixRisk(rows.map(([, wrong]) => wrong).sort());
        expect(eaurc).toBeCloseTo(expected - perfect, 13);
      }),
      { numRuns: 60 },
    );
  });

  it("has one point of the curve for each distinct score", () => {
    const { curve } = riskCoverage([3, 1, 2, 1, Number.POSITIVE_INFINITY], [1, 0, 0, 1, 1]);
    expect(Array.from(curve.threshold)).toEqual([1, 2, 3, Number.POSITIVE_INFINITY]);
    expect(Array.from(curve.coverage)).toEqual([0.4, 0.6, 0.8, 1]);
    expect(Array.from(curve.risk)).toEqual([0.5, 1 / 3, 0.5, 0.6]);
  });

  it("ends at full coverage and the error rate", () => {
    fc.assert(
      fc.property(rankingRows, fc.integer({ min: 1, max: 6 }), ({ scores, labels }, points) => {
        fc.pre(labels.length > 0);
        const { curve } = riskCoverage(scores, labels);
        const rate = labels.reduce((sum, label) => sum + label, 0) / labels.length;
        expect(curve.coverage.at(-1)).toBe(1);
        expect(curve.risk.at(-1)).toBe(rate);
        expect(curve.coverage.length).toBe(new Set(scores).size);
        const thin = riskCoverage(scores, labels, { points }).curve;
        expect(thin.coverage.length).toBeLessThanOrEqual(points);
        expect(thin.coverage.at(-1)).toBe(1);
        expect(thin.risk.at(-1)).toBe(rate);
        for (let i = 0; i < thin.coverage.length; i++) {
          const at = curve.coverage.indexOf(thin.coverage[i] as number);
          expect(thin.risk[i]).toBe(curve.risk[at]);
          expect(thin.threshold[i]).toBe(curve.threshold[at]);
        }
      }),
    );
  });

  it("spreads the points of a shortened curve evenly", () => {
    const uncertainty = Float64Array.from({ length: 1000 }, (_, i) => i);
    const { curve } = riskCoverage(uncertainty, new Uint8Array(1000), { points: 4 });
    expect(Array.from(curve.coverage)).toEqual([0.25, 0.5, 0.75, 1]);
  });

  it("is 0 when all are right, 1 when all are wrong, the error rate when all are tied", () => {
    expect(riskCoverage([0.2, 0.9], [0, 0]).aurc).toBe(0);
    const wrong = riskCoverage([0.2, 0.9], [1, 1]);
    expect([wrong.aurc, wrong.eaurc]).toEqual([1, 0]);
    expect(
      riskCoverage(
        new Uint8Array(100),
        [...Array(100).keys()].map((i) => i % 4 === 0),
      ).aurc,
    ).toBe(0.25);
  });

  it("comes near the published approximation of a perfect ordering", () => {
    const n = 100_000;
    const e = 0.2;
    const uncertainty = Float64Array.from({ length: n }, (_, i) => i);
    const { aurc, eaurc } = riskCoverage(
      uncertainty,
      Uint8Array.from(uncertainty, (i) => Number(i >= 0.8 * n)),
    );
    expect(eaurc).toBe(0);
    expect(aurc).toBeCloseTo((1 - e) * Math.log(1 - e) + e, 5);
  });

  it("continues smoothly between whole weights", () => {
    const aurcAt = (weight: number): number =>
      riskCoverage([1, 2, 3], [0, 1, 0], { weights: [1, weight, 1] }).aurc;
    expect(aurcAt(2)).toBeCloseTo((aurcAt(2 - 1e-6) + aurcAt(2 + 1e-6)) / 2, 10);
    expect(aurcAt(1)).toBeCloseTo(aurcAt(1 + 1e-9), 8);
  });

  it("names why there is no number", () => {
    const { aurc, eaurc, curve, reason } = riskCoverage([], []);
    expect([aurc, eaurc, reason]).toEqual([Number.NaN, Number.NaN, "empty"]);
    expect(curve.coverage.length).toBe(0);
    expect(riskCoverage([1], [1], { weights: [0] }).reason).toBe("empty");
  });

  it("refuses a number of points that is none", () => {
    expect(() => riskCoverage([1], [1], { points: 0 })).toThrow(
      "points must be a whole number from 1, got 0",
    );
  });
});
