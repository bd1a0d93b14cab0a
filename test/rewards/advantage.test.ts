import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AdvantageOptions, createAdvantageStats, groupAdvantages } from "../../src/rewards/advantage.ts";

const advantagesOf = (rewards: number[], groups: number[], options?: AdvantageOptions): number[] => [
  ...groupAdvantages(Float64Array.from(rewards), Int32Array.from(groups), options).advantage,
];

describe("groupAdvantages", () => {
  it("is the deviation over the standard deviation plus eps", () => {
    expect(advantagesOf([1, 3, 5], [0, 0, 0])).toEqual([-2 / (2 + 1e-6), 0, 2 / (2 + 1e-6)]);
    expect(advantagesOf([1, 3, 5], [0, 0, 0], { std: "none" })).toEqual([-2, 0, 2]);
    const population = advantagesOf([1, 3], [0, 0], { std: "population", eps: 0.5 });
    expect(population).toEqual([-1 / 1.5, 1 / 1.5]);
  });

  it("keeps groups apart, in any row order", () => {
    expect(advantagesOf([1, 10, 5, 30, 3], [1, 0, 1, 0, 1], { std: "none" })).toEqual([-2, -10, 2, 10, 0]);
  });

  it("leaves missing and infinite rewards out and gives them 0", () => {
    expect(advantagesOf([1, NaN, 5, Infinity], [0, 0, 0, 0], { std: "none" })).toEqual([-2, 0, 2, 0]);
    expect(advantagesOf([NaN, NaN], [0, 0])).toEqual([0, 0]);
  });

  it("is 0 for a lone reward and for equal ones, never NaN", () => {
    expect(advantagesOf([7], [0])).toEqual([0]);
    expect(advantagesOf([7, NaN], [0, 0], { std: "none" })).toEqual([0, 0]);
    expect(advantagesOf([0.1, 0.1, 0.1], [0, 0, 0])).toEqual([0, 0, 0]);
    expect(advantagesOf([0.1, 0.1, 0.1], [0, 0, 0], { eps: 0 })).toEqual([0, 0, 0]);
  });

  it("is missing for a row without a group", () => {
    expect(advantagesOf([1, 2, 4], [-1, 0, 0], { std: "none" })).toEqual([NaN, -1, 1]);
  });

  it("filters groups without spread when asked", () => {
    const rewards = Float64Array.of(1, 1.001, 0, 1, 5, NaN);
    const groups = Int32Array.of(0, 0, 1, 1, 2, 1);
    const result = groupAdvantages(rewards, groups, { minStd: 0.01, eps: 0, std: "population" });
    expect([...result.filtered]).toEqual([1, 1, 0, 0, 1, 0]);
    expect([...result.advantage]).toEqual([0, 0, -1, 1, 0, 0]);
    expect([...groupAdvantages(rewards, groups).filtered]).toEqual([0, 0, 0, 0, 0, 0]);
    expect([...groupAdvantages(Float64Array.of(NaN), Int32Array.of(0), { minStd: 0.01 }).filtered]).toEqual([
      1,
    ]);
  });

  it("reports the statistics of each group", () => {
    const { count, mean, std } = groupAdvantages(Float64Array.of(1, 3, 4, NaN), Int32Array.of(0, 0, 2, 1));
    expect([...count]).toEqual([2, 0, 1]);
    expect([...mean]).toEqual([2, NaN, 4]);
    expect([...std]).toEqual([Math.SQRT2, NaN, 0]);
  });

  it("refuses what it cannot use", () => {
    const run = (options: AdvantageOptions) => () => advantagesOf([1], [0], options);
    expect(run({ std: "iqr" as "none" })).toThrow("std must be sample, population or none, got iqr");
    expect(run({ eps: -1 })).toThrow("eps must be 0 or more, got -1");
    expect(run({ minStd: Number.NaN })).toThrow("minStd must be 0 or more, got NaN");
    expect(() => advantagesOf([1, 2], [0])).toThrow("groups must number 2, one a reward; got 1");
  });

  it("does not depend on the division into batches", () => {
    const row = fc.tuple(
      fc.oneof(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.constant(Number.NaN)),
      fc.integer({ min: -1, max: 3 }),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.nat(30), (rows, cut) => {
        const rewards = Float64Array.from(rows, ([reward]) => reward);
        const groups = Int32Array.from(rows, ([, group]) => group);
        const parts: [Float64Array, Int32Array][] = [
          [rewards.subarray(0, cut), groups.subarray(0, cut)],
          [rewards.subarray(cut), groups.subarray(cut)],
        ];
        const stats = createAdvantageStats({ minStd: 0.5 });
        for (const [values, ids] of parts) stats.add(values, ids);
        const applied = parts.flatMap(([values, ids]) => [...stats.apply(values, ids).advantage]);
        expect(applied).toEqual([...groupAdvantages(rewards, groups, { minStd: 0.5 }).advantage]);
      }),
    );
  });

  it("sums to 0 in each group and ignores a shift of its rewards", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2 }),
        fc.integer({ min: -100, max: 100 }),
        (rewards, shift) => {
          const groups = rewards.map(() => 0);
          const advantages = advantagesOf(rewards, groups);
          expect(advantages.reduce((sum, a) => sum + a, 0)).toBeCloseTo(0, 9);
          const shifted = advantagesOf(
            rewards.map((r) => r + shift),
            groups,
          );
          shifted.forEach((a, i) => {
            expect(a).toBeCloseTo(advantages[i] as number, 9);
          });
        },
      ),
    );
  });
});
