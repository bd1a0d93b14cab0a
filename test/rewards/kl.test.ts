import fc from "fast-check";
import { expect, it } from "vitest";
import { lowVarKl } from "../../src/rewards/kl.ts";

it("is e^d - d - 1", () => {
  const kl = lowVarKl(Float32Array.of(-1, -2, -1), [-1, -1, -3]);
  expect(kl[0]).toBe(0);
  expect(kl[1]).toBeCloseTo(Math.E - 2, 15);
  expect(kl[2]).toBeCloseTo(Math.exp(-2) + 1, 15);
});

it("keeps its digits for a small difference", () => {
  expect((lowVarKl([-1], [-1 + 2 ** -20])[0] as number) / 2 ** -41).toBeCloseTo(1, 6);
});

it("says what is infinite or missing", () => {
  const kl = lowVarKl([-Infinity, -1, -Infinity, NaN], [-1, -Infinity, -Infinity, -1]);
  expect([...kl]).toEqual([NaN, Infinity, NaN, NaN]);
});

it("is never negative", () => {
  const logprob = fc.double({ min: -100, max: 0, noNaN: true });
  const difference = fc.oneof(
    fc.double({ min: -20, max: 20, noNaN: true }),
    fc.double({ min: -1e-14, max: 1e-14, noNaN: true }),
  );
  fc.assert(
    fc.property(logprob, difference, (a, d) => {
      expect(lowVarKl([a], [a + d])[0]).toBeGreaterThanOrEqual(0);
      expect(lowVarKl([0], [d])[0]).toBeGreaterThanOrEqual(0);
    }),
  );
});

it("refuses arrays of different length", () => {
  expect(() => lowVarKl([1], [])).toThrow("refLogprobs must number 1, one a log-prob; got 0");
});
