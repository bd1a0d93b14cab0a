import { describe, expect, it } from "vitest";
import { grown } from "../../src/math/growable.ts";

describe("grown", () => {
  it("keeps an array that is long enough", () => {
    const array = new Float64Array(4);
    expect(grown(array, 4)).toBe(array);
  });

  it("copies, at least doubles, and fills what is new", () => {
    const array = Int32Array.of(1, 2);
    const longer = grown(array, 3, -1);
    expect(longer).toBeInstanceOf(Int32Array);
    expect(longer.length).toBe(16);
    expect([...longer.subarray(0, 4)]).toEqual([1, 2, -1, -1]);
    expect(grown(longer, 17).length).toBe(32);
    expect(grown(new Uint8Array(2), 100).length).toBe(100);
  });
});
