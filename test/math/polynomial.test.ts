import { expect, it } from "vitest";
import { polynomial } from "../../src/math/polynomial.ts";

it("evaluates a polynomial from its highest power down", () => {
  expect(polynomial([2, -3, 5], 4)).toBe(25);
  expect(polynomial([], 4)).toBe(0);
});
