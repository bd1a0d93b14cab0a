import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logSoftmax, logSumExp, softmaxEntropy } from "../../src/math/log-sum-exp.ts";

const NEG_INF = Number.NEGATIVE_INFINITY;

describe("logSumExp", () => {
  it("neither overflows nor underflows", () => {
    expect(logSumExp([1000, 1000])).toBe(1000 + Math.LN2);
    expect(logSumExp([-1000, -1000])).toBe(-1000 + Math.LN2);
    expect(logSumExp([0, NEG_INF])).toBe(0);
  });

  it("says what is not finite", () => {
    expect(logSumExp([])).toBe(NEG_INF);
    expect(logSumExp([NEG_INF, NEG_INF])).toBe(NEG_INF);
    expect(logSumExp([0, Number.POSITIVE_INFINITY])).toBe(Number.POSITIVE_INFINITY);
    expect(logSumExp([0, Number.NaN])).toBeNaN();
  });
});

describe("logSoftmax", () => {
  it("keeps small probabilities that log(softmax) loses", () => {
    expect(logSoftmax([200, 0, 0])[1]).toBe(-200);
    expect([...logSoftmax([98, 97, 90])]).toEqual([
      -0.31350690028305306, -1.313506900283053, -8.313506900283054,
    ]);
  });

  it("gives masks probability 0, and NaN where there is no distribution", () => {
    expect([...logSoftmax([3, NEG_INF])]).toEqual([0, NEG_INF]);
    expect([...logSoftmax([NEG_INF, NEG_INF])]).toEqual([NaN, NaN]);
    expect([...logSoftmax([1, NaN])]).toEqual([NaN, NaN]);
    expect([...logSoftmax([1, Infinity])]).toEqual([NaN, NaN]);
  });

  it("sums to one and ignores a shift", () => {
    const logits = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(logits, fc.double({ min: -50, max: 50, noNaN: true }), (xs, shift) => {
        const logProbs = logSoftmax(xs);
        expect(logProbs.reduce((sum, x) => sum + Math.exp(x), 0)).toBeCloseTo(1, 12);
        const shifted = logSoftmax(xs.map((x) => x + shift));
        for (let i = 0; i < xs.length; i++) expect(shifted[i]).toBeCloseTo(logProbs[i] as number, 11);
      }),
    );
  });
});

describe("softmaxEntropy", () => {
  it("counts impossible outcomes as 0", () => {
    expect(softmaxEntropy([2, 1, NEG_INF])).toBeCloseTo(0.5822031088882182, 15);
    expect(softmaxEntropy([0, 0, 0, 0])).toBeCloseTo(Math.log(4), 15);
    expect(softmaxEntropy([5])).toBe(0);
    expect(softmaxEntropy([])).toBeNaN();
  });
});
