import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GroupMoments } from "../../src/math/group-moments.ts";

describe("GroupMoments", () => {
  it("keeps count, mean and variance of each group", () => {
    const moments = new GroupMoments();
    moments.add(Float64Array.of(1, 10, 3, 5), Int32Array.of(0, 2, 0, 0));
    expect(moments.groups).toBe(3);
    expect([moments.count(0), moments.mean(0)]).toEqual([3, 3]);
    expect(moments.variance(0, "sample")).toBe(4);
    expect(moments.variance(0, "population")).toBe(8 / 3);
    expect([moments.count(1), moments.mean(1), moments.variance(1, "population")]).toEqual([0, NaN, NaN]);
    expect(moments.variance(2, "population")).toBe(0);
    expect(moments.variance(2, "sample")).toBeNaN();
    expect(moments.count(99)).toBe(0);
  });

  it("leaves out rows without a group and values that are not finite", () => {
    const moments = new GroupMoments();
    moments.add(Float64Array.of(1, 2, NaN, Infinity), Int32Array.of(-1, 0, 0, 0));
    expect([moments.count(0), moments.mean(0)]).toEqual([1, 2]);
  });

  it("stays exact for equal values and close for a large mean", () => {
    const moments = new GroupMoments();
    moments.add(new Float64Array(1000).fill(0.1), new Int32Array(1000));
    expect([moments.mean(0), moments.variance(0, "sample")]).toEqual([0.1, 0]);
    const large = new GroupMoments();
    large.add(Float64Array.of(1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16), new Int32Array(4));
    expect(large.variance(0, "sample")).toBe(30);
  });

  it("gives bit-identical numbers in any division into batches", () => {
    const row = fc.tuple(fc.double({ noNaN: true, min: -1e3, max: 1e3 }), fc.integer({ min: -1, max: 3 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), fc.nat(40), (rows, cut) => {
        const values = Float64Array.from(rows, ([value]) => value);
        const groups = Int32Array.from(rows, ([, group]) => group);
        const whole = new GroupMoments();
        whole.add(values, groups);
        const parts = new GroupMoments();
        parts.add(values.subarray(0, cut), groups.subarray(0, cut));
        parts.add(values.subarray(cut), groups.subarray(cut));
        for (let group = 0; group < 4; group++) {
          expect(parts.mean(group)).toBe(whole.mean(group));
          expect(parts.variance(group, "sample")).toBe(whole.variance(group, "sample"));
        }
      }),
    );
  });
});
