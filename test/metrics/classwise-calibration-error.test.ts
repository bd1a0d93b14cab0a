import { describe, expect, it } from "vitest";
import { calibrationError } from "../../src/metrics/calibration-error.ts";
import {
  classwiseCalibrationError,
  topLabelCalibrationError,
} from "../../src/metrics/classwise-calibration-error.ts";

const probabilities = [0.7, 0.2, 0.1, 0.1, 0.8, 0.1, 0.4, 0.4, 0.2];

describe("classwiseCalibrationError", () => {
  it("is the mean of one-vs-rest errors, absent classes too", () => {
    const result = classwiseCalibrationError(probabilities, 3, [0, 1, 0], { bins: 1 });
    expect([...result.perClass]).toEqual([
      expect.closeTo(2 / 3 - 0.4, 12),
      expect.closeTo(1.4 / 3 - 1 / 3, 12),
      expect.closeTo(0.4 / 3, 12),
    ]);
    expect(result.error).toBeCloseTo((2 / 3 - 0.4 + 1.4 / 3 - 1 / 3 + 0.4 / 3) / 3, 12);
    const first = calibrationError([0.7, 0.1, 0.4], [1, 0, 1], { bins: 1 }).nullMean;
    expect(result.nullMean).toBeGreaterThan(first / 3);
    expect([result.n, result.excluded, result.reason]).toEqual([3, 0, null]);
  });

  it("leaves out whole rows with a NaN, with their weights", () => {
    const rows = [...probabilities, 0.1, Number.NaN, 0.9];
    const options = { nan: "exclude", weights: [1, 2, 3, 4] } as const;
    const { n, excluded, error } = classwiseCalibrationError(rows, 3, [0, 1, 0, 2], options);
    expect([n, excluded]).toEqual([3, 1]);
    expect(error).toBe(classwiseCalibrationError(probabilities, 3, [0, 1, 0], { weights: [1, 2, 3] }).error);
    expect(() => classwiseCalibrationError(rows, 3, [0, 1, 0, 2])).toThrow("probabilities of row 3, class 1");
  });

  it("is empty without rows", () => {
    const { error, reason, perClass } = classwiseCalibrationError([], 2, []);
    expect([error, reason, ...perClass]).toEqual([Number.NaN, "empty", Number.NaN, Number.NaN]);
  });

  it.each([
    [[0.5, 0.5], 2, [2], "labels[0] must be a class from 0 to 1, got 2"],
    [[0.5, 1.5], 2, [1], "probabilities of row 0, class 1 must be in [0, 1], got 1.5"],
    [[0.5], 2, [1], "probabilities must have 2 values for each of the 1 labels (2), got 1"],
    [[], 0, [], "classes must be an integer from 1, got 0"],
  ])("refuses %j of %d classes, labels %j", (rows, classes, labels, message) => {
    expect(() => classwiseCalibrationError(rows, classes, labels)).toThrow(message);
    expect(() => topLabelCalibrationError(rows, classes, labels)).toThrow(message);
  });
});

describe("topLabelCalibrationError", () => {
  it("takes the largest probability, the first class in a tie", () => {
    const result = topLabelCalibrationError(probabilities, 3, [0, 2, 0], { bins: 1 });
    expect(result.bins.confidence[0]).toBeCloseTo(1.9 / 3, 12);
    expect(result.bins.accuracy[0]).toBeCloseTo(2 / 3, 12);
  });

  it("refuses or leaves out a row with a NaN in any place", () => {
    const rows = [Number.NaN, 0.9, 0.9, Number.NaN, 0.8, 0.2];
    expect(() => topLabelCalibrationError(rows, 2, [1, 0, 0])).toThrow(RangeError);
    expect(topLabelCalibrationError(rows, 2, [1, 0, 0], { nan: "exclude" })).toMatchObject({
      n: 1,
      excluded: 2,
    });
  });
});
