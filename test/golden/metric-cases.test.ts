import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sortedCopy } from "../../src/math/sort-numbers.ts";
import { compareSorted } from "../../src/math/two-samples.ts";
import { auroc } from "../../src/metrics/auroc.ts";
import { averagePrecision } from "../../src/metrics/average-precision.ts";
import { brierScore, brierScoreMulticlass } from "../../src/metrics/brier.ts";
import { confusionMatrix } from "../../src/metrics/confusion.ts";
import { type AbsentClass, f1Scores } from "../../src/metrics/f1-scores.ts";
import { negativeLogLikelihood } from "../../src/metrics/log-loss.ts";
import { riskCoverage } from "../../src/metrics/risk-coverage.ts";

const FOLDER = new URL("../../../shared/cases/uq/", import.meta.url);
const present = existsSync(FOLDER);

// biome-ignore lint/suspicious/noExplicitAny: every case has a shape of its own
type Loose = any;

const read = (name: string): Loose =>
  present ? JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) : [];
const cases: readonly Loose[] = read("cal_cases.json");
const caseOf = (id: string): Loose => cases.find((item) => item.id === id);

/** JSON has no NaN: the cases write it as text. */
const numbers = (values: readonly unknown[]): number[] => values.map(Number);

/** All orders of 0 … n − 1. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((order) =>
    Array.from({ length: n }, (_, at) => [...order.slice(0, at), n - 1, ...order.slice(at)]),
  );
}

describe.skipIf(!present)("public cases of ranking and probability metrics", () => {
  it("K12: AUROC of large logits uses their order", () => {
    const { input, expected } = caseOf("K12");
    expect(auroc(input.score, input.y).auroc).toBeCloseTo(expected.auroc, 14);
  });

  it("K14: one class has no AUROC, but an AURC", () => {
    const { input, expected } = caseOf("K14");
    const { auroc: value, reason } = auroc(input.score, input.y);
    expect([value, reason]).toEqual([Number.NaN, expected.reason]);
    const wrong = input.y.map((correct: number) => 1 - correct);
    expect(riskCoverage(input.score, wrong).aurc).toBe(expected.aurc);
  });

  it("K15: NaN scores are refused", () => {
    const { input } = caseOf("K15");
    expect(() => auroc(numbers(input.score), input.y)).toThrow(RangeError);
    expect(() => auroc(numbers(input.score), input.y)).toThrow(/^scores\[0\]/);
    expect(() => averagePrecision(numbers(input.score), input.y)).toThrow(RangeError);
    expect(() => riskCoverage(numbers(input.score), input.y)).toThrow(RangeError);
  });

  it("K17: average precision of ties does not depend on the order of rows", () => {
    const { input, expected } = caseOf("K17");
    for (const order of orders(input.y.length)) {
      const y = order.map((i) => input.y[i]);
      expect(averagePrecision(input.score, y).ap).toBe(expected.ap);
    }
  });

  it("K20: ties between classes count one half", () => {
    const { input, expected } = caseOf("K20");
    expect(auroc(input.score, input.y).auroc).toBe(expected.auroc);
  });

  it("K21: AURC of ties does not depend on the order of rows", () => {
    const { input, expected } = caseOf("K21");
    for (const order of orders(input.wrong.length)) {
      const wrong = order.map((i) => input.wrong[i]);
      expect(riskCoverage(input.uncertainty, wrong).aurc).toBe(expected.aurc);
    }
  });

  it("K24: NLL is infinite at p = 0 unless clipped", () => {
    const { input, expected } = caseOf("K24");
    expect(negativeLogLikelihood(input.p, input.y).nll).toBe(Number(expected.nll));
    const clipped = expected["clipped_eps_2.2e-16"];
    expect(negativeLogLikelihood(input.p, input.y, { clip: 2 ** -52 }).nll).toBeCloseTo(clipped, 12);
  });

  it("K25: the positive class of the Brier score is 1 whatever labels occur", () => {
    const { input, expected } = caseOf("K25");
    expect(brierScore(input.p, input.y).brier).toBeCloseTo(expected.brier, 15);
  });

  it("K26: the Brier score of several classes by both scales", () => {
    const { input, expected } = caseOf("K26");
    const score = (scale: "sum" | "half"): number =>
      brierScoreMulticlass(input.p.flat(), input.p[0].length, input.y, { scale }).brier;
    expect(score("sum")).toBe(expected.brier_sum);
    expect(score("half")).toBe(expected.brier_half);
    expect(brierScoreMulticlass([0.9, 0.1], 2, [0], { scale: "half" }).brier).toBeCloseTo(0.01, 15);
  });

  it("K27: macro-F1 with an absent class", () => {
    const { input, expected } = caseOf("K27");
    const matrix = confusionMatrix(input.y_true, input.y_pred, { labels: input.labels });
    expect(Array.from(f1Scores(matrix).f1)).toEqual(numbers(expected.per_class));
    const names: readonly (readonly [AbsentClass, string])[] = [
      ["zero", "macro_zero"],
      ["skip", "macro_skip_absent"],
      ["one", "macro_one"],
      ["observed", "macro_observed_labels"],
    ];
    for (const [absent, name] of names) {
      expect(f1Scores(matrix, { absent }).macro, name).toBeCloseTo(expected[name], 14);
    }
  });
});

describe.skipIf(!present)("golden_1000", () => {
  const { p, y, expected } = read("golden_1000.json") as Loose;
  const wrong = (): number[] => y.map((correct: number) => 1 - correct);

  it.each([
    ["plain arrays", (values: number[]) => values],
    ["float64", (values: number[]) => Float64Array.from(values)],
  ])("agrees to 1e-12: %s", (_, array) => {
    const scores = array(p);
    expect(auroc(scores, y).auroc).toBeCloseTo(expected.auroc, 12);
    expect(averagePrecision(scores, y).ap).toBeCloseTo(expected.ap, 12);
    expect(brierScore(scores, y).brier).toBeCloseTo(expected.brier, 12);
    expect(negativeLogLikelihood(scores, y).nll).toBeCloseTo(expected.nll, 12);
    const uncertainty = array(p.map((confidence: number) => 1 - confidence));
    expect(riskCoverage(uncertainty, wrong()).aurc).toBeCloseTo(expected.aurc, 12);
  });

  it("agrees on the Kolmogorov–Smirnov distance", () => {
    const of = (label: number): Float64Array | Float32Array =>
      sortedCopy(p.filter((_: number, i: number) => y[i] === label));
    expect(compareSorted(of(0), of(1)).ks).toBeCloseTo(expected.ks, 12);
  });
});
