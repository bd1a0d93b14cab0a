import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { ResidualGrid } from "../../src/metrics/residual-grid.ts";
import { smoothCalibrationError, smoothErrorOfGrid } from "../../src/metrics/smooth-calibration-error.ts";
import { arbitraryRows, exactRows, expectClose, simulatedMean } from "./confidence-rows.ts";

describe("smoothCalibrationError", () => {
  it("is the plain distance when all confidences are equal", () => {
    const result = smoothCalibrationError([0.7, 0.7, 0.7, 0.7], [1, 0, 0, 0]);
    expect(result.error).toBeCloseTo(0.45, 5);
    expect(result.bandwidth).toBeCloseTo(0.45, 5);
    expect([result.n, result.excluded, result.reason]).toEqual([4, 0, null]);
  });

  it("is 1 for rows that are surely right and always wrong, 0 when always right", () => {
    expect(smoothCalibrationError([1, 1, 1], [0, 0, 0]).error).toBeCloseTo(1, 12);
    const exact = smoothCalibrationError([1, 0], [1, 0]);
    expect([exact.error, exact.bandwidth, exact.nullMean]).toEqual([0, 0.001, 0]);
  });

  it("finds opposite errors near each other harmless and far apart not", () => {
    const near = smoothCalibrationError([0.49, 0.51], [0, 1]);
    const far = smoothCalibrationError([0.1, 0.9], [1, 0]);
    expect(near.error).toBeLessThan(0.15);
    expect(far.error).toBeGreaterThan(0.4);
  });

  it("has the bandwidth at which it equals the error", () => {
    fc.assert(
      fc.property(arbitraryRows, ({ confidence, correct }) => {
        const { error, bandwidth } = smoothCalibrationError(confidence, correct);
        if (bandwidth > 0.001 && bandwidth < 1) expect(Math.abs(error - bandwidth)).toBeLessThan(2e-3);
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });

  it("does not depend on order, reads weights as repetition, takes float32", () => {
    fc.assert(
      fc.property(arbitraryRows, ({ confidence, correct }) => {
        const float32 = Float32Array.from(confidence);
        const once = smoothCalibrationError(Float64Array.from(float32), correct);
        expect(
          smoothCalibrationError(
            float32,
            correct.map((y) => y === 1),
          ),
        ).toEqual(once);
        const reversed = smoothCalibrationError([...float32].reverse(), [...correct].reverse());
        expect(reversed.error).toBeCloseTo(once.error, 6);
        const weights = confidence.map((_, i) => i % 3);
        const repeat = (values: ArrayLike<number>): number[] =>
          Array.from(values).flatMap((value, i) => new Array<number>(weights[i] as number).fill(value));
        const weighted = smoothCalibrationError(float32, correct, { weights });
        expectClose(weighted.error, smoothCalibrationError(repeat(float32), repeat(correct)).error, 6);
      }),
      { numRuns: 30 },
    );
  });

  it("gives the same bits for any split into batches", () => {
    const random = seededRandom(8);
    const confidence = Array.from({ length: 5000 }, () => random());
    const correct = exactRows(confidence, random);
    const grid = new ResidualGrid();
    for (const [start, end] of [
      [0, 1],
      [1, 3333],
      [3333, 5000],
    ] as const) {
      grid.add({ confidence: confidence.slice(start, end), correct: correct.slice(start, end) });
    }
    const { error, bandwidth } = smoothCalibrationError(confidence, correct);
    expect(smoothErrorOfGrid(grid.sums)).toEqual({ error, bandwidth });
  });

  it.each([20, 300])("has a null mean close to that of exact confidences, n = %d", (n) => {
    const random = seededRandom(n);
    const confidence = Array.from({ length: n }, () => random());
    const simulated = simulatedMean(confidence, 150, (correct) => {
      const grid = new ResidualGrid();
      grid.add({ confidence, correct });
      return smoothErrorOfGrid(grid.sums).error;
    });
    const { nullMean } = smoothCalibrationError(confidence, new Uint8Array(n));
    expect(Math.abs(nullMean / simulated - 1)).toBeLessThan(n < 100 ? 0.15 : 0.05);
  });

  it("excludes NaN on request and names bad rows", () => {
    expect(() => smoothCalibrationError([Number.NaN], [1])).toThrow(RangeError);
    expect(() => smoothCalibrationError([0.1, 1.1], [1, 1])).toThrow(
      "confidence[1] must be in [0, 1], got 1.1",
    );
    const { error, reason, n, excluded } = smoothCalibrationError([Number.NaN], [1], { nan: "exclude" });
    expect([error, reason, n, excluded]).toEqual([Number.NaN, "empty", 0, 1]);
  });
});
