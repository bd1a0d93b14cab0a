import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalibrantError } from "../../src/errors.ts";
import { seededRandom } from "../../src/math/seeded-random.ts";
import { type CalibrationErrorOptions, calibrationError } from "../../src/metrics/calibration-error.ts";
import { arbitraryRows, expectClose, simulatedMean } from "./confidence-rows.ts";

const settings: readonly CalibrationErrorOptions[] = [
  {},
  { bins: 1 },
  { bins: 4, strategy: "quantile" },
  { norm: "l2", nullResamples: 20 },
  { norm: "l2", debias: true, nullResamples: 20 },
  { norm: "max", strategy: "quantile", nullResamples: 20 },
];

describe("calibrationError", () => {
  it("gives the bins with their means, NaN where a bin is empty", () => {
    const { error, norm, strategy, bins, n, excluded, reason } = calibrationError(
      [0.1, 0.2, 0.25, 0.9],
      [false, true, false, true],
      { bins: 4 },
    );
    expect([norm, strategy, n, excluded, reason]).toEqual(["l1", "uniform", 4, 0, null]);
    expect([...bins.edges]).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect([...bins.count]).toEqual([3, 0, 0, 1]);
    expect(bins.confidence[0]).toBeCloseTo(0.55 / 3, 14);
    expect([...bins.accuracy]).toEqual([1 / 3, Number.NaN, Number.NaN, 1]);
    expect(error).toBeCloseTo((1 - 0.55 + 0.1) / 4, 14);
  });

  it("debiases the squared error as Kumar et al. do", () => {
    const confidence = [0.8, 0.8, 0.8, 0.8, 0.2];
    const { error } = calibrationError(confidence, [1, 1, 0, 0, 1], { norm: "l2", debias: true, bins: 2 });
    expect(error).toBeCloseTo(Math.sqrt((4 / 5) * (0.09 - 0.25 / 3)), 14);
    expect(calibrationError([0.5, 0.5], [0, 1], { norm: "l2", debias: true }).error).toBe(0);
  });

  it("counts weights in float64", () => {
    const { bins } = calibrationError([0.3, 0.3, 0.3], [1, 0, 1], { bins: 1, weights: [2 ** 24, 1, 1] });
    expect(bins.count[0]).toBe(2 ** 24 + 2);
    expect(bins.accuracy[0]).toBe((2 ** 24 + 1) / (2 ** 24 + 2));
  });

  it("calls rows that all weigh 0 empty", () => {
    for (const strategy of ["uniform", "quantile"] as const) {
      const { error, reason, n, nullMean } = calibrationError([0.3, 0.4], [1, 0], {
        strategy,
        weights: [0, 0],
      });
      expect([error, reason, n, nullMean]).toEqual([Number.NaN, "empty", 2, Number.NaN]);
    }
  });

  it("leaves NaN rows out of quantile bins too", () => {
    const rows = { confidence: [0.2, Number.NaN, 0.6, 0.9], correct: [0, 1, 1, 1] };
    const { bins, n, excluded } = calibrationError(rows.confidence, rows.correct, {
      strategy: "quantile",
      bins: 3,
      nan: "exclude",
    });
    expect([n, excluded, ...bins.count]).toEqual([3, 1, 1, 1, 1]);
  });

  it.each([
    [[0.5, 1.5], [1, 0], {}, "confidence[1] must be in [0, 1], got 1.5", RangeError],
    [[0.5, -1e-9], [1, 0], { nan: "exclude" }, "confidence[1] must be in [0, 1], got -1e-9", RangeError],
    [[Number.NaN], [1], {}, 'confidence[0] must be in [0, 1] (or pass nan: "exclude"), got NaN', RangeError],
    [[0.5, 0.5], [1, 2], {}, "correct[1] must be 0, 1, true or false, got 2", CalibrantError],
    [[0.5], [null], {}, "correct[0] must be 0, 1, true or false, got null", CalibrantError],
    [[0.5], [1, 0], {}, "correct must have as many rows as confidence (1), got 2", CalibrantError],
    [[0.5], [1], { weights: [] }, "weights must have as many rows as confidence (1), got 0", CalibrantError],
    [[0.5], [1], { weights: [-1] }, "weights[0] must be finite and not negative, got -1", RangeError],
    [[0.5], [1], { bins: 0 }, "bins must be an integer from 1 to 65535, got 0", CalibrantError],
    [[0.5], [1], { bins: 2.5 }, "bins must be an integer from 1 to 65535, got 2.5", CalibrantError],
    [[0.5], [1], { norm: "l3" }, "norm must be one of l1, l2, max, got l3", CalibrantError],
    [[0.5], [1], { strategy: "kd" }, "strategy must be one of uniform, quantile, got kd", CalibrantError],
    [[0.5], [1], { nan: "skip" }, 'nan must be "throw" or "exclude", got "skip"', CalibrantError],
    [[0.5], [1], { debias: true }, 'debias needs norm "l2", got norm "l1"', CalibrantError],
    [[0.5], [1], { nullResamples: -1 }, "nullResamples must be an integer from 0, got -1", CalibrantError],
  ] as const)("refuses %j %j %j", (confidence, correct, options, message, kind) => {
    const call = (): unknown =>
      calibrationError(confidence, correct as readonly number[], options as CalibrationErrorOptions);
    expect(call).toThrow(kind);
    expect(call).toThrow(message);
    expect(call).toThrow(CalibrantError);
  });

  it("finds a bad row beyond the first block", () => {
    const confidence = new Float64Array(10_000).fill(0.5);
    confidence[7777] = 2;
    expect(() => calibrationError(confidence, new Uint8Array(10_000))).toThrow("confidence[7777]");
  });
});

