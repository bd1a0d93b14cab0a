import { expect, it } from "vitest";
import { clipRatio } from "../../src/rewards/clip.ts";

it("clips to [0.8, 1.28] and counts how often", () => {
  const { ratio, clippedLow, clippedHigh } = clipRatio([0.5, 0.8, 1, 1.28, 2, NaN, Infinity, 0]);
  expect([...ratio]).toEqual([0.8, 0.8, 1, 1.28, 1.28, NaN, 1.28, 0.8]);
  expect([clippedLow, clippedHigh]).toEqual([2 / 7, 2 / 7]);
});

it("takes other bounds", () => {
  expect([...clipRatio([0.5, 3], { low: 0.1, high: 1 }).ratio]).toEqual([0.9, 2]);
  expect(clipRatio([]).clippedLow).toBeNaN();
});

it("refuses bounds that are none", () => {
  expect(() => clipRatio([1], { low: 1.5 })).toThrow("low must be in [0, 1], got 1.5");
  expect(() => clipRatio([1], { high: -0.1 })).toThrow("high must be 0 or more, got -0.1");
});
