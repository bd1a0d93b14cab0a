import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CalibrationIouOptions, calibrationIou } from "../../src/uq/iou/calibration-iou.ts";
import { iouFromCounts } from "../../src/uq/iou/iou-counts.ts";
import { gaussianSample } from "../uq/iou-samples.ts";

const QUIET = { resamples: 0, permutations: 0 } as const;

/** Perplexities in sixteenths: exact in float32, with ties and now and then an infinity. */
const ppl = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 16, max: 160 }).map((n) => n / 16) },
  { weight: 1, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
);
const sample = fc.array(ppl, { minLength: 1, maxLength: 40 });

const every: readonly CalibrationIouOptions[] = [
  {},
  { scale: "identity" },
  { binning: "equal-mass" },
  { range: "minmax", bins: 7 },
  { edges: [1, 2, 3, 5, 8] },
  { normalize: "count" },
  { method: "ks" },
  { method: "kde" },
];
const anyOptions = fc.constantFrom(...every);

/** Everything that does not depend on drawn numbers, with the classes exchanged on demand. */
function numbers(correct: readonly number[], wrong: readonly number[], options: CalibrationIouOptions) {
  const { iou, overlap, ks, iouKs, auroc, bins } = calibrationIou(correct, wrong, { ...QUIET, ...options });
  return { iou, overlap, ks, iouKs, auroc, bins };
}

