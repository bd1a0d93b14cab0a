import { describe, expect, it } from "vitest";
import { CalibrantRangeError } from "../../../src/errors.ts";
import { calibrationIou } from "../../../src/uq/iou/calibration-iou.ts";
import { compareCalibrationIou, type IouRun } from "../../../src/uq/iou/compare-iou.ts";
import { seededGaussian } from "../iou-samples.ts";

const SCORE = { scale: "identity" } as const;

/** A run over prompts with a difficulty each: wrong rows lie `shift` above correct ones. */
function runOver(difficulties: readonly number[], shift: number, seed: number, firstPrompt: number = 0) {
  const gaussian = seededGaussian(seed);
  const run = { correct: [] as number[], wrong: [] as number[] };
  const clusters = { correct: [] as number[], wrong: [] as number[] };
  for (const [prompt, difficulty] of difficulties.entries()) {
    for (let k = 0; k < 6; k++) {
      const side = gaussian() > 0 ? "correct" : "wrong";
      run[side].push(difficulty + (side === "wrong" ? shift : 0) + gaussian());
      clusters[side].push(firstPrompt + prompt);
    }
  }
  return { ...run, clusters };
}

function difficultiesOf(count: number, seed: number): number[] {
  const gaussian = seededGaussian(seed);
  return Array.from({ length: count }, () => 0.7 * gaussian());
}

