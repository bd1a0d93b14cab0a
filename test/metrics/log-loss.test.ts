import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { negativeLogLikelihood } from "../../src/metrics/log-loss.ts";

const probability = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1e-3, noNaN: true }),
  fc.constantFrom(0, 1, 1e-300, 1e-17, 1 - 2 ** -53, 2 ** -8, 1 - 2 ** -8),
);
const row = fc.tuple(probability, fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 3 }));

const loss = (p: number, y: number): number => (y === 1 ? -Math.log(p) : -Math.log1p(-p));

function expectRelative(actual: number, expected: number): void {
  if (!Number.isFinite(expected) || expected === 0) expect(actual).toBe(expected);
  else expect(actual / expected).toBeCloseTo(1, 12);
}

describe("negativeLogLikelihood", () => {
  it("is the mean of the logarithms to full relative accuracy", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 400 }), (rows) => {
        const expected = rows.reduce((sum, [p, y]) => sum + loss(p, y), 0) / rows.length;
        const { nll } = negativeLogLikelihood(
          rows.map(([p]) => p),
          rows.map(([, y]) => y),
        );
        expectRelative(nll, expected + 0);
      }),
    );
  });

  it("counts a row of weight k as k rows", () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const many = rows.flatMap((item) => Array.from({ length: item[2] }, () => item));
        fc.pre(many.length > 0);
        const weighted = negativeLogLikelihood(
          rows.map(([p]) => p),
          rows.map(([, y]) => y),
          { weights: rows.map(([, , w]) => w) },
        );
        const repeated = negativeLogLikelihood(
          many.map(([p]) => p),
          many.map(([, y]) => y),
        );
        expectRelative(weighted.nll + 0, repeated.nll + 0);
      }),
    );
  });

  it("keeps losses near certainty that 1 - p would round away", () => {
    expect(negativeLogLikelihood([1e-20, 3e-20], [0, 0]).nll).toBeCloseTo(2e-20, 30);
  });

  it("does not underflow over thousands of improbable rows", () => {
    const p = new Float64Array(10_000).fill(1e-140);
    expectRelative(negativeLogLikelihood(p, new Uint8Array(10_000).fill(1)).nll, 140 * Math.LN10);
    const tiny = new Float64Array(5000).fill(5e-324);
    expectRelative(negativeLogLikelihood(tiny, new Uint8Array(5000).fill(1)).nll, -Math.log(5e-324));
  });

  it("clips on request on both sides, in both paths", () => {
    const clipped = { clip: 0.01 };
    expectRelative(
      negativeLogLikelihood([0, 1, 0], [1, 0, 0], clipped).nll,
      -(2 * Math.log(0.01) + Math.log(0.99)) / 3,
    );
    const weights = [1, 1, 1];
    const weighted = negativeLogLikelihood([0, 1, 0], [1, 0, 0], { ...clipped, weights });
    expectRelative(weighted.nll, -(2 * Math.log(0.01) + Math.log(0.99)) / 3);
  });

  it("reads float32 as the same numbers in float64", () => {
    const p = Float32Array.from({ length: 5000 }, (_, i) => (i + 0.5) / 5000);
    const y = Uint8Array.from(p, (_, i) => i % 2);
    expect(negativeLogLikelihood(p, y)).toEqual(negativeLogLikelihood(Float64Array.from(p), y));
  });

  it("counts excluded rows, and ignores an impossible row of weight 0", () => {
    const result = negativeLogLikelihood([0.5, Number.NaN], [1, 1], { nan: "exclude" });
    expect(result).toEqual({ nll: Math.LN2, n: 1, excluded: 1, reason: null });
    expect(negativeLogLikelihood([0.5, 0], [1, 1], { weights: [1, 0] }).nll).toBe(Math.LN2);
    expect(negativeLogLikelihood([], []).reason).toBe("empty");
  });

  it("refuses impossible input", () => {
    expect(() => negativeLogLikelihood([-0.1], [1])).toThrow("confidence[0] must be in [0, 1], got -0.1");
    expect(() => negativeLogLikelihood([0.5], [1], { clip: 0.5 })).toThrow(
      "clip must be in [0, 0.5), got 0.5",
    );
    expect(() => negativeLogLikelihood([0.5], [1], { clip: 0.5 })).toThrow(RangeError);
  });
});
