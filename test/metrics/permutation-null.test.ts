import { describe, expect, it } from "vitest";
import { permutationNull } from "../../src/metrics/permutation-null.ts";

describe("permutationNull", () => {
  it("deals the labels out again and keeps them", () => {
    const labels = [true, true, false, false, false];
    const sums = new Set<number>();
    const orders = new Set<string>();
    const result = permutationNull(
      (dealt) => {
        sums.add(dealt.reduce((sum, y) => sum + y, 0));
        orders.add(dealt.join());
        return dealt[0] as number;
      },
      labels,
      { permutations: 500, tail: "high" },
    );
    expect([...sums]).toEqual([2]);
    expect(orders.size).toBe(10);
    expect(labels).toEqual([true, true, false, false, false]);
    expect(result.value).toBe(1);
    expect(Math.abs(result.mean - 0.4)).toBeLessThan(0.06);
    expect(Math.abs(result.pValue - 0.4)).toBeLessThan(0.06);
  });

  it("never has a p-value of 0, and 1 for a constant", () => {
    const at = (tail: "low" | "high" | "both"): number =>
      permutationNull(() => 5, [0, 1], { permutations: 9, tail }).pValue;
    expect([at("low"), at("high"), at("both")]).toEqual([1, 1, 1]);
    let calls = 0;
    const first = permutationNull(() => (calls++ === 0 ? 1 : 0), [0, 1], { permutations: 9, tail: "high" });
    expect(first.pValue).toBe(0.1);
  });

  it("leaves out undefined replicates; an undefined value has no p-value", () => {
    let calls = 0;
    const half = permutationNull(() => (calls++ % 2 === 0 ? 3 : Number.NaN), [0, 1], { permutations: 10 });
    expect([half.value, half.mean, half.undefinedReplicates, half.pValue]).toEqual([3, 3, 5, 1]);
    const none = permutationNull(() => Number.NaN, [0, 1], { permutations: 4 });
    expect([none.value, none.mean, none.pValue, none.undefinedReplicates]).toEqual([NaN, NaN, NaN, 4]);
  });

  it("follows from the seed and refuses bad options", () => {
    const at = (seed: number): Float64Array =>
      permutationNull((y) => (y[0] as number) * 2 + (y[1] as number), [0, 1, 1, 0], {
        seed,
        permutations: 30,
      }).replicates;
    expect(at(3)).toEqual(at(3));
    expect(at(3)).not.toEqual(at(4));
    expect(() => permutationNull(() => 0, [], { permutations: 0 })).toThrow(
      "permutations must be an integer from 1, got 0",
    );
    expect(() => permutationNull(() => 0, [], { tail: "up" as "low" })).toThrow(
      'tail must be "low", "high" or "both", got "up"',
    );
  });
});
