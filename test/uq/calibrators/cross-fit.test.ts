import { describe, expect, it } from "vitest";
import { CalibrantError, CalibrantRangeError } from "../../../src/errors.ts";
import { applyCalibrator } from "../../../src/uq/calibrators/apply-calibrator.ts";
import { crossFitCalibrator } from "../../../src/uq/calibrators/cross-fit.ts";
import { evaluateCalibrator } from "../../../src/uq/calibrators/evaluate-calibrator.ts";
import { fitIsotonic } from "../../../src/uq/calibrators/fit-isotonic.ts";
import { fitPlatt } from "../../../src/uq/calibrators/fit-platt.ts";
import { fitTemperature } from "../../../src/uq/calibrators/fit-temperature.ts";
import { goldenCalibrators } from "../../golden/calibrators.ts";

const { x, y, w, logits } = goldenCalibrators().sets[2] as ReturnType<typeof goldenCalibrators>["sets"][0];
const clusters = x.map((_, i) => Math.trunc(i / 7));

describe("crossFitCalibrator", () => {
  it.each(["temperature", "platt", "isotonic"] as const)(
    "scores every fold with the %s fit of the others",
    (kind) => {
      const { calibrated, fold, calibrators, flags, excluded } = crossFitCalibrator(kind, logits, y, {
        folds: 3,
        clusters,
        weights: w,
        seed: 4,
      });
      expect([flags, excluded]).toEqual([[], 0]);
      for (let f = 0; f < 3; f++) {
        const others = x.map((_, i) => i).filter((i) => fold[i] !== f);
        const own = x.map((_, i) => i).filter((i) => fold[i] === f);
        const take = (values: readonly number[], rows: readonly number[]) =>
          rows.map((i) => values[i] as number);
        const fit = { temperature: fitTemperature, platt: fitPlatt, isotonic: fitIsotonic }[kind];
        const expected = fit(take(logits, others), take(y, others), { weights: take(w, others) });
        expect(calibrators[f]).toEqual(expected);
        expect(take(Array.from(calibrated), own)).toEqual(
          Array.from(applyCalibrator(expected, take(logits, own))),
        );
        expect(evaluateCalibrator(expected, take(logits, own), take(y, own)).onFittingRows).toBe(false);
      }
    },
  );

  it("permutes with the rows", () => {
    const order = x.map((_, i) => (i * 37 + 11) % x.length);
    const moved = (values: readonly number[]) => order.map((i) => values[i] as number);
    for (const options of [{}, { clusters }]) {
      const plain = crossFitCalibrator("isotonic", x, y, options);
      const shuffled = crossFitCalibrator("isotonic", moved(x), moved(y), {
        ...options,
        ...("clusters" in options ? { clusters: moved(clusters) } : {}),
      });
      expect(Array.from(shuffled.calibrated)).toEqual(moved(Array.from(plain.calibrated)));
    }
  });

  it("takes the direction of an uncertainty", () => {
    const uncertainty = x.map((v) => -v);
    const falling = crossFitCalibrator("isotonic", uncertainty, y, { clusters, direction: "decreasing" });
    const rising = crossFitCalibrator("isotonic", x, y, { clusters });
    expect(Array.from(falling.calibrated)).toEqual(
      Array.from(rising.calibrated, (v) => expect.closeTo(v, 13)),
    );
  });

  it("falls back to a constant where the other folds have one class, or no rows", () => {
    for (const kind of ["temperature", "platt", "isotonic"] as const) {
      const single = crossFitCalibrator(kind, [1, 2, 3, 4], [1, 1, 1, 1]);
      expect(single.flags).toEqual(["single-class"]);
      expect(Array.from(single.calibrated)).toEqual([1, 1, 1, 1].map(() => expect.closeTo(3 / 4, 14)));
      const alone = crossFitCalibrator(kind, [1, 2], [0, 1], { clusters: [7, 7] });
      expect([Array.from(alone.calibrated), alone.flags]).toEqual([[0.5, 0.5], ["no-training-rows"]]);
      expect(crossFitCalibrator(kind, [], [])).toMatchObject({ calibrated: new Float64Array(0), flags: [] });
    }
  });

  it("leaves NaN and, but for isotonic, infinite values out of the fits", () => {
    const odd = [...x, NaN, Infinity];
    const labels = [...y, 1, 0];
    for (const [kind, excluded] of [
      ["platt", 2],
      ["temperature", 2],
      ["isotonic", 1],
    ] as const) {
      const found = crossFitCalibrator(kind, odd, labels);
      expect(found.excluded).toBe(excluded);
      expect(found.calibrated[x.length]).toBeNaN();
      expect(found.calibrated.slice(0, x.length).every(Number.isFinite)).toBe(true);
      expect(found.calibrated[x.length + 1]).toBeGreaterThan(0.5);
    }
  });

  it("refuses what cannot be", () => {
    expect(() => crossFitCalibrator("beta" as "platt", [], [])).toThrow(CalibrantError);
    expect(() => crossFitCalibrator("platt", [], [], { folds: 1 })).toThrow(
      "folds must be a whole number from 2 to 65535, got 1",
    );
    expect(() => crossFitCalibrator("platt", [1], [0], { clusters: [] })).toThrow(
      "clusters must number 1, one a row, got 0",
    );
    expect(() => crossFitCalibrator("platt", [1], [0], { weights: [-1] })).toThrow(CalibrantRangeError);
  });
});