describe("laws of the calibration IoU", () => {
  it("is symmetric in the classes, exactly", () => {
    fc.assert(
      fc.property(sample, sample, anyOptions, (a, b, options) => {
        const ab = numbers(a, b, options);
        const ba = numbers(b, a, options);
        expect({ ...ba, auroc: 0 }).toEqual({ ...ab, auroc: 0 });
        expect(ba.auroc).toBeCloseTo(1 - ab.auroc, 14);
      }),
    );
  });

  it("is in [0, 1] and IoU = overlap/(2 − overlap)", () => {
    fc.assert(
      fc.property(sample, sample, anyOptions, (a, b, options) => {
        const { iou, overlap } = numbers(a, b, options);
        expect(iou).toBeGreaterThanOrEqual(0);
        expect(iou).toBeLessThanOrEqual(1);
        expect(Math.abs(iou - overlap / (2 - overlap))).toBeLessThan(1e-12);
      }),
    );
  });

  it("is at most the bound from KS when every value has a bin of its own", () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const { iouKs } = numbers(a, b, {});
        const exact = numbers(a, b, {
          scale: "identity",
          edges: Array.from({ length: 147 }, (_v, k) => (k + 15.5) / 16),
        });
        expect(exact.iou).toBeLessThanOrEqual(iouKs + 1e-12);
      }),
    );
  });

  it("does not depend on the order of rows", () => {
    fc.assert(
      fc.property(sample, sample, anyOptions, (a, b, options) => {
        expect(
          numbers(
            [...a].reverse(),
            [...b].sort((x, y) => y - x),
            options,
          ),
        ).toEqual(numbers(a, b, options));
      }),
    );
  });

  it("is 1 for identical samples and 0 for disjoint ones, exactly", () => {
    const finite = fc.array(
      fc.integer({ min: 16, max: 160 }).map((n) => n / 16),
      { minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(finite, (a) => {
        for (const options of every) {
          const { iou } = numbers(a, a, options);
          if (options.method === "kde") expect(iou).toBeCloseTo(1, 12);
          else expect(iou).toBe(1);
        }
        const far = a.map((value) => value + 1e6);
        // An odd number of equal-mass bins has one astride the middle, where the classes meet.
        for (const options of [{}, { binning: "equal-mass", bins: 6 }, { method: "ks" }] as const) {
          expect(numbers(a, far, options)).toMatchObject({ iou: 0, ks: 1, auroc: 1 });
        }
      }),
    );
  });

  it("is the same for any monotone map with equal-mass bins, KS and AUROC, exactly", () => {
    const cube = (values: readonly number[]): number[] => values.map((value) => value ** 3);
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        for (const options of [{ binning: "equal-mass" }, { method: "ks" }] as const) {
          const expected = numbers(a, b, { ...options, scale: "identity" });
          expect(numbers(cube(a), cube(b), { ...options, scale: "identity" })).toEqual(expected);
          expect(numbers(a, b, { ...options, scale: "log" })).toEqual(expected);
        }
      }),
    );
  });

  it("is the same for affine maps on the identity axis, exactly", () => {
    const map = (values: readonly number[]): number[] => values.map((value) => value * 8);
    fc.assert(
      fc.property(sample, sample, fc.integer({ min: 1, max: 12 }), (a, b, bins) => {
        const options = { scale: "identity", bins } as const;
        expect(numbers(map(a), map(b), options)).toEqual(numbers(a, b, options));
        // With a power of two of bins over a power of two of span a shift rounds nothing.
        const span = { scale: "identity", bins: 8 } as const;
        const shift = (values: readonly number[]): number[] => values.map((value) => 4 * value - 32);
        const moved = numbers(shift(a), shift(b), { ...span, range: [-28, 4] });
        expect(moved).toEqual(numbers(a, b, { ...span, range: [1, 9] }));
      }),
    );
  });

  it("takes a row of weight k as k rows", () => {
    const weightedRow = fc.tuple(ppl, fc.integer({ min: 0, max: 4 }));
    const weighted = fc.array(weightedRow, { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(weighted, weighted, anyOptions, (a, b, options) => {
        const values = (list: typeof a): number[] => list.map(([value]) => value);
        const weights = (list: typeof a): number[] => list.map(([, weight]) => weight);
        const repeated = (list: typeof a): number[] =>
          list.flatMap(([value, weight]) => Array.from({ length: weight }, () => value));
        const result = numbers(values(a), values(b), {
          ...options,
          weights: { correct: weights(a), wrong: weights(b) },
        });
        const expected = numbers(repeated(a), repeated(b), options);
        for (const [name, value] of Object.entries(expected)) {
          const own = result[name as keyof typeof result];
          if (Number.isNaN(value)) expect(own).toBeNaN();
          else expect(Math.abs(own - value)).toBeLessThan(1e-12);
        }
      }),
    );
  });

  it("does not change when both samples are doubled at fixed bins", () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        for (const options of [{ bins: 6 }, { edges: [1, 2, 4, 6] }, { method: "ks" }] as const) {
          const { iou } = numbers([...a, ...a], [...b, ...b], options);
          expect(iou).toBeCloseTo(numbers(a, b, options).iou, 13);
        }
      }),
    );
  });

  it("is the same for float32, float64 and plain arrays of the same values", () => {
    fc.assert(
      fc.property(sample, sample, anyOptions, (a, b, options) => {
        const plain = calibrationIou(a, b, { resamples: 20, permutations: 10, ...options });
        const settings = { resamples: 20, permutations: 10, ...options };
        expect(calibrationIou(Float32Array.from(a), Float32Array.from(b), settings)).toEqual(plain);
        expect(calibrationIou(Float64Array.from(a), Float32Array.from(b), settings)).toEqual(plain);
      }),
    );
  });

  it("has an interval around the estimate, the same for a seed", () => {
    fc.assert(
      fc.property(sample, sample, anyOptions, fc.integer({ min: 0, max: 1000 }), (a, b, options, seed) => {
        const settings = { resamples: 30, permutations: 5, ...options, seed };
        const clusters = { correct: a.map((_v, i) => i % 7), wrong: b.map((_v, i) => i % 5) };
        for (const more of [{}, { clusters }]) {
          const result = calibrationIou(a, b, { ...settings, ...more });
          expect(calibrationIou(a, b, { ...settings, ...more })).toEqual(result);
          if (result.interval === null) continue;
          expect(result.interval.low).toBeLessThanOrEqual(result.iou);
          expect(result.interval.high).toBeGreaterThanOrEqual(result.iou);
          expect(result.interval.low).toBeGreaterThanOrEqual(0);
          expect(result.interval.high).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("changes no argument", () => {
    const correct = Float64Array.of(3, 1, 2, Number.NaN);
    const wrong = Float64Array.of(5, 1, 4);
    calibrationIou(correct, wrong, { resamples: 5, permutations: 5 });
    expect([...correct]).toEqual([3, 1, 2, Number.NaN]);
    expect([...wrong]).toEqual([5, 1, 4]);
  });

  it("reads near its null mean, not near 1, for random samples of one distribution", () => {
    for (let seed = 0; seed < 10; seed++) {
      const correct = gaussianSample(200, 0, 2 * seed);
      const wrong = gaussianSample(200, 0, 2 * seed + 1);
      const result = calibrationIou(correct, wrong, { scale: "identity", resamples: 0 });
      expect(result.nullMean).toBeLessThan(0.9);
      expect(Math.abs(result.iou - result.nullMean)).toBeLessThan(0.15);
    }
  });

  it("of counts is symmetric and scale-free by density", () => {
    const counts = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 9 }), (list, times) => {
        const a = list.map(([x]) => x);
        const b = list.map(([, y]) => y);
        expect(iouFromCounts(b, a)).toEqual(iouFromCounts(a, b));
        const { iou } = iouFromCounts(a, b);
        const scaled = iouFromCounts(
          a.map((x) => x * times),
          b,
        ).iou;
        if (Number.isNaN(iou)) expect(scaled).toBeNaN();
        else expect(scaled).toBeCloseTo(iou, 13);
      }),
    );
  });
});
