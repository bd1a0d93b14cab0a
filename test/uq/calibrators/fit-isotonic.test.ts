import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import { applyCalibrator } from "../../../src/uq/calibrators/apply-calibrator.ts";
import { fitIsotonic } from "../../../src/uq/calibrators/fit-isotonic.ts";
import { calibrationCase, golden1000, goldenCalibrators, repeated } from "../../golden/calibrators.ts";

const golden = goldenCalibrators();
const thousand = golden1000();
const K29 = calibrationCase("K29");
const K32 = calibrationCase("K32");

describe("fitIsotonic", () => {
  it.skipIf(K29 === null)("sums the weights of equal x (K29)", () => {
    const fit = fitIsotonic(K29?.input.x, K29?.input.y);
    expect(Array.from(applyCalibrator(fit, K29?.input.x))).toEqual(K29?.expected.fit);
  });

  it.skipIf(K32 === null)("interpolates and clips (K32)", () => {
    const fit = fitIsotonic(K32?.input.x, K32?.input.y);
    expect(Array.from(applyCalibrator(fit, K32?.input.query))).toEqual(K32?.expected.fit);
  });

  it.skipIf(thousand === null)("matches the golden thousand", () => {
    const { p, y, expected } = thousand as NonNullable<typeof thousand>;
    const fit = fitIsotonic(p, y);
    const fitted = applyCalibrator(fit, p);
    const brier = fitted.reduce((sum, v, i) => sum + (v - (y[i] as number)) ** 2, 0) / p.length;
    expect(brier).toBeCloseTo(expected.isotonic_brier_insample, 14);
    expect(new Set(fitted).size).toBe(expected.isotonic_n_levels);
  });

  it.each(golden.sets)("agrees with scikit-learn, set $#", ({ x, y, w, queries, isotonic }) => {
    for (const direction of ["increasing", "decreasing"] as const) {
      for (const [name, weights] of [
        ["one", {}],
        ["counts", { weights: w }],
      ] as const) {
        const found = applyCalibrator(fitIsotonic(x, y, { ...weights, direction }), queries);
        const expected = isotonic[`${name}-${direction}`] ?? [];
        expect(Array.from(found)).toEqual(expected.map((v) => expect.closeTo(v, 12)));
      }
    }
  });

  const row = fc.tuple(
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
  );

  it("is the quadratic-programming optimum, by the min-max formula over all pools", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
        const x = rows.map(([v]) => v);
        const y = rows.map(([, v]) => v);
        const weights = rows.map(([, , v]) => v);
        const fitted = applyCalibrator(fitIsotonic(x, y, { weights }), x);
        const mean = (from: number, to: number): number => {
          const inside = rows.filter(([v]) => v >= from && v <= to);
          const weight = inside.reduce((sum, [, , w]) => sum + w, 0);
          return inside.reduce((sum, [, v, w]) => sum + v * w, 0) / weight;
        };
        const levels = [...new Set(x)];
        x.forEach((at, i) => {
          const expected = Math.max(
            ...levels
              .filter((from) => from <= at)
              .map((from) => Math.min(...levels.filter((to) => to >= at).map((to) => mean(from, to)))),
          );
          expect(fitted[i]).toBeCloseTo(expected, 12);
        });
      }),
    );
  });

  it("beats every other monotone fit on a grid", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 3, maxLength: 3 }),
        fc.nat(),
        (y, salt) => {
          const x = [0, 1, 2];
          const weights = y.map((_, i) => 1 + ((salt >> (2 * i)) % 3));
          const loss = (fit: ArrayLike<number>): number =>
            y.reduce((sum, v, i) => sum + (weights[i] as number) * (v - (fit[i] as number)) ** 2, 0);
          const best = loss(applyCalibrator(fitIsotonic(x, y, { weights }), x));
          for (let a = 0; a <= 8; a++)
            for (let b = a; b <= 8; b++)
              for (let c = b; c <= 8; c++)
                expect(best).toBeLessThanOrEqual(loss([a / 8, b / 8, c / 8]) + 1e-12);
        },
      ),
    );
  });

  it("gives a monotone map between and at the knots, whatever the row order", () => {
    const values = fc.array(fc.tuple(fc.double({ noNaN: true }), fc.boolean()), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(values, fc.array(fc.double({ noNaN: true })), fc.boolean(), (rows, extra, falling) => {
        const direction = falling ? "decreasing" : "increasing";
        const x = rows.map(([v]) => v);
        const y = rows.map(([, v]) => v);
        const fit = fitIsotonic(x, y, { direction });
        const queries = Float64Array.from([...x, ...extra]).sort();
        const found = applyCalibrator(fit, queries);
        for (let i = 0; i < found.length; i++) {
          expect(found[i]).toBeGreaterThanOrEqual(0);
          expect(found[i]).toBeLessThanOrEqual(1);
          if (i === 0) continue;
          const rise = (found[i] as number) - (found[i - 1] as number);
          expect(falling ? -rise : rise).toBeGreaterThanOrEqual(0);
        }
        const reversed = fitIsotonic(x.toReversed(), y.toReversed(), { direction });
        expect([reversed.x, reversed.y]).toEqual([fit.x, fit.y]);
        expect(reversed.fingerprint).toBe(fit.fingerprint);
      }),
    );
  });

  it("takes weights as repetition, and leaves rows of weight 0 out", () => {
    const { x, y, w } = golden.sets[2] as (typeof golden.sets)[2];
    const weighted = fitIsotonic(x, y, { weights: w });
    const plain = fitIsotonic(repeated(x, w), repeated(y, w));
    expect(weighted.x).toEqual(plain.x);
    expect(Array.from(weighted.y)).toEqual(Array.from(plain.y, (v) => expect.closeTo(v, 14)));
  });

  it("does not change its arguments", () => {
    const x = Float64Array.of(3, 1, 2);
    const y = Uint8Array.of(0, 1, 0);
    fitIsotonic(x, y);
    expect([x, y]).toEqual([Float64Array.of(3, 1, 2), Uint8Array.of(0, 1, 0)]);
  });

  it("has a place for infinite scores", () => {
    const fit = fitIsotonic([-Infinity, 0, 1, Infinity], [0, 0.25, 0.5, 1]);
    const found = applyCalibrator(fit, [-Infinity, -5, 0, 0.5, 1, 9, Infinity]);
    expect(Array.from(found)).toEqual([0, 0.25, 0.25, 0.375, 0.5, 0.5, 1]);
  });

  it("flags an empty and a flat fit", () => {
    const empty = fitIsotonic([], []);
    expect(empty.flags).toEqual(["empty"]);
    expect(applyCalibrator(empty, [1])).toEqual(Float64Array.of(NaN));
    expect(fitIsotonic([1, 2], [1, 0]).flags).toEqual(["flat"]);
    expect(fitIsotonic([1], [1], { weights: [0] }).flags).toEqual(["empty"]);
  });

  it("refuses what cannot be", () => {
    expect(() => fitIsotonic([NaN], [1])).toThrow("x[0] must be a number, got NaN");
    expect(() => fitIsotonic([1], [NaN])).toThrow("y[0] must be finite, got NaN");
    expect(() => fitIsotonic([1], [1, 0])).toThrow("y must number 1, one a row, got 2");
    expect(() => fitIsotonic([1], [1], { direction: "up" as "increasing" })).toThrow(CalibrantError);
  });
});
