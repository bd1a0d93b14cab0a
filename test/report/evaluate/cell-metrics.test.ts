import { describe, expect, it } from "vitest";
import { averagePrecision } from "../../../src/metrics/average-precision.ts";
import { brierScore } from "../../../src/metrics/brier.ts";
import { calibrationError } from "../../../src/metrics/calibration-error.ts";
import { negativeLogLikelihood } from "../../../src/metrics/log-loss.ts";
import { riskCoverage } from "../../../src/metrics/risk-coverage.ts";
import { smoothCalibrationError } from "../../../src/metrics/smooth-calibration-error.ts";
import { cellLayout } from "../../../src/report/evaluate/cell-layout.ts";
import { cellMetrics } from "../../../src/report/evaluate/cell-metrics.ts";
import type { SliceRows } from "../../../src/report/evaluate/split-rows.ts";
import { unitSums } from "../../../src/report/evaluate/unit-sums.ts";
import { METRIC_NAMES, type MetricName } from "../../../src/report/metric-info.ts";
import { calibrationIou } from "../../../src/uq/iou/calibration-iou.ts";
import { sliceRows, testNumbers } from "./slice-rows.ts";

const EDGES = Float64Array.of(0, 0.25, 0.5, 0.75, 1);

function metricsOf(rows: SliceRows, units = 1, bandwidth = 0.05): Record<MetricName, number> {
  const layout = cellLayout(rows, EDGES, { eceBins: 15, logAxis: false, normalize: "density", bandwidth });
  const unitOf = Int32Array.from({ length: rows.rows }, (_, cluster) => cluster % units);
  const sums = unitSums(rows, layout, unitOf, units, "present");
  const whole = new Float64Array(layout.at.size);
  sums.cells.forEach((cell, i) => {
    whole[cell] = (whole[cell] as number) + (sums.values[i] as number);
  });
  const metrics = cellMetrics(whole, layout);
  return Object.fromEntries(METRIC_NAMES.map((name, i) => [name, metrics[i]])) as Record<MetricName, number>;
}

/** 500 rows of 40 distinct uncertainties: every value has a rank cell of its own. */
const n = 500;
const x = testNumbers(n, 1).map((value) => Math.floor(value * 40) / 40);
const y: readonly number[] = testNumbers(n, 2).map((value, row) => (value > (x[row] as number) ? 1 : 0));
const confidence = testNumbers(n, 3);
const wrong = y.map((label) => 1 - label);
const rows = sliceRows({ x, y, extra: { confidence } });
const side = (label: number): number[] => x.filter((_, row) => y[row] === label);

describe("cellMetrics", () => {
  it("is exact where every value has a cell: the kernels' numbers from sums alone", () => {
    const metrics = metricsOf(rows, 7);
    const iou = calibrationIou(side(1), side(0), {
      scale: "identity",
      edges: EDGES,
      resamples: 0,
      permutations: 0,
    });
    const risk = riskCoverage(x, wrong);
    expect(metrics.iou).toBeCloseTo(iou.iou, 12);
    expect(metrics.overlap).toBeCloseTo(iou.overlap, 12);
    expect(metrics.auroc).toBeCloseTo(iou.auroc, 12);
    expect(metrics.ap).toBeCloseTo(averagePrecision(x, wrong).ap, 12);
    expect(metrics.aurc).toBeCloseTo(risk.aurc, 12);
    expect(metrics.eaurc).toBeCloseTo(risk.eaurc, 12);
    expect(metrics.ece).toBeCloseTo(calibrationError(confidence, y).error, 12);
    expect(metrics.brier).toBeCloseTo(brierScore(confidence, y).brier, 12);
    expect(metrics.nll).toBeCloseTo(negativeLogLikelihood(confidence, y).nll, 12);
    expect(metrics.accuracy).toBeCloseTo(y.reduce((sum, label) => sum + label, 0) / n, 12);
  });

  it("is close where values share cells", () => {
    const fine = testNumbers(5000, 4);
    const labels = testNumbers(5000, 5).map((value, row) => (value > (fine[row] as number) ? 1 : 0));
    const errors = labels.map((label) => 1 - label);
    const metrics = metricsOf(sliceRows({ x: fine, y: labels }));
    const of = (label: number): number[] => fine.filter((_, row) => labels[row] === label);
    const exact = calibrationIou(of(1), of(0), { scale: "identity", resamples: 0, permutations: 0 });
    expect(Math.abs(metrics.auroc - exact.auroc)).toBeLessThan(1e-3);
    expect(Math.abs(metrics.aurc - riskCoverage(fine, errors).aurc)).toBeLessThan(2e-3);
    expect(Math.abs(metrics.ap - averagePrecision(fine, errors).ap)).toBeLessThan(1e-2);
  });

  it("counts a row of weight k as k rows", () => {
    const weights = testNumbers(n, 6).map((value) => Math.floor(value * 4));
    const repeat = <T>(values: readonly T[]): T[] =>
      values.flatMap((value, row) => Array.from({ length: weights[row] as number }, () => value));
    const weighted = metricsOf(sliceRows({ x, y, weights, extra: { confidence, reward: x } }));
    const repeated = metricsOf(
      sliceRows({ x: repeat(x), y: repeat(y), extra: { confidence: repeat(confidence), reward: repeat(x) } }),
    );
    for (const name of METRIC_NAMES.filter((metric) => !metric.startsWith("ppl"))) {
      if (Number.isNaN(repeated[name])) expect(weighted[name], name).toBeNaN();
      else expect(weighted[name], name).toBeCloseTo(repeated[name], 10);
    }
  });

  it("keeps infinities in cells of their own, and survives one class and no rows", () => {
    const infinite = Number.POSITIVE_INFINITY;
    const metrics = metricsOf(sliceRows({ x: [0.9, infinite, 0.1, infinite], y: [1, 1, 0, 0] }));
    expect(metrics.iou).toBeCloseTo(1 / 3, 12);
    expect(metrics.auroc).toBe(0.375);
    const single = metricsOf(sliceRows({ x: [0.1, 0.2], y: [1, 1] }));
    expect([single.accuracy, single.iou, single.auroc, single.aurc]).toEqual([1, Number.NaN, Number.NaN, 0]);
    expect(metricsOf(sliceRows({ x: [], y: [] })).accuracy).toBeNaN();
  });
});

describe("the smooth calibration error of resamples", () => {
  it("is close to the exact one at its bandwidth", () => {
    const p = testNumbers(20_000, 7);
    const labels = testNumbers(20_000, 8).map((value, row) => (value < (p[row] as number) ** 2 ? 1 : 0));
    const exact = smoothCalibrationError(p, labels);
    const probabilities = sliceRows({ x: p, y: labels, extra: { confidence: p } });
    expect(Math.abs(metricsOf(probabilities, 1, exact.bandwidth).smooth_ece - exact.error)).toBeLessThan(
      0.005,
    );
  });
});
