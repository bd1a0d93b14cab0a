import { expect, it } from "vitest";
import { certainty } from "../../src/uq/certainty.ts";

it("is the sigmoid of margin over tau", () => {
  expect(certainty(0)).toBe(0.5);
  expect(certainty(0.05)).toBeCloseTo(0.6224593312018546, 15);
  expect(certainty(-0.05)).toBeCloseTo(0.37754066879814546, 15);
  expect([...certainty(Float64Array.of(-100, 100))]).toEqual([0, 1]);
  expect([...certainty([2, -2], { tau: 2 })]).toEqual([certainty(0.1), certainty(-0.1)]);
});

it("is exactly 0 or 1 for infinite margins, also over a tiny tau", () => {
  expect([...certainty([-Infinity, Infinity])]).toEqual([0, 1]);
  expect([...certainty([-1e300, 1e300, 0], { tau: 1e-300 })]).toEqual([0, 1, 0.5]);
  expect(certainty(Number.NaN)).toBeNaN();
});

it.each([0, -0.1, Number.NaN, Infinity])("refuses tau = %s", (tau) => {
  expect(() => certainty(1, { tau })).toThrow(`tau must be a positive number, got ${tau}`);
});
