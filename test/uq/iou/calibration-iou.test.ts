import { describe, expect, it } from "vitest";
import { CalibrantError, CalibrantRangeError } from "../../../src/errors.ts";
import { seededRandom } from "../../../src/math/seeded-random.ts";
import { type CalibrationIouOptions, calibrationIou } from "../../../src/uq/iou/calibration-iou.ts";
import { IOU_FLAGS } from "../../../src/uq/iou/iou-estimate.ts";
import { gaussianGrid, gaussianSample, seededGaussian } from "../iou-samples.ts";

const INF = Number.POSITIVE_INFINITY;
const PLAIN = { resamples: 0, permutations: 0 } as const;
const SCORE = { ...PLAIN, scale: "identity" } as const;

describe("two Gaussians", () => {
  const n = 20_000;
  const shifts = [
    [0.5, 0.67027],
    [1, 0.44621],
    [2, 0.18857],
    [3, 0.07159],
  ] as const;

  it.each(shifts)("shifted by %d have the IoU %d", (d, iou) => {
    const result = calibrationIou(gaussianGrid(n, 0), gaussianGrid(n, d), SCORE);
    expect(Math.abs(result.iou - iou)).toBeLessThan(0.002);
    expect(Math.abs(result.iouKs - iou)).toBeLessThan(0.0002);
    for (const options of [{ binning: "equal-mass" }, { method: "kde" }] as const) {
      const other = calibrationIou(gaussianGrid(n, 0), gaussianGrid(n, d), { ...SCORE, ...options });
      expect(Math.abs(other.iou - iou)).toBeLessThan(0.01);
    }
  });

  it("of spread 1 and 2 have the IoU 0.51209, and KS is only an upper bound", () => {
    const result = calibrationIou(gaussianGrid(n, 0), gaussianGrid(n, 0, 2), SCORE);
    expect(Math.abs(result.iou - 0.51209)).toBeLessThan(0.005);
    expect(result.iouKs).toBeGreaterThan(0.7);
    expect(result.auroc).toBeCloseTo(0.5, 10);
  });

  it("are ranked with AUROC Φ(d/√2)", () => {
    expect(calibrationIou(gaussianGrid(2000, 0), gaussianGrid(2000, 1), SCORE).auroc).toBeCloseTo(0.76025, 4);
  });
});

describe("the log axis", () => {
  it("is the identity axis of ln PPL", () => {
    const x = gaussianSample(500, 2, 1).map((value) => Math.abs(value));
    const y = gaussianSample(300, 2.5, 2).map((value) => Math.abs(value));
    const log = calibrationIou(x.map(Math.exp), y.map(Math.exp), PLAIN);
    const identity = calibrationIou(x, y, SCORE);
    expect(log.iou).toBeCloseTo(identity.iou, 12);
    expect(log.edges[3]).toBeCloseTo(identity.edges[3] as number, 12);
    expect(log.edgesPpl?.[3]).toBeCloseTo(Math.exp(identity.edges[3] as number), 10);
    expect(identity.edgesPpl).toBeNull();
  });

  it("refuses perplexities below 1, naming class, index and value", () => {
    const wrong = [1.2, 0.5];
    expect(() => calibrationIou([1], wrong)).toThrow(CalibrantRangeError);
    expect(() => calibrationIou([1], wrong)).toThrow(RangeError);
    expect(() => calibrationIou([1], wrong)).toThrow(
      /^wrong\[1\] must be a perplexity of at least 1.*got 0\.5$/,
    );
    expect(() => calibrationIou([-INF], [1])).toThrow(/^correct\[0\].*got -Infinity$/);
    expect(calibrationIou([1], wrong, SCORE).n).toEqual({ correct: 1, wrong: 2 });
  });

  it("reads float32 rounding just below 1 as 1", () => {
    const rounded = calibrationIou([1 - 1e-6, 1.5], [1 - 5e-7, 3], PLAIN);
    expect(rounded).toEqual(calibrationIou([1, 1.5], [1, 3], PLAIN));
    expect(() => calibrationIou([1 - 1.1e-6], [1])).toThrow(CalibrantRangeError);
  });
});

