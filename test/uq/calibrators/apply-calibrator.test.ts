import { describe, expect, it } from "vitest";
import { applyCalibrator } from "../../../src/uq/calibrators/apply-calibrator.ts";
import type { TemperatureCalibrator } from "../../../src/uq/calibrators/calibrator.ts";

const fit = { n: 1, fingerprint: "0000000000000000", flags: [] };
const temperature = (T: number, classes: number): TemperatureCalibrator => ({
  kind: "temperature",
  temperature: T,
  classes,
  nll: 0,
  nllBefore: 0,
  ...fit,
});

describe("applyCalibrator", () => {
  it("divides binary logits by the temperature", () => {
    const found = applyCalibrator(temperature(2, 1), [0, Math.log(9) * 2, -Infinity, Infinity, NaN]);
    expect(Array.from(found)).toEqual([0.5, expect.closeTo(0.9, 15), 0, 1, NaN]);
  });

  it("gives the softmax of class logits, without overflow, NaN for a row with one", () => {
    const logits = [0, 2 * Math.log(3), 1e4, 1e4, NaN, 1];
    const found = applyCalibrator(temperature(2, 2), logits);
    expect(Array.from(found)).toEqual([
      ...[0.25, 0.75, 0.5, 0.5].map((v) => expect.closeTo(v, 14)),
      NaN,
      NaN,
    ]);
    expect(() => applyCalibrator(temperature(1, 2), [1, 2, 3])).toThrow(
      "logits must be whole rows of 2, got 3 numbers",
    );
  });

  it("applies Platt's sigmoid, with its limits at infinity", () => {
    const found = applyCalibrator({ kind: "platt", a: -1, b: Math.log(3), ...fit }, [
      0,
      Infinity,
      -Infinity,
      NaN,
    ]);
    expect(Array.from(found)).toEqual([expect.closeTo(0.25, 15), 1, 0, NaN]);
    const constant = applyCalibrator({ kind: "platt", a: 0, b: 0, ...fit }, [Infinity, -Infinity, NaN]);
    expect(Array.from(constant)).toEqual([0.5, 0.5, NaN]);
  });

  it("interpolates between knots and clips outside", () => {
    const x = Float64Array.of(0, 1, 3);
    const y = Float64Array.of(0.2, 0.2, 0.8);
    const found = applyCalibrator(
      { kind: "isotonic", direction: "increasing", x, y, ...fit },
      Float32Array.of(-1, 0.5, 2, 3, 9, NaN),
    );
    expect(Array.from(found)).toEqual([0.2, 0.2, 0.5, 0.8, 0.8, NaN]);
  });

  it("interpolates between knots whose distance overflows", () => {
    const x = Float64Array.of(-1.7e308, 1.7e308);
    const y = Float64Array.of(0, 1);
    const found = applyCalibrator({ kind: "isotonic", direction: "increasing", x, y, ...fit }, [0, 0.85e308]);
    expect(Array.from(found)).toEqual([0.5, expect.closeTo(0.75, 14)]);
  });
});
