import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError, CalibrantRangeError } from "../../../src/errors.ts";
import { applyCalibrator } from "../../../src/uq/calibrators/apply-calibrator.ts";
import { fitPlatt } from "../../../src/uq/calibrators/fit-platt.ts";
import { calibrationCase, golden1000, goldenCalibrators, repeated } from "../../golden/calibrators.ts";

const golden = goldenCalibrators();
const K33 = calibrationCase("K33");
const thousand = golden1000();

describe("fitPlatt", () => {
  it.skipIf(K33 === null)("uses Platt's prior targets (K33)", () => {
    const fit = fitPlatt(K33?.input.f, K33?.input.y);
    expect(fit.a).toBeCloseTo(K33?.expected.a, 6);
    expect(fit.b).toBeCloseTo(K33?.expected.b, 6);
    const p = applyCalibrator(fit, K33?.input.f);
    expect(Array.from(p)).toEqual(K33?.expected.p.map((v: number) => expect.closeTo(v, 6)));
    expect(fit.flags).toEqual([]);
  });

  it.skipIf(thousand === null)("matches the golden thousand on logits", () => {
    const { p, y, expected } = thousand as NonNullable<typeof thousand>;
    const { a, b } = fitPlatt(
      p.map((v) => Math.log(v / (1 - v))),
      y,
    );
    expect(a).toBeCloseTo(expected.platt_on_logit[0], 6);
    expect(b).toBeCloseTo(expected.platt_on_logit[1], 6);
  });

  it.each(golden.sets)(
    "agrees with scikit-learn's targets and scipy's root, set $#",
    ({ x, y, w, platt }) => {
      for (const [name, options] of [
        ["one", {}],
        ["counts", { weights: w }],
      ] as const) {
        const fit = fitPlatt(x, y, options);
        const found = applyCalibrator(fit, x);
        const [a, b] = platt[name];
        expect(Array.from(found)).toEqual(x.map((v) => expect.closeTo(1 / (1 + Math.exp(a * v + b)), 8)));
        expect(fit.a / a).toBeCloseTo(1, 8);
      }
    },
  );

  it("has zero gradient at its result", () => {
    const row = fc.tuple(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.boolean());
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 2, maxLength: 40 }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (rows, scale) => {
          const scores = rows.map(([f]) => f * scale);
          const labels = rows.map(([, y]) => y);
          const fit = fitPlatt(scores, labels);
          const ones = labels.filter(Boolean).length;
          const p = applyCalibrator(fit, scores);
          const size = Math.max(...scores.map(Math.abs), 1e-300);
          let atB = 0;
          let atA = 0;
          rows.forEach(([, y], i) => {
            const target = y ? (ones + 1) / (ones + 2) : 1 / (rows.length - ones + 2);
            atB += target - (p[i] as number);
            atA += (target - (p[i] as number)) * ((scores[i] as number) / size);
          });
          expect(fit.flags.includes("not-converged")).toBe(false);
          expect(Math.abs(atB)).toBeLessThan(1e-6);
          if (fit.flags.length === 0) expect(Math.abs(atA)).toBeLessThan(1e-6);
        },
      ),
    );
  });

  it("does not mind the scale, the place or the direction of the scores", () => {
    const { x, y } = golden.sets[2] as (typeof golden.sets)[2];
    const plain = applyCalibrator(fitPlatt(x, y), x);
    for (const [scale, shift] of [
      [1e-12, 0],
      [1e200, 0],
      [-3, 1e6],
    ] as const) {
      const moved = x.map((v) => v * scale + shift);
      const p = applyCalibrator(fitPlatt(moved, y), moved);
      expect(Array.from(p)).toEqual(Array.from(plain, (v) => expect.closeTo(v, 7)));
    }
  });

  it("takes weights as repetition", () => {
    const { x, y, w } = golden.sets[2] as (typeof golden.sets)[2];
    const weighted = fitPlatt(x, y, { weights: w });
    const plain = fitPlatt(repeated(x, w), repeated(y, w));
    expect(weighted.a).toBeCloseTo(plain.a, 12);
    expect(weighted.b).toBeCloseTo(plain.b, 12);
  });

  it("is constant for one class, equal scores, and NaN without rows", () => {
    const ones = fitPlatt([1, 2, 3], [1, 1, 1]);
    expect(ones.flags).toEqual(["single-class"]);
    expect(Array.from(applyCalibrator(ones, [0, Infinity]))).toEqual(
      [0.8, 0.8].map((v) => expect.closeTo(v, 14)),
    );
    const raw = fitPlatt([1, 2, 3], [0, 0, 0], { targets: "raw" });
    expect(applyCalibrator(raw, [7])[0]).toBe(0);
    const flat = fitPlatt([2, 2, 2, 2], [1, 0, 0, 0]);
    expect(flat.flags).toEqual(["flat"]);
    // Targets (1 + 1)/(1 + 2) once and 1/(3 + 2) three times.
    expect(applyCalibrator(flat, [2])[0]).toBeCloseTo((2 / 3 + 3 / 5) / 4, 14);
    expect(fitPlatt([], [])).toMatchObject({ a: NaN, b: NaN, flags: ["empty"], n: 0 });
  });

  it("stays finite on separable rows, and says so with raw targets", () => {
    const x = [-2, -1, 1, 2];
    const y = [0, 0, 1, 1];
    const fit = fitPlatt(x, y);
    expect(fit.flags).toEqual([]);
    expect(fit.a).toBeGreaterThan(-5);
    const raw = fitPlatt(x, y, { targets: "raw" });
    expect(raw.flags).toEqual(["separable"]);
    expect(applyCalibrator(raw, [-1, 1])[1]).toBeGreaterThan(0.999);
  });

  it("fits overlapping rows to raw targets by plain logistic regression", () => {
    // Of a saturated model the fit is exact: P(1 | 0) = 1/4, P(1 | 1) = 2/3.
    const fit = fitPlatt([0, 0, 0, 0, 1, 1, 1], [1, 0, 0, 0, 1, 1, 0], { targets: "raw" });
    expect(Array.from(applyCalibrator(fit, [0, 1]))).toEqual(
      [1 / 4, 2 / 3].map((v) => expect.closeTo(v, 13)),
    );
  });

  it("refuses what cannot be", () => {
    expect(() => fitPlatt([1, Infinity], [0, 1])).toThrow("scores[1] must be finite, got Infinity");
    expect(() => fitPlatt([1], [0], { weights: [-1] })).toThrow(CalibrantRangeError);
    expect(() => fitPlatt([1], [0, 1])).toThrow("scores must number 2, one a row, got 1");
    expect(() => fitPlatt([1], [0], { targets: "none" as "raw" })).toThrow(CalibrantError);
  });
});
