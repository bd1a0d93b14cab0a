import { describe, expect, it } from "vitest";
import type { ColumnKind, RolloutBatch } from "../../../src/data/columns.ts";
import { batchFromRows } from "../../../src/data/jsonl/rows-columns.ts";
import { calibrationError } from "../../../src/metrics/calibration-error.ts";
import { evaluateBatches } from "../../../src/report/evaluate/evaluate-table.ts";
import { createEvaluator } from "../../../src/report/evaluate/evaluator.ts";
import type { Evaluation } from "../../../src/report/evaluation.ts";
import type { EvaluationOptions } from "../../../src/report/evaluation-options.ts";
import { METRIC_NAMES } from "../../../src/report/metric-info.ts";
import { calibrationIou } from "../../../src/uq/iou/calibration-iou.ts";
import { testNumbers } from "./slice-rows.ts";

type Row = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, ColumnKind>> = {
  ppl: "number",
  correct: "number",
  reward: "number",
  certainty: "number",
  margin: "number",
  w: "number",
  group_id: "key",
  checkpoint: "key",
};

function batches(rows: readonly Row[], size: number = rows.length): RolloutBatch[] {
  const names = Object.keys(KINDS).filter((name) => rows.some((row) => name in row));
  const requests = names.map((name) => ({ name, kind: KINDS[name] as ColumnKind }));
  const starts = Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => i * size);
  return starts.map((start) => batchFromRows(rows.slice(start, start + size), requests, "x.jsonl"));
}

/** Rollouts of `prompts` prompts, eight each: wrong ones `shift` less certain on the axis ln PPL. */
function policy(checkpoint: string, shift: number, seed: number, prompts = 100): Row[] {
  const noise = testNumbers(prompts * 8, seed);
  const spread = testNumbers(prompts * 8, seed + 100);
  return noise.map((value, row) => {
    const correct = value < 0.6;
    const bell = Math.sqrt(-2 * Math.log(1 - (spread[row] as number))) * 0.2;
    const nll = bell + (correct ? 0 : shift);
    return {
      ppl: Math.exp(nll),
      correct,
      reward: correct ? 3 : 1,
      margin: shift,
      certainty: 0.5 + shift / 2,
      group_id: `p${Math.floor(row / 8)}`,
      checkpoint,
    };
  });
}

const RUNS = [...policy("base", 0.1, 1), ...policy("trust", 0.5, 2)];
const QUICK = { resamples: 200, permutations: 50 } as const;
const run = (rows: readonly Row[], options: EvaluationOptions = {}, size?: number): Evaluation =>
  evaluateBatches(batches(rows, size), { ...QUICK, ...options });

