import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auroc } from "../../src/metrics/auroc.ts";
import { averagePrecision } from "../../src/metrics/average-precision.ts";
import { riskCoverage } from "../../src/metrics/risk-coverage.ts";
import type { BinaryLabels, NumericArray } from "../../src/types.ts";
import { isNear, rankingRows, repeated, shuffled } from "./ranking-rows.ts";

type Metric = (scores: NumericArray, labels: BinaryLabels, weights?: NumericArray) => number;

const optional = (weights: NumericArray | undefined): { weights?: NumericArray } =>
  weights === undefined ? {} : { weights };

const METRICS: readonly (readonly [string, Metric])[] = [
  ["auroc", (s, y, w) => auroc(s, y, optional(w)).auroc],
  [
    "auroc, lower is positive",
    (s, y, w) => auroc(s, y, { ...optional(w), direction: "lower-is-positive" }).auroc,
  ],
  ["ap", (s, y, w) => averagePrecision(s, y, optional(w)).ap],
  ["aurc", (s, y, w) => riskCoverage(s, y, optional(w)).aurc],
  ["eaurc", (s, y, w) => riskCoverage(s, y, optional(w)).eaurc],
];

describe.each(METRICS)("laws of %s", (_, metric) => {
  it("lies in [0, 1], or is NaN", () => {
    fc.assert(
      fc.property(rankingRows, ({ scores, labels }) => {
        const value = metric(scores, labels);
        expect(Number.isNaN(value) || (value >= 0 && value <= 1 + 1e-12)).toBe(true);
      }),
    );
  });

  it("is unchanged by a monotone map of the scores", () => {
    fc.assert(
      fc.property(rankingRows, ({ scores, labels }) => {
        // Ranks: a map that neither merges nor splits scores.
        const distinct = [...new Set(scores)].sort((a, b) => (a < b ? -1 : 1));
        const ranks = scores.map((score) => distinct.indexOf(score) * 1000 - 7);
        expect(metric(ranks, labels)).toBe(metric(scores, labels));
      }),
    );
  });

  it("is unchanged by the order of rows", () => {
    fc.assert(
      fc.property(rankingRows, fc.array(fc.double({ noNaN: true })), (rows, keys) => {
        const other = shuffled(rows, keys);
        expect(isNear(metric(other.scores, other.labels), metric(rows.scores, rows.labels), 1e-14)).toBe(
          true,
        );
        const weighted = metric(rows.scores, rows.labels, rows.weights);
        expect(isNear(metric(other.scores, other.labels, other.weights), weighted)).toBe(true);
      }),
    );
  });

  it("counts a row of weight k as k rows", () => {
    fc.assert(
      fc.property(rankingRows, (rows) => {
        const many = repeated(rows);
        const expected = metric(many.scores, many.labels);
        expect(isNear(metric(rows.scores, rows.labels, rows.weights), expected)).toBe(true);
      }),
    );
  });

  it("gives one number for float32, float64, plain arrays and booleans", () => {
    fc.assert(
      fc.property(rankingRows, ({ scores, labels, weights }) => {
        const narrow = Float32Array.from(scores);
        const expected = metric(narrow, labels);
        expect(metric(Float64Array.from(narrow), Uint8Array.from(labels))).toBe(expected);
        expect(
          metric(
            [...narrow],
            labels.map((label) => label === 1),
          ),
        ).toBe(expected);
        const weighted = metric(narrow, Float32Array.from(labels), Uint8Array.from(weights));
        expect(weighted).toBe(metric([...narrow], Int8Array.from(labels), weights));
      }),
    );
  });

  it("leaves its arguments alone", () => {
    const scores = Float64Array.from({ length: 3000 }, (__, i) => (i * 7919) % 3001);
    const labels = Uint8Array.from(scores, (score) => score % 2);
    const before = [scores.slice(), labels.slice()];
    metric(scores, labels);
    metric(scores, labels, new Float32Array(3000).fill(2));
    expect([scores, labels]).toEqual(before);
  });

  it("refuses impossible input in one line", () => {
    expect(() => metric([1, Number.NaN], [0, 1])).toThrow(RangeError);
    expect(() => metric([1, Number.NaN], [0, 1])).toThrow(/\[1\] must be a number.* got NaN$/);
    expect(() => metric([1, null as unknown as number], [0, 1])).toThrow(/got NaN$/);
    expect(() => metric([1, 2], [0, 1], [1, -1])).toThrow(RangeError);
    expect(() => metric([1, 2], [0, 1], [1, -1])).toThrow(
      "weights[1] must be finite and not negative, got -1",
    );
    expect(() => metric([1, 2], [0, 1], [1, Number.POSITIVE_INFINITY])).toThrow(/got Infinity$/);
    expect(() => metric([1, 2], [0, 2])).toThrow(/\[1\] must be 0, 1, true or false, got 2$/);
    expect(() => metric([1, 2], Uint8Array.of(0, 2))).toThrow(/\[1\] must be 0, 1, true or false, got 2$/);
    expect(() => metric([1, 2], [0, null as unknown as number])).toThrow(/got null$/);
    expect(() => metric([1, 2], [0])).toThrow(/must have as many rows as \w+ \(2\), got 1$/);
    expect(() => metric([1, 2], [0, 1], [1])).toThrow(/^weights must have as many rows .* got 1$/);
  });
});
