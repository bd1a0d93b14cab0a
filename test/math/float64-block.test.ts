import { describe, expect, it } from "vitest";
import { float64Block } from "../../src/math/float64-block.ts";

describe("float64Block", () => {
  it("copies what is not float64 and views what is", () => {
    const scratch = new Float64Array(4);
    expect([...float64Block(Float32Array.of(1, 2.5, 3), 1, 3, scratch)]).toEqual([2.5, 3]);
    expect([...float64Block([true, false, true], 0, 3, scratch)]).toEqual([1, 0, 1]);
    const values = Float64Array.of(1, 2, 3);
    const view = float64Block(values, 1, 3, scratch);
    expect([...view]).toEqual([2, 3]);
    expect(view.buffer).toBe(values.buffer);
  });

  it("makes anything else NaN, null too", () => {
    const values = [null, "1", undefined] as unknown as number[];
    expect([...float64Block(values, 0, 3, new Float64Array(3))]).toEqual([NaN, NaN, NaN]);
  });
});