describe("compareCalibrationIou", () => {
  const difficulties = difficultiesOf(200, 1);

  it("finds a real difference beyond noise, and says so", () => {
    const result = compareCalibrationIou(runOver(difficulties, 0.3, 2), runOver(difficulties, 2, 3), SCORE);
    expect(result.beyondNoise).toBe(true);
    expect(result.difference).toBe(result.candidate - result.baseline);
    expect(result.high).toBeLessThan(0);
    expect(result.low).toBeLessThan(result.difference);
    expect(result.prompts).toEqual({ shared: 200, baselineOnly: 0, candidateOnly: 0 });
    expect(result.paired).toBe(true);
    expect(result.sentence).toMatch(
      /^The calibration IoU goes from 0\.\d{3} to 0\.\d{3}, a difference of −0\.\d{3} \(95 % interval −0\.\d{3} to −0\.\d{3}\): beyond noise, the candidate separates right and wrong decisions better\.$/,
    );
    const reversed = compareCalibrationIou(runOver(difficulties, 2, 3), runOver(difficulties, 0.3, 2), SCORE);
    expect(reversed.sentence).toMatch(/beyond noise, the candidate .* worse\.$/);
    expect(reversed.difference).toBeCloseTo(-result.difference, 14);
  });

  it("measures both runs in the same bins", () => {
    const baseline = runOver(difficulties, 1, 2);
    const candidate = runOver(difficulties, 2, 3);
    const result = compareCalibrationIou(baseline, candidate, { ...SCORE, resamples: 0 });
    const own = { edges: result.edges, resamples: 0, permutations: 0 };
    expect(result.baseline).toBe(calibrationIou(baseline.correct, baseline.wrong, own).iou);
    expect(result.candidate).toBe(calibrationIou(candidate.correct, candidate.wrong, own).iou);
    expect([result.low, result.beyondNoise]).toEqual([NaN, null]);
    expect(result.sentence).toMatch(/, without an interval\.$/);
  });

  it("rarely takes noise for a difference", () => {
    let alarms = 0;
    for (let seed = 0; seed < 60; seed++) {
      const own = difficultiesOf(120, 100 + seed);
      const options = { ...SCORE, resamples: 200, seed };
      const result = compareCalibrationIou(
        runOver(own, 1, 1000 + seed),
        runOver(own, 1, 2000 + seed),
        options,
      );
      if (result.beyondNoise) alarms += 1;
      else expect(result.sentence).toMatch(/: not beyond noise\.$/);
    }
    expect(alarms).toBeLessThanOrEqual(8);
  });

  it("is exactly 0 for a run against itself", () => {
    const run = runOver(difficulties, 1, 2);
    const result = compareCalibrationIou(run, run, SCORE);
    expect([result.difference, result.low, result.high, result.beyondNoise]).toEqual([0, 0, 0, false]);
  });

  it("compares the shared prompts only", () => {
    const baseline = runOver(difficulties, 1, 2);
    const candidate = runOver(difficulties.slice(50), 1, 3, 50);
    const extra = runOver(difficulties.slice(0, 10), 9, 4, 500);
    const joined: IouRun = {
      correct: [...candidate.correct, ...extra.correct],
      wrong: [...candidate.wrong, ...extra.wrong],
      clusters: {
        correct: [...candidate.clusters.correct, ...extra.clusters.correct],
        wrong: [...candidate.clusters.wrong, ...extra.clusters.wrong],
      },
    };
    const result = compareCalibrationIou(baseline, joined, { ...SCORE, resamples: 50 });
    expect(result.prompts).toEqual({ shared: 150, baselineOnly: 50, candidateOnly: 10 });
    const without = compareCalibrationIou(baseline, candidate, { ...SCORE, resamples: 50 });
    expect(result.candidate).toBe(without.candidate);
    expect(result.baseline).toBe(without.baseline);
  });

  it("says when nothing can be compared", () => {
    const baseline = runOver(difficulties.slice(0, 5), 1, 2);
    const apart = compareCalibrationIou(baseline, runOver(difficulties.slice(0, 5), 1, 2, 10), SCORE);
    expect(apart).toMatchObject({ difference: NaN, reason: "no-shared-prompts", beyondNoise: null });
    expect(apart.sentence).toBe("The runs share no prompt, so their calibration IoU cannot be compared.");
    const empty = compareCalibrationIou({ correct: [1, 2], wrong: [] }, { correct: [1], wrong: [2] });
    expect(empty).toMatchObject({ baseline: NaN, difference: NaN, reason: "empty", low: NaN });
    expect(empty.sentence).toMatch(/^A run lacks correct or wrong rows/);
  });

  it("resamples the runs apart without clusters in both", () => {
    const hard = difficultiesOf(150, 9).map((value) => 4 * value);
    const baseline = runOver(hard, 2, 2);
    const candidate = runOver(hard, 2.5, 3);
    const paired = compareCalibrationIou(baseline, candidate, SCORE);
    const loose: IouRun = { correct: candidate.correct, wrong: candidate.wrong };
    const apart = compareCalibrationIou(baseline, loose, SCORE);
    expect(apart.paired).toBe(false);
    expect(apart.prompts).toEqual({ shared: 0, baselineOnly: 0, candidateOnly: 0 });
    expect(apart.difference).toBe(paired.difference);
    expect(apart.low).toBeLessThan(apart.difference);
  });

  it("takes weights, methods and given edges, and is the same for a seed", () => {
    const baseline = runOver(difficulties, 1, 2);
    const candidate = { ...runOver(difficulties, 2, 3), weights: {} };
    const ones = { correct: candidate.correct.map(() => 1), wrong: candidate.wrong.map(() => 1) };
    for (const options of [
      {},
      { method: "ks" },
      { method: "kde" },
      { edges: [-2, -1, 0, 1, 2, 4] },
    ] as const) {
      const settings = { ...SCORE, ...options, resamples: 40, seed: 5 };
      const result = compareCalibrationIou(baseline, candidate, settings);
      expect(compareCalibrationIou(baseline, candidate, settings)).toEqual(result);
      const weighted = compareCalibrationIou(baseline, { ...candidate, weights: ones }, settings);
      expect(weighted.low).toBeCloseTo(result.low, 12);
      expect(result.low).toBeLessThanOrEqual(result.difference);
      expect(result.high).toBeGreaterThanOrEqual(result.difference);
    }
  });

  it("refuses what calibrationIou refuses", () => {
    expect(() => compareCalibrationIou({ correct: [0.5], wrong: [1] }, { correct: [1], wrong: [1] })).toThrow(
      CalibrantRangeError,
    );
    const run = { correct: [1, 2], wrong: [3] };
    expect(() => compareCalibrationIou(run, run, { level: 0 })).toThrow(CalibrantRangeError);
  });
});
