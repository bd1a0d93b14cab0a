import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../../src/errors.ts";
import { evaluateCalibrator } from "../../../src/uq/calibrators/evaluate-calibrator.ts";
import { fitIsotonic } from "../../../src/uq/calibrators/fit-isotonic.ts";
import { fitPlatt } from "../../../src/uq/calibrators/fit-platt.ts";
import { fitTemperature } from "../../../src/uq/calibrators/fit-temperature.ts";
import { goldenCalibrators, repeated } from "../../golden/calibrators.ts";

const { x, y, w, logits } = goldenCalibrators().sets[2] as ReturnType<typeof goldenCalibrators>["sets"][0];

describe("evaluateCalibrator", () => {
  it("scores the probabilities", () => {
    const fit = { ...fitPlatt([1, 2], [0, 1]), a: 0, b: Math.log(3) };
    const found = evaluateCalibrator(fit, [5, 6, 7], [1, 0, 0]);
    expect(found.brier).toBeCloseTo((0.75 ** 2 + 2 * 0.25 ** 2) / 3, 15);
    expect(found.nll).toBeCloseTo((Math.log(4) - 2 * Math.log(0.75)) / 3, 15);
    expect([found.n, found.excluded, found.reason, found.onFittingRows]).toEqual([3, 0, null, false]);
  });

  it("agrees with the likelihood of the temperature fit", () => {
    const fit = fitTemperature(logits, y);
    expect(evaluateCalibrator(fit, logits, y, { onFittingRows: true }).nll).toBeCloseTo(fit.nll, 13);
    const { logits: rows, labels } = goldenCalibrators().classes;
    const four = fitTemperature(rows, labels, { classes: 4 });
    const found = evaluateCalibrator(four, rows, labels, { onFittingRows: true });
    expect(found.nll).toBeCloseTo(four.nll, 13);
    expect(found.onFittingRows).toBe(true);
  });

  it("sums the squares over classes", () => {
    const four = { ...fitTemperature([0, 0], [0], { classes: 2 }), temperature: 1 };
    expect(evaluateCalibrator(four, [0, 0, 0, 0], [1, 0])).toMatchObject({
      brier: 0.5,
      nll: expect.closeTo(Math.LN2, 15),
    });
  });

  it("refuses the rows of the fit without the flag, in any order and storage", () => {
    const order = x.map((_, i) => (i * 7) % x.length);
    const shuffled = order.map((i) => x[i] as number);
    const labels = order.map((i) => y[i] === 1);
    for (const fit of [fitPlatt(x, y), fitIsotonic(x, y)]) {
      expect(() => evaluateCalibrator(fit, x, y)).toThrow(CalibrantError);
      expect(() => evaluateCalibrator(fit, shuffled, labels)).toThrow(
        "the calibrator was fitted to these rows",
      );
      expect(() => evaluateCalibrator(fit, Float64Array.from(x), Uint8Array.from(y))).toThrow(
        "onFittingRows, n = 200",
      );
      expect(evaluateCalibrator(fit, x, y, { onFittingRows: true }).onFittingRows).toBe(true);
      expect(evaluateCalibrator(fit, x.slice(1), y.slice(1)).onFittingRows).toBe(false);
      const other = y.with(3, 1 - (y[3] as number));
      expect(evaluateCalibrator(fit, x, other).onFittingRows).toBe(false);
    }
  });

  it("takes weights as repetition", () => {
    const fit = fitPlatt([1, 2], [0, 1]);
    const weighted = evaluateCalibrator(fit, x, y, { weights: w });
    const plain = evaluateCalibrator(fit, repeated(x, w), repeated(y, w));
    expect(weighted.brier).toBeCloseTo(plain.brier, 13);
    expect(weighted.nll).toBeCloseTo(plain.nll, 13);
  });

  it("counts NaN rows apart, and is infinite where a label had probability 0", () => {
    const fit = fitIsotonic([1, 2], [0, 1]);
    expect(evaluateCalibrator(fit, [1, NaN], [0, 1])).toEqual({
      brier: 0,
      nll: 0,
      n: 1,
      excluded: 1,
      onFittingRows: false,
      reason: null,
    });
    expect(evaluateCalibrator(fit, [1, 2], [1, 1]).nll).toBe(Infinity);
    expect(evaluateCalibrator(fit, [1, 2], [1, 1], { weights: [0, 1] }).nll).toBe(0);
    expect(evaluateCalibrator(fit, [], [])).toMatchObject({ brier: NaN, nll: NaN, reason: "empty" });
  });
});