describe("createEvaluator", () => {
  it("computes the metrics of the kernels, with an interval around each", () => {
    const { overall } = run(RUNS);
    const side = (correct: boolean): number[] =>
      RUNS.filter((row) => row.correct === correct).map((row) => row.ppl as number);
    const iou = calibrationIou(side(true), side(false), { resamples: 0, permutations: 0 });
    expect(overall.metrics.iou.value).toBeCloseTo(iou.iou, 12);
    expect(overall.metrics.auroc.value).toBeCloseTo(iou.auroc, 12);
    const ece = calibrationError(
      RUNS.map((row) => 1 / (row.ppl as number)),
      RUNS.map((row) => row.correct as boolean),
    );
    expect(overall.metrics.ece.value).toBeCloseTo(ece.error, 12);
    expect(overall.reliability.nullMean).toBeCloseTo(ece.nullMean, 12);
    expect([overall.rows, overall.correct + overall.wrong, overall.clusters]).toEqual([1600, 1600, 100]);
    for (const name of METRIC_NAMES) {
      const { value, low, high, reason } = overall.metrics[name];
      expect(reason, name).toBeNull();
      expect(low, name).toBeLessThanOrEqual(value);
      expect(high, name).toBeGreaterThanOrEqual(value);
      expect(high - low, name).toBeLessThan(0.5);
    }
  });

  it("slices by columns with shared edges; the parts add up", () => {
    const { slices, overall, iou } = run(RUNS, { by: ["checkpoint"] });
    expect(slices.map(({ label, key }) => [label, key.checkpoint])).toEqual([
      ["base", "base"],
      ["trust", "trust"],
    ]);
    expect(slices.map(({ histogram }) => histogram.correct.length)).toEqual([
      iou.edges.length - 1,
      iou.edges.length - 1,
    ]);
    overall.histogram.correct.forEach((count, bin) => {
      expect(count).toBe(slices.reduce((sum, slice) => sum + (slice.histogram.correct[bin] as number), 0));
    });
    const [base, trust] = slices.map((slice) => slice.metrics.iou.value) as [number, number];
    expect(base).toBeGreaterThan(trust + 0.2);
  });

  it("does not depend on the split into batches, to the last bit", () => {
    const options = { by: ["checkpoint"], baseline: { value: "base" } };
    expect(run(RUNS, options, 7)).toEqual(run(RUNS, options));
  });

  it("gives the same numbers for rows in another order", () => {
    const turned = [...RUNS].reverse();
    const [a, b] = [run(RUNS).overall, run(turned).overall];
    for (const name of METRIC_NAMES)
      expect(b.metrics[name].value, name).toBeCloseTo(a.metrics[name].value, 10);
    expect(b.histogram).toEqual(a.histogram);
  });

  it("counts a row of weight k as k rows", () => {
    const weights = testNumbers(RUNS.length, 9).map((value) => Math.floor(value * 3));
    const weighted = RUNS.map((row, i) => ({ ...row, w: weights[i] }));
    const repeated = RUNS.flatMap((row, i) => Array.from({ length: weights[i] as number }, () => row));
    const a = run(weighted, { weight: "w", permutations: 0 }).overall.metrics;
    const b = run(repeated, { permutations: 0 }).overall.metrics;
    for (const name of METRIC_NAMES) expect(a[name].value, name).toBeCloseTo(b[name].value, 9);
    for (const name of ["iou", "accuracy", "ece", "auroc"] as const) {
      expect(a[name].low, name).toBeCloseTo(b[name].low, 2);
      expect(a[name].high, name).toBeCloseTo(b[name].high, 2);
    }
  });

  it("counts what it leaves out, and why", () => {
    const rows = [
      ...policy("base", 0.4, 1, 20),
      { ppl: null, correct: true, group_id: "a", checkpoint: "base" },
      { ppl: 2, correct: null, group_id: "a", checkpoint: "base" },
      { ppl: 2, correct: null, group_id: null, checkpoint: "base" },
    ];
    const { overall } = run(rows);
    expect(overall.rows).toBe(163);
    expect(overall.correct + overall.wrong).toBe(160);
    expect(overall.excluded).toEqual({
      "correctness unknown": 2,
      "uncertainty missing": 1,
    });
  });

  it("compares runs on shared prompts and says whether the difference is beyond noise", () => {
    const rows = [...policy("base", 0.1, 1), ...policy("trust", 0.5, 2), ...policy("again", 0.1, 3, 90)];
    const { comparisons } = run(rows, { by: ["checkpoint"], baseline: { value: "base" } });
    expect(comparisons.map(({ baseline, candidate }) => [baseline, candidate])).toEqual([
      ["base", "trust"],
      ["base", "again"],
    ]);
    const [trust, again] = comparisons;
    expect(trust?.deltas.iou?.verdict).toBe("beyond noise");
    expect(trust?.deltas.iou?.sentence).toMatch(
      /^Calibration IoU of trust against base: 0\.\d{3} to 0\.\d{3}, Δ −0\.\d{3} \[−0\.\d{3}, −0\.\d{3}\]: beyond noise, better\.$/,
    );
    expect(again?.deltas.iou?.verdict).toBe("not beyond noise");
    expect(again?.prompts).toEqual({ shared: 90, baselineOnly: 10, candidateOnly: 0 });
    // A run against itself differs by nothing.
    const same = run([...policy("a", 0.5, 4), ...policy("b", 0.5, 4)], {
      by: ["checkpoint"],
      baseline: { value: "a" },
    }).comparisons[0]?.deltas.iou;
    expect([same?.value, same?.low, same?.high, same?.verdict]).toEqual([0, 0, 0, "not beyond noise"]);
  });

  it("gives no verdict from fewer than ten shared prompts", () => {
    const rows = [...policy("base", 0.1, 1, 40), ...policy("trust", 0.5, 2, 9)];
    const [comparison] = run(rows, { by: ["checkpoint"], baseline: { value: "base" } }).comparisons;
    expect(comparison?.prompts.shared).toBe(9);
    for (const { verdict } of Object.values(comparison?.deltas ?? {})) expect(verdict).toBe("undetermined");
    expect(comparison?.deltas.accuracy?.sentence).toMatch(
      /no verdict from 9 independent units, fewer than 10\.$/,
    );
  });

  it("gives no interval for one prompt, rather than one of no width", () => {
    const { overall } = run(policy("a", 0.4, 1, 1));
    expect(overall.metrics.iou.value).toBeGreaterThanOrEqual(0);
    for (const name of METRIC_NAMES.filter((metric) => metric !== "accuracy")) {
      expect(overall.metrics[name].low, name).toBeNaN();
    }
    expect(overall.flags.map(({ code }) => code)).toContain("few-units");
  });

  it("sees no difference between the same rows in another order", () => {
    const rows = policy("a", 0.3, 5, 30);
    const turned = [...rows].reverse().map((row) => ({ ...row, checkpoint: "b" }));
    const [comparison] = run([...rows, ...turned], {
      by: ["checkpoint"],
      baseline: { value: "a" },
    }).comparisons;
    for (const [name, { verdict }] of Object.entries(comparison?.deltas ?? {})) {
      expect(verdict, name).toBe("not beyond noise");
    }
  });

  it("takes 1 / PPL for the confidence to the last bit: a perplexity of 3 is in the bin that ends at one third", () => {
    const rows = [3, 1.5, 6, 1.4].map((ppl) => ({ ppl, correct: true, group_id: "a" }));
    const { reliability } = run(rows, { resamples: 0 }).overall;
    expect(reliability.count.flatMap((count, bin) => (count > 0 ? [bin] : []))).toEqual([2, 4, 9, 10]);
  });

  it("calls slices of a column of booleans true and false", () => {
    const found = [
      { name: "ppl", type: "double", kinds: ["number"] },
      { name: "correct", type: "bool", kinds: ["number"] },
      { name: "tuned", type: "bool", kinds: ["number"] },
    ] as const;
    const evaluator = createEvaluator([found], { by: ["tuned"], ...QUICK });
    const rows = [true, false, true].map((tuned) => ({ ppl: 1.5, correct: true, tuned }));
    evaluator.add(
      batchFromRows(
        rows,
        found.map(({ name }) => ({ name, kind: "number" })),
        "x",
      ),
      "x",
    );
    expect(evaluator.finish().slices.map(({ label, rows }) => [label, rows])).toEqual([
      ["true", 2],
      ["false", 1],
    ]);
  });

  it("names the values when no slice is the baseline", () => {
    expect(() => run(RUNS, { by: ["checkpoint"], baseline: { value: "sft" } })).toThrow(
      /baseline must be a value of checkpoint \(base, trust\), got sft/,
    );
  });

  it("fits confidences without evaluating on the fitting rows", () => {
    const before = run(RUNS).overall.metrics;
    // Temperature scaling has one parameter, which serves the likelihood and not the ECE.
    for (const [confidence, metric] of [
      ["platt", "ece"],
      ["isotonic", "ece"],
      ["temperature", "nll"],
    ] as const) {
      const { overall, columns } = run(RUNS, { confidence });
      expect(overall.metrics[metric].value, confidence).toBeLessThan(before[metric].value);
      expect(overall.metrics.iou.value).toBe(before.iou.value);
      expect(columns.confidence).toMatch(/fitted over all slices together/);
    }
  });

  it("gives no interval without resamples and no null without permutations", () => {
    const { overall } = run(RUNS, { resamples: 0, permutations: 0, cluster: null });
    expect(overall.metrics.iou.low).toBeNaN();
    expect(overall.iouNull.mean).toBeNaN();
    // Wilson's interval needs no resamples.
    expect(overall.metrics.accuracy.low).toBeGreaterThan(0.5);
  });

  it.each([
    ["one class", policy("a", 0.4, 1, 5).map((row) => ({ ...row, correct: true })), "single-class"],
    ["all equal", policy("a", 0.4, 1, 5).map((row) => ({ ...row, ppl: 1.5 })), "one-bin"],
    ["all infinite", policy("a", 0.4, 1, 5).map((row) => ({ ...row, ppl: "Infinity" })), "infinite"],
    ["no usable row", [{ ppl: null, correct: null, group_id: "a" }], "empty"],
    ["ten rows", policy("a", 0.4, 1, 2).slice(0, 10), "small-n"],
  ])("survives degenerate input: %s", (_, rows, flag) => {
    const { overall } = run(rows);
    expect(overall.flags.map(({ code }) => code)).toContain(flag);
    expect(
      Object.values(overall.metrics).every(({ value, reason }) => Number.isNaN(value) === (reason !== null)),
    ).toBe(true);
  });
});
