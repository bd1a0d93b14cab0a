import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { auroc } from "../../src/metrics/auroc.ts";
import { averagePrecision } from "../../src/metrics/average-precision.ts";
import { brierScore } from "../../src/metrics/brier.ts";
import { confusionMatrix } from "../../src/metrics/confusion.ts";
import { f1Scores } from "../../src/metrics/f1-scores.ts";
import { negativeLogLikelihood } from "../../src/metrics/log-loss.ts";
import { riskCoverage } from "../../src/metrics/risk-coverage.ts";

// biome-ignore lint/suspicious/noExplicitAny: the groups of cases have shapes of their own
type Loose = any;

const golden: Readonly<Record<"ranking" | "fractional" | "probability" | "classes", readonly Loose[]>> =
  JSON.parse(readFileSync(new URL("metrics.json", import.meta.url), "utf8"));

/** JSON has no NaN and no infinities: they are written as text. */
const numbers = (values: readonly unknown[]): number[] => values.map(Number);
const weightsOf = (item: Loose): { weights?: number[] } =>
  item.weight === null ? {} : { weights: item.weight };

function expectAll(actual: Float64Array, expected: readonly unknown[]): void {
  const values = numbers(expected);
  expect(actual.length).toBe(values.length);
  values.forEach((value, i) => {
    if (Number.isNaN(value)) expect(actual[i]).toBeNaN();
    else expect(actual[i]).toBeCloseTo(value, 13);
  });
}

describe("ranking metrics against scikit-learn and the definition", () => {
  it.each(golden.ranking)("$name", (item: Loose) => {
    const scores = numbers(item.score);
    const options = weightsOf(item);
    expect(auroc(scores, item.label, options).auroc).toBeCloseTo(item.auroc, 13);
    const low = auroc(scores, item.label, { ...options, direction: "lower-is-positive" }).auroc;
    expect(low).toBeCloseTo(1 - item.auroc, 13);
    expect(averagePrecision(scores, item.label, options).ap).toBeCloseTo(item.ap, 13);
    const lowAp = averagePrecision(scores, item.label, { ...options, direction: "lower-is-positive" }).ap;
    expect(lowAp).toBeCloseTo(item.ap_low, 13);
    const { aurc, eaurc } = riskCoverage(scores, item.label, options);
    expect(aurc).toBeCloseTo(item.aurc, 13);
    expect(eaurc).toBeCloseTo(item.eaurc, 13);
  });

  it.each(golden.fractional)("$name", (item: Loose) => {
    expect(auroc(item.score, item.label, weightsOf(item)).auroc).toBeCloseTo(item.auroc, 13);
    expect(averagePrecision(item.score, item.label, weightsOf(item)).ap).toBeCloseTo(item.ap, 13);
  });
});

describe("probability metrics against scikit-learn", () => {
  it.each(golden.probability)("$name", (item: Loose) => {
    expect(brierScore(item.p, item.y, weightsOf(item)).brier).toBeCloseTo(item.brier, 14);
    const { nll } = negativeLogLikelihood(item.p, item.y, { ...weightsOf(item), clip: 2 ** -52 });
    expect(nll).toBeCloseTo(item.nll_clipped, 13);
  });
});

describe("confusion matrix and F1 against scikit-learn", () => {
  it.each(golden.classes)("$name", (item: Loose) => {
    const matrix = confusionMatrix(item.truth, item.predicted, {
      classes: item.classes,
      ...weightsOf(item),
    });
    expectAll(matrix.counts, item.counts);
    const scores = f1Scores(matrix);
    expectAll(scores.precision, item.precision);
    expectAll(scores.recall, item.recall);
    expectAll(scores.f1, item.f1);
    expectAll(scores.support, item.support);
    for (const absent of ["zero", "one", "skip", "observed"] as const) {
      expect(f1Scores(matrix, { absent }).macro).toBeCloseTo(item[`macro_${absent}`], 13);
    }
    expect(scores.micro).toBeCloseTo(item.micro, 13);
    expect(scores.weighted).toBeCloseTo(item.weighted, 13);
  });
});