describe("missing and infinite rows", () => {
  it("leaves NaN out and counts it", () => {
    const result = calibrationIou([1, Number.NaN, 1.1, 1.2], [3, 3.5, Number.NaN, Number.NaN], PLAIN);
    expect(result.excluded).toEqual({ correct: 1, wrong: 2 });
    expect(result.n).toEqual({ correct: 3, wrong: 2 });
    expect(result.iou).toBe(0);
  });

  it("takes what is no number in a plain array as missing, never as 0", () => {
    const holes = [1, null, undefined, 1.2] as unknown as number[];
    expect(calibrationIou(holes, [2], SCORE).excluded.correct).toBe(2);
  });

  it("counts +Infinity as one cell of its own, beside the last bin", () => {
    const result = calibrationIou([1, 1, 4, INF], [1, INF, INF, INF], { ...PLAIN, bins: 2 });
    expect([...result.counts.correct]).toEqual([2, 1]);
    expect([...result.counts.wrong]).toEqual([1, 0]);
    expect(result.infinite).toEqual({ correct: 1, wrong: 3 });
    expect(result.overlap).toBeCloseTo(0.25 + 0.25, 14);
    expect(result.flags).toContain("infinite");
  });

  it("keeps the edges whatever the number of infinite rows", () => {
    const correct = [1.1, 1.4, 2, 2.5, 3];
    const wrong = [1.3, 2, 4, 5];
    const { edges } = calibrationIou(correct, wrong, PLAIN);
    const many = calibrationIou([...correct, INF, INF, INF], [...wrong, INF], PLAIN);
    expect(many.edges).toEqual(edges);
  });

  it("counts -Infinity apart on the identity axis", () => {
    const result = calibrationIou([-INF, 0, 1], [-INF, 0, INF], SCORE);
    expect(result.negativeInfinite).toEqual({ correct: 1, wrong: 1 });
    expect(result.infinite).toEqual({ correct: 0, wrong: 1 });
    expect(result.overlap).toBeCloseTo(2 / 3, 14);
  });

  it("works without a finite value", () => {
    const { iou, bins, edges } = calibrationIou([INF, INF], [INF]);
    expect({ iou, bins, edges: edges.length }).toEqual({ iou: 1, bins: 0, edges: 0 });
  });

  it("is NaN with reason `empty` for an empty class, and still counts the other", () => {
    const one = calibrationIou([1, 2, 3], []);
    expect(one).toMatchObject({
      iou: NaN,
      overlap: NaN,
      ks: NaN,
      auroc: NaN,
      reason: "empty",
      interval: null,
    });
    expect(one.counts.correct.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(calibrationIou([], [])).toMatchObject({ iou: NaN, reason: "empty", bins: 0 });
    expect(calibrationIou([Number.NaN], [1]).reason).toBe("empty");
  });
});

describe("options", () => {
  it("takes edges in perplexity for the log axis, exactly", () => {
    const result = calibrationIou([1, 1.5, 2, 9], [2, 4, 4.5], { ...PLAIN, edges: [1, 2, 4, 8] });
    expect([...result.counts.correct]).toEqual([2, 1, 1]);
    expect([...result.counts.wrong]).toEqual([0, 1, 2]);
    expect([...(result.edgesPpl as Float64Array)]).toEqual([1, 2, 4, 8]);
    expect(result.edges[1]).toBe(Math.log(2));
  });

  it("has one bin for each whole number with integer bins", () => {
    const result = calibrationIou([0, 0, 1, 3], [1, 3, 3, 3], { ...SCORE, binning: "integer" });
    expect([...result.counts.correct]).toEqual([2, 1, 0, 1]);
    expect([...result.counts.wrong]).toEqual([0, 1, 0, 3]);
    expect([...result.edges]).toEqual([-0.5, 0.5, 1.5, 2.5, 3.5]);
    expect(result.overlap).toBe(0.5);
  });

  it("labels KS as an upper bound", () => {
    const result = calibrationIou([1, 2, 3], [2, 3, 4], { ...SCORE, method: "ks" });
    expect(result.iou).toBe(result.iouKs);
    expect(result.iou).toBeCloseTo(0.5, 14);
    expect(result.overlap).toBeCloseTo(2 / 3, 14);
    expect(result.flags).toEqual(["ks-upper-bound", "small-n"]);
  });

  it("spreads a density estimate over infinite cells too", () => {
    const finite = calibrationIou([1, 2, 3], [1.1, 2.1, 2.9], { ...SCORE, method: "kde" });
    const half = calibrationIou([1, 2, 3, INF, INF, INF], [1.1, 2.1, 2.9], { ...SCORE, method: "kde" });
    expect(finite.overlap).toBeGreaterThan(0.9);
    expect(half.overlap).toBeCloseTo(0.5, 1);
    expect(half.overlap).toBeLessThanOrEqual(0.5);
  });

  it("has IoU = overlap/(2 − overlap) for counts as well", () => {
    const { iou, overlap } = calibrationIou([1, 1, 2], [1, 2, 2, 2, 2], { ...PLAIN, normalize: "count" });
    expect(overlap).toBe(0.5);
    expect(iou).toBeCloseTo(overlap / (2 - overlap), 14);
  });

  const bad: readonly (readonly [string, CalibrationIouOptions])[] = [
    ["scale", { scale: "ln" as "log" }],
    ["bins", { bins: 0 }],
    ["bins", { bins: 2.5 }],
    ["binning", { binning: "quantile" as "uniform" }],
    ["range", { range: "all" as "minmax" }],
    ["range", { range: [3, 1] }],
    ["range", { range: [0, 1] }],
    ["edges", { edges: [1] }],
    ["edges[1]", { edges: [2, 1] }],
    ["edges[0]", { edges: [-1, 1] }],
    ["method", { method: "js" as "ks" }],
    ["normalize", { normalize: "none" as "count" }],
    ["resamples", { resamples: -1 }],
    ["permutations", { permutations: 1.5 }],
    ["seed", { seed: 0.5 }],
    ["level", { level: 1 }],
  ];
  it.each(bad)("refuses a bad %s", (name, options) => {
    let error: unknown;
    try {
      calibrationIou([1, 2], [2, 3], options);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(CalibrantError);
    expect((error as CalibrantError).code).toBe("option");
    expect((error as CalibrantError).message.startsWith(name)).toBe(true);
  });

  it("refuses numbers between the integers for integer bins", () => {
    expect(() => calibrationIou([1, 1.5], [2], { binning: "integer" })).toThrow(
      /^correct must hold whole numbers.*1\.5$/,
    );
  });

  it("refuses weights and clusters that do not fit", () => {
    const weights = { correct: [1, -2] };
    expect(() => calibrationIou([1, 2], [2], { weights })).toThrow(CalibrantRangeError);
    expect(() => calibrationIou([1, 2], [2], { weights })).toThrow(/^weights\.correct\[1\].*-2$/);
    expect(() => calibrationIou([1], [2], { weights: { wrong: [1, 1] } })).toThrow(
      /weights\.wrong .* got 2$/,
    );
    expect(() => calibrationIou([1], [2], { clusters: { correct: [], wrong: [0] } })).toThrow(
      /clusters\.correct/,
    );
  });
});

describe("the null", () => {
  it("of 200 rows a class in 30 bins has the mean 0.69", () => {
    const result = calibrationIou(gaussianSample(200, 0, 1), gaussianSample(200, 0, 2), {
      scale: "identity",
      bins: 30,
      resamples: 0,
      permutations: 2000,
    });
    expect(Math.abs(result.nullMean - 0.69)).toBeLessThan(0.03);
    expect(Math.abs(result.iou - result.nullMean)).toBeLessThan(0.12);
    expect(result.pValue).toBeGreaterThan(0.01);
    expect(result.flags).toContain("ci-unreliable");
  });

  it("has a small p-value for separated classes", () => {
    const result = calibrationIou(gaussianSample(200, 0, 1), gaussianSample(200, 1, 2), SCORE_NULL);
    expect(result.pValue).toBe(1 / 201);
    expect(result.flags).toEqual([]);
  });

  const SCORE_NULL = { scale: "identity", resamples: 0, permutations: 200 } as const;

  it("has uniform p-values for identical distributions", () => {
    const values = Array.from({ length: 200 }, (_value, i) => {
      const correct = gaussianSample(150, 0, 1000 + i);
      const wrong = gaussianSample(80, 0, 5000 + i);
      return calibrationIou(correct, wrong, { ...SCORE_NULL, permutations: 99, seed: i }).pValue;
    });
    const below = (p: number): number => values.filter((value) => value <= p).length / values.length;
    // Four standard errors of a share of 200.
    for (const p of [0.1, 0.25, 0.5, 0.75])
      expect(Math.abs(below(p) - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 200));
  });

  it("of weighted rows is that of repeated rows in the mean", () => {
    const correct = gaussianSample(300, 0, 1);
    const wrong = gaussianSample(200, 0.5, 2);
    const ones = { correct: new Float64Array(300).fill(1), wrong: new Float64Array(200).fill(1) };
    const weighted = calibrationIou(correct, wrong, { ...SCORE_NULL, weights: ones });
    expect(weighted.nullMean).toBe(calibrationIou(correct, wrong, SCORE_NULL).nullMean);
    const uneven = seededRandom(3);
    const weights = { correct: correct.map(() => 0.5 + uneven()), wrong: wrong.map(() => 0.5 + uneven()) };
    const many = calibrationIou(correct, wrong, { ...SCORE_NULL, weights });
    expect(Math.abs(many.nullMean - weighted.nullMean)).toBeLessThan(0.03);
  });
});

describe("the interval", () => {
  /** Share of simulated intervals that contain the IoU 0.44621 of Gaussians shifted by 1. */
  function coverage(runs: number, simulate: (seed: number) => ReturnType<typeof calibrationIou>): number {
    let covered = 0;
    for (let seed = 0; seed < runs; seed++) {
      const { interval } = simulate(seed);
      if (interval !== null && interval.low <= 0.44621 && interval.high >= 0.44621) covered += 1;
    }
    return covered / runs;
  }

  it("covers the true IoU at about its level", () => {
    const share = coverage(150, (seed) =>
      calibrationIou(gaussianSample(400, 0, 2 * seed), gaussianSample(400, 1, 2 * seed + 1), {
        scale: "identity",
        resamples: 200,
        permutations: 0,
        seed,
      }),
    );
    expect(share).toBeGreaterThan(0.9);
  });

  it("covers it with prompts resampled whole, where single rows would be too sure", () => {
    const promptsOf = (seed: number) => {
      const gaussian = seededGaussian(seed);
      const rows = {
        correct: [] as number[],
        wrong: [] as number[],
        codes: { correct: [] as number[], wrong: [] as number[] },
      };
      for (let prompt = 0; prompt < 120; prompt++) {
        const side = gaussian() > 0 ? "correct" : "wrong";
        const effect = 0.95 * gaussian();
        for (let k = 0; k < 8; k++) {
          rows[side].push((side === "wrong" ? 1 : 0) + effect + Math.sqrt(1 - 0.95 ** 2) * gaussian());
          rows.codes[side].push(prompt);
        }
      }
      return rows;
    };
    const options = { scale: "identity", resamples: 200, permutations: 0 } as const;
    const clustered = coverage(100, (seed) => {
      const { correct, wrong, codes } = promptsOf(seed);
      return calibrationIou(correct, wrong, { ...options, seed, clusters: codes });
    });
    const single = coverage(100, (seed) => {
      const { correct, wrong } = promptsOf(seed);
      return calibrationIou(correct, wrong, { ...options, seed });
    });
    expect(clustered).toBeGreaterThan(0.85);
    expect(single).toBeLessThan(0.75);
  });

  it("of rows alone agrees with that of prompts of one row", () => {
    const correct = gaussianSample(600, 0, 1);
    const wrong = gaussianSample(400, 1, 2);
    const clusters = {
      correct: Int32Array.from(correct, (_value, i) => i),
      wrong: Int32Array.from(wrong, (_value, i) => 600 + i),
    };
    const options = { scale: "identity", permutations: 0, resamples: 4000 } as const;
    const rows = calibrationIou(correct, wrong, options);
    const prompts = calibrationIou(correct, wrong, { ...options, clusters });
    expect(rows.clusters).toBe(1000);
    expect(prompts.clusters).toBe(1000);
    for (const end of ["low", "high"] as const) {
      expect(Math.abs((rows.interval?.[end] as number) - (prompts.interval?.[end] as number))).toBeLessThan(
        0.006,
      );
    }
  });

  it("of merged prompts is nearly that of all", () => {
    const correct = gaussianSample(9000, 0, 1);
    const wrong = gaussianSample(9000, 1, 2);
    const codes = Int32Array.from(correct, (_value, i) => i >> 1);
    const options = { scale: "identity", permutations: 0 } as const;
    const merged = calibrationIou(correct, wrong, {
      ...options,
      clusters: { correct: codes, wrong: codes.map((code) => code + 4500) },
    });
    expect(merged.clusters).toBe(9000);
    expect(merged.flags).toEqual(["clusters-merged"]);
    const rows = calibrationIou(correct, wrong, options);
    const width = (result: typeof rows): number =>
      (result.interval?.high as number) - (result.interval?.low as number);
    expect(width(merged) / width(rows)).toBeGreaterThan(0.88);
    expect(width(merged) / width(rows)).toBeLessThan(1.12);
  });

  it("is a point for separated and for constant classes", () => {
    expect(calibrationIou([1, 1.1, 1.2], [3, 3.1, 3.2]).interval).toEqual({ low: 0, high: 0 });
    expect(calibrationIou([2, 2], [2, 2, 2]).interval).toEqual({ low: 1, high: 1 });
  });

  it("is there for every method, around the estimate", () => {
    const correct = gaussianSample(150, 0, 1);
    const wrong = gaussianSample(150, 1, 2);
    for (const options of [
      { method: "ks" },
      { method: "kde" },
      { binning: "equal-mass" },
      { normalize: "count" },
    ] as const) {
      const { iou, interval } = calibrationIou(correct, wrong, { scale: "identity", ...options });
      expect(interval?.low).toBeLessThan(iou);
      expect(interval?.high).toBeGreaterThan(iou);
      expect((interval?.high as number) - (interval?.low as number)).toBeLessThan(0.3);
    }
  });
});

describe("IOU_FLAGS", () => {
  it("says each remark in a sentence", () => {
    for (const text of Object.values(IOU_FLAGS)) expect(text).toMatch(/^[A-Z].*\.$/);
  });
});