describe("laws of calibrationError", () => {
  it("is in [0, 1], and l1 <= l2 <= max", () => {
    fc.assert(
      fc.property(
        arbitraryRows,
        fc.constantFrom<"uniform" | "quantile">("uniform", "quantile"),
        (rows, strategy) => {
          const [l1, l2, max] = (["l1", "l2", "max"] as const).map(
            (norm) =>
              calibrationError(rows.confidence, rows.correct, { norm, strategy, nullResamples: 0 }).error,
          ) as [number, number, number];
          expect(l1).toBeGreaterThanOrEqual(0);
          expect(l2).toBeGreaterThanOrEqual(l1 - 1e-12);
          expect(max).toBeGreaterThanOrEqual(l2 - 1e-12);
          expect(max).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it.each(settings)("does not depend on the order of rows %j", (options) => {
    fc.assert(
      fc.property(arbitraryRows, ({ confidence, correct }) => {
        const once = calibrationError(confidence, correct, options);
        const reversed = calibrationError([...confidence].reverse(), [...correct].reverse(), options);
        expect(reversed.error).toBeCloseTo(once.error, 7);
        expect(reversed.bins.count).toEqual(once.bins.count);
      }),
    );
  });

  it.each(settings)("reads a weight as repetition %j", (options) => {
    fc.assert(
      fc.property(arbitraryRows, fc.infiniteStream(fc.integer({ min: 0, max: 4 })), (rows, stream) => {
        const weights = rows.confidence.map(() => stream.next().value as number);
        const repeat = (values: number[]): number[] =>
          values.flatMap((value, i) => new Array<number>(weights[i] as number).fill(value));
        const weighted = calibrationError(rows.confidence, rows.correct, { ...options, weights });
        const repeated = calibrationError(repeat(rows.confidence), repeat(rows.correct), options);
        expect(weighted.bins.edges.length).toBe(
          repeated.n === 0 && options.strategy === "quantile" ? 0 : repeated.bins.edges.length,
        );
        expect(weighted.bins.count).toEqual(repeated.bins.count);
        // The square root of a debiased sum near 0 halves the digits.
        expectClose(weighted.error, repeated.error, options.debias === true ? 6 : 12);
        expectClose(weighted.nullMean, repeated.nullMean, 6);
      }),
    );
  });

  it("is the same for float32 and for float64 of the same values", () => {
    fc.assert(
      fc.property(arbitraryRows, ({ confidence, correct }) => {
        const float32 = Float32Array.from(confidence);
        const expected = calibrationError(Float64Array.from(float32), correct);
        for (const labels of [
          Uint8Array.from(correct),
          correct.map((y) => y === 1),
          Float32Array.from(correct),
        ]) {
          expect(calibrationError(float32, labels)).toEqual(expected);
          expect(calibrationError([...float32], labels)).toEqual(expected);
        }
      }),
    );
  });

  it("does not change when labels are exchanged inside a bin, or its argument ever", () => {
    fc.assert(
      fc.property(arbitraryRows, ({ confidence, correct }) => {
        const before = [[...confidence], [...correct]];
        const { error } = calibrationError(confidence, correct, { bins: 1 });
        const shuffled = calibrationError(confidence, [...correct].sort(), { bins: 1 });
        expect(shuffled.error).toBeCloseTo(error, 12);
        expect([confidence, correct]).toEqual(before);
      }),
    );
  });

  it("does not split ties in quantile bins", () => {
    fc.assert(
      fc.property(arbitraryRows, fc.integer({ min: 1, max: 20 }), ({ confidence, correct }, bins) => {
        const result = calibrationError(confidence, correct, { bins, strategy: "quantile" });
        expect(result.bins.count.length).toBeLessThanOrEqual(bins);
        const { edges, count } = result.bins;
        count.forEach((rows, k) => {
          const [low, high] = [edges[k] as number, edges[k + 1] as number];
          const inside = confidence.filter((p) => (p > low || (k === 0 && p >= low)) && p <= high);
          expect(inside.length).toBe(rows);
        });
      }),
    );
  });
});

describe("nullMean of calibrationError", () => {
  const random = seededRandom(4);
  const confidence = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? random() : 1 - 0.2 * random()));

  it.each<CalibrationErrorOptions>([
    {},
    { strategy: "quantile", bins: 10 },
    { norm: "l2" },
    { norm: "l2", debias: true },
    { norm: "max" },
  ])("is the mean error of exact confidences %j", (options) => {
    const simulated = simulatedMean(
      confidence,
      1500,
      (correct) => calibrationError(confidence, correct, { ...options, nullResamples: 0 }).error,
    );
    const { nullMean } = calibrationError(confidence, new Uint8Array(200), {
      ...options,
      nullResamples: 2000,
    });
    expect(Math.abs(nullMean / simulated - 1)).toBeLessThan(0.05);
  });

  it("stays in [0, 1] for weights that are shares", () => {
    for (const weight of [1e-6, 0.01, 0.3, 1]) {
      for (const norm of ["l1", "l2", "max"] as const) {
        const options = { weights: [weight, weight, weight, weight], norm };
        expect(calibrationError([0.2, 0.4, 0.6, 0.8], [0, 1, 0, 1], options).nullMean).toBeLessThanOrEqual(1);
      }
    }
  });

  it("is exact for one row and for equal confidences", () => {
    expect(calibrationError([0.3], [1]).nullMean).toBeCloseTo(0.42, 14);
    // E|K − 2.8| / 4 for K binomial (4, 0.7).
    const chances = [0.0081, 0.0756, 0.2646, 0.4116, 0.2401];
    const mean = chances.reduce((sum, chance, k) => sum + chance * Math.abs(k - 2.8), 0) / 4;
    expect(calibrationError([0.7, 0.7, 0.7, 0.7], [1, 1, 1, 0]).nullMean).toBeCloseTo(mean, 12);
  });

  it("is the normal value at large n", () => {
    const n = 200_000;
    const many = new Float64Array(n).fill(0.9);
    const { nullMean } = calibrationError(many, new Uint8Array(n));
    expect(nullMean / Math.sqrt((2 / Math.PI) * (0.09 / n))).toBeCloseTo(1, 4);
  });

  it("follows from the seed, and is NaN without draws", () => {
    const at = (seed: number, nullResamples = 50): number =>
      calibrationError(confidence, new Uint8Array(200), { norm: "max", seed, nullResamples }).nullMean;
    expect(at(1)).toBe(at(1));
    expect(at(1)).not.toBe(at(2));
    expect(at(1, 0)).toBeNaN();
  });

  it("is 0 for confidences of 0 and 1", () => {
    expect(calibrationError([0, 1, 1], [0, 1, 1]).nullMean).toBe(0);
  });
});
