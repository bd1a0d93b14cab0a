import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError, CalibrantRangeError } from "../../src/errors.ts";
import {
  betaPosterior,
  betaPosteriorQuantile,
  clopperPearsonInterval,
  type ProportionMethod,
  proportionInterval,
  wilsonInterval,
} from "../../src/metrics/proportions.ts";

type Ends = readonly number[];

interface Golden {
  readonly intervals: readonly (Readonly<Record<ProportionMethod, Ends>> & {
    readonly k: number;
    readonly n: number;
    readonly level: number;
  })[];
}

const golden: Golden = JSON.parse(
  readFileSync(new URL("../golden/calibrators.json", import.meta.url), "utf8"),
);
const CASES = new URL("../../../shared/cases/uq/cal_cases.json", import.meta.url);

function expectEnds({ low, high }: { readonly low: number; readonly high: number }, ends: Ends): void {
  expect(low).toSatisfy((x: number) => Math.abs(x - (ends[0] as number)) <= 1e-12 * (ends[0] as number));
  expect(high).toSatisfy((x: number) => Math.abs(x - (ends[1] as number)) <= 1e-12 * (ends[1] as number));
}

describe("intervals of a share", () => {
  it.each(golden.intervals)("of $k in $n at $level agree with scipy", (row) => {
    const { k, n, level } = row;
    expectEnds(wilsonInterval(k, n, { level }), k === 0 ? [0, row.wilson[1] as number] : row.wilson);
    expectEnds(clopperPearsonInterval(k, n, { level }), row["clopper-pearson"]);
    for (const prior of ["uniform", "jeffreys"] as const) {
      const posterior = betaPosterior(k, n, { prior, level });
      expectEnds(posterior, row[prior]);
      expect(posterior.mean).toBeCloseTo(row[prior][2] as number, 14);
      expect(proportionInterval(k, n, { method: prior, level }).low).toBe(posterior.low);
    }
  });

  it.skipIf(!existsSync(CASES))("match the public case K53", () => {
    const found = JSON.parse(readFileSync(CASES, "utf8")).find((item: { id: string }) => item.id === "K53");
    const { k, n, level } = found.input;
    const { expected } = found;
    expectEnds(betaPosterior(k, n, { prior: found.input.prior, level }), expected.uniform_ci);
    expectEnds(betaPosterior(k, n, { prior: "jeffreys", level }), expected.jeffreys_ci);
    expectEnds(clopperPearsonInterval(k, n, { level }), expected.clopper_pearson);
    expectEnds(proportionInterval(k, n, { level }), expected.wilson);
  });

  it("end at exactly 0 and 1, except the posteriors", () => {
    for (const n of [1, 3, 10, 12345, 1e9]) {
      for (const method of ["wilson", "clopper-pearson"] as const) {
        expect(proportionInterval(0, n, { method }).low).toBe(0);
        expect(proportionInterval(n, n, { method }).high).toBe(1);
      }
      expect(betaPosterior(0, n).low).toBeGreaterThan(0);
      expect(betaPosterior(n, n).high).toBeLessThan(1);
    }
  });

  it("are NaN with a reason without trials; the posterior is the prior", () => {
    for (const method of ["wilson", "clopper-pearson"] as const) {
      expect(proportionInterval(0, 0, { method })).toEqual({
        mean: NaN,
        low: NaN,
        high: NaN,
        reason: "empty",
      });
    }
    const { mean, low, high, alpha, beta } = betaPosterior(0, 0, { level: 0.9 });
    expect([mean, low, high, alpha, beta]).toEqual([0.5, 0.05, 0.95, 1, 1].map((x) => expect.closeTo(x, 14)));
  });

  it("hold the share, and Clopper-Pearson covers exactly", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.nat(),
        fc.double({ min: 0.01, max: 0.999, noNaN: true }),
        (n, r, level) => {
          const k = r % (n + 1);
          const wilson = wilsonInterval(k, n, { level });
          expect(wilson.low).toBeLessThanOrEqual(k / n);
          expect(wilson.high).toBeGreaterThanOrEqual(k / n);
          const exact = clopperPearsonInterval(k, n, { level });
          // The posteriors of the priors Beta(0, 1) and Beta(1, 0) make its ends: it holds every one between.
          for (const prior of ["uniform", "jeffreys"] as const) {
            const posterior = betaPosterior(k, n, { prior, level });
            expect(exact.low).toBeLessThanOrEqual(posterior.low);
            expect(exact.high).toBeGreaterThanOrEqual(posterior.high);
          }
          const mirrored = wilsonInterval(n - k, n, { level });
          expect(wilson.low).toBeCloseTo(1 - mirrored.high, 14);
        },
      ),
    );
  });

  it("cover the true share as often as they say, summed over all outcomes", () => {
    const n = 20;
    for (const share of [0.02, 0.1, 0.37, 0.5]) {
      let exact = 0;
      let probability = (1 - share) ** n;
      for (let k = 0; k <= n; k++) {
        const { low, high } = clopperPearsonInterval(k, n, { level: 0.9 });
        if (low <= share && share <= high) exact += probability;
        probability *= ((n - k) / (k + 1)) * (share / (1 - share));
      }
      expect(exact).toBeGreaterThanOrEqual(0.9);
    }
  });

  it("take sums of weights, but Clopper-Pearson only counts", () => {
    expect(wilsonInterval(2.5, 7.25).mean).toBe(2.5 / 7.25);
    expect(betaPosterior(2.5, 7.25).alpha).toBe(3.5);
    expect(() => clopperPearsonInterval(2.5, 7)).toThrow("whole counts");
  });

  it("refuse what cannot be", () => {
    expect(() => wilsonInterval(3, 2)).toThrow(CalibrantRangeError);
    expect(() => wilsonInterval(-1, 2)).toThrow("successes must be in [0, n = 2], got -1");
    expect(() => betaPosterior(1, Number.NaN)).toThrow("n must be 0 or more and finite, got NaN");
    expect(() => wilsonInterval(1, 2, { level: 1 })).toThrow("level must be in (0, 1), got 1");
    expect(() => betaPosterior(1, 2, { prior: [0, 1] })).toThrow("alpha must be positive and finite, got 0");
    expect(() => betaPosterior(1, 2, { prior: "flat" as "uniform" })).toThrow(CalibrantError);
    expect(() => proportionInterval(1, 2, { method: "wald" as "wilson" })).toThrow("got wald");
  });
});

describe("betaPosteriorQuantile", () => {
  it("is accurate at large parameters", () => {
    // scipy.special.betaincinv
    expect(betaPosteriorQuantile({ alpha: 1e7, beta: 1e7 }, 0.975)).toBeCloseTo(0.500219130627361, 15);
    expect(betaPosteriorQuantile(betaPosterior(0, 0), 0.25)).toBeCloseTo(0.25, 15);
  });

  it("refuses a p outside [0, 1] and parameters that are not positive", () => {
    expect(() => betaPosteriorQuantile(betaPosterior(1, 2), 1.5)).toThrow("p must be in [0, 1], got 1.5");
    expect(() => betaPosteriorQuantile({ alpha: 1, beta: 0 }, 0.5)).toThrow(CalibrantRangeError);
  });
});
