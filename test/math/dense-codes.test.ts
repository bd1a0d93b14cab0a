import { describe, expect, it } from "vitest";
import { denseCodes } from "../../src/math/dense-codes.ts";

describe("denseCodes", () => {
  it("renumbers in order of first appearance, across lists", () => {
    const { codes, count } = denseCodes([Int32Array.of(7, 3, 7), Int32Array.of(3, 9)]);
    expect(codes.map((list) => [...list])).toEqual([
      [0, 1, 0],
      [1, 2],
    ]);
    expect(count).toBe(3);
  });

  it("gives each negative or NaN entry a number of its own", () => {
    const { codes, count } = denseCodes([[-1, 4, -1, Number.NaN], [4]]);
    expect(codes.map((list) => [...list])).toEqual([[0, 1, 2, 3], [1]]);
    expect(count).toBe(4);
  });

  it("takes huge and fractional codes", () => {
    const { codes, count } = denseCodes([[2 ** 40, 0.5, 2 ** 40, 0]]);
    expect([...(codes[0] as Int32Array)]).toEqual([0, 1, 0, 2]);
    expect(count).toBe(3);
  });

  it("is empty for nothing", () => {
    expect(denseCodes([[], []]).count).toBe(0);
  });
});
