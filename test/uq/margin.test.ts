import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GroupMarginOptions, groupMargin } from "../../src/uq/margin.ts";

const INF = Number.POSITIVE_INFINITY;

describe("groupMargin", () => {
  it("is the wrong side's mean less the right side's", () => {
    const result = groupMargin([1.25, 1.75, 2.25, 1.5], [true, false, false, true]);
    expect(result).toEqual({ positive: 1.375, negative: 2, margin: 0.625, status: "separated" });
  });

  it("leaves out rollouts without a perplexity, and perplexities that are none", () => {
    const result = groupMargin([1.5, NaN, 0.5, 3], Uint8Array.of(1, 1, 0, 0));
    expect(result).toEqual({ positive: 1.5, negative: 3, margin: 1.5, status: "separated" });
  });

  it("does not overflow before the means do", () => {
    expect(groupMargin([1.5e308, 1.5e308, 1], [false, false, true]).negative).toBe(1.5e308);
  });

  it.each<[string, number[], boolean[], GroupMarginOptions, number, number, string]>([
    ["no right rollout: both 1", [2, 3], [false, false], {}, 1, 1, "no_positive"],
    [
      "no right rollout: reference against 1",
      [2],
      [false],
      { refPpl: 1.5, negPpl: 9 },
      1.5,
      1,
      "no_positive",
    ],
    ["no wrong rollout: margin 0", [2], [true], { refPpl: 1.5 }, 2, 2, "no_negative"],
    ["no wrong rollout: counterfactual", [2], [true], { negPpl: 3 }, 2, 3, "no_negative"],
    ["right without perplexity: reference", [NaN, 3], [true, false], { refPpl: 2 }, 2, 3, "no_perplexity"],
    [
      "wrong without perplexity: counterfactual",
      [2, NaN],
      [true, false],
      { negPpl: 3 },
      2,
      3,
      "no_perplexity",
    ],
    ["nothing at all", [NaN, NaN], [true, false], {}, 1, 1, "no_perplexity"],
    ["no rollouts", [], [], { refPpl: 1.25 }, 1.25, 1, "no_perplexity"],
    ["reference below 1 is none", [3], [false], { refPpl: 0.5 }, 1, 1, "no_positive"],
    [
      "reference wins when asked",
      [2, 3],
      [true, false],
      { positive: "reference", refPpl: 1.5 },
      1.5,
      3,
      "separated",
    ],
    ["rollouts without reference", [2, 3], [true, false], { positive: "reference" }, 2, 3, "separated"],
    [
      "neutral: no right rollout",
      [3],
      [false],
      { emptyGroup: "neutral", refPpl: 1.5 },
      1.5,
      1.5,
      "no_positive",
    ],
    ["neutral: no wrong rollout", [3], [true], { emptyGroup: "neutral", negPpl: 4 }, 3, 4, "no_negative"],
    [
      "released: no right rollout",
      [2, 3],
      [false, false],
      { emptyGroup: "released", refPpl: 9 },
      1,
      2.5,
      "no_positive",
    ],
    [
      "released: no wrong rollout",
      [2, 3],
      [true, true],
      { emptyGroup: "released", negPpl: 9 },
      2.5,
      1,
      "no_negative",
    ],
    ["released: a lone rollout", [2], [true], { emptyGroup: "released" }, 2, 2, "no_negative"],
  ])("%s", (_name, ppl, right, options, positive, negative, status) => {
    expect(groupMargin(ppl, right, options)).toEqual({
      positive,
      negative,
      margin: negative - positive,
      status,
    });
  });

  it("is infinite when one side is", () => {
    expect(groupMargin([1, INF], [true, false]).margin).toBe(INF);
    expect(groupMargin([INF, 1], [true, false]).margin).toBe(-INF);
  });

  it("compares mean nll when both sides are", () => {
    const both = (nll: number[]): number => groupMargin([INF, INF], [true, false], { nll }).margin;
    expect(both([800, 900])).toBe(INF);
    expect(both([900, 800])).toBe(-INF);
    expect(both([900, 900])).toBe(0);
    expect(both([INF, INF])).toBe(0);
    expect(both([INF, 900])).toBe(-INF);
    expect(groupMargin([INF, INF], [true, false]).margin).toBe(0);
    expect(groupMargin([INF], [true], { nll: [800], negNll: 900 }).margin).toBe(INF);
    expect(groupMargin([INF], [true], { nll: [800] }).margin).toBe(0);
  });

  it("refuses arrays that do not fit and rules that are none", () => {
    expect(() => groupMargin([1, 2], [true])).toThrow(/right must number 2.*; got 1$/);
    expect(() => groupMargin([1], [true], { nll: [] })).toThrow(/nll must number 1.*; got 0$/);
    expect(() => groupMargin([1], [true], { emptyGroup: "zero" as "paper" })).toThrow(
      /emptyGroup .* got zero$/,
    );
    expect(() => groupMargin([1], [true], { positive: "gold" as "rollouts" })).toThrow(
      /positive .* got gold$/,
    );
  });

  it("is never NaN", () => {
    const value = fc.oneof(fc.double({ min: 1 }), fc.constantFrom(INF, NaN, 1, 0, -1));
    const maybe = fc.option(value);
    const rules = fc.record({
      refPpl: maybe,
      negPpl: maybe,
      positive: fc.constantFrom("rollouts" as const, "reference" as const),
      emptyGroup: fc.constantFrom("paper" as const, "neutral" as const, "released" as const),
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, fc.boolean(), value), { maxLength: 6 }),
        rules,
        (rows, options) => {
          const ppl = rows.map(([own]) => own);
          const right = rows.map(([, isRight]) => isRight);
          const nll = rows.map(([, , own]) => own);
          const result = groupMargin(ppl, right, { ...options, nll });
          expect(result.margin).not.toBeNaN();
          expect(result.positive).toBeGreaterThanOrEqual(1);
          expect(result.negative).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });
});
