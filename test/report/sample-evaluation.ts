import { EVALUATION_SCHEMA, type Evaluation, type EvaluationSlice } from "../../src/report/evaluation.ts";
import { type SampleClass, type SampleRows, sampleRows } from "./sample-rows.ts";
import { sampleSlice } from "./sample-slice.ts";

interface SampleSource {
  readonly key: Readonly<Record<string, string>>;
  readonly rows: SampleRows;
  readonly excluded?: Readonly<Record<string, number>>;
}

interface SampleSetup {
  readonly edges?: readonly number[];
  readonly scale?: "log" | "identity";
  readonly uncertainty?: string;
  readonly normalize?: "density" | "count";
  readonly margin?: boolean;
}

/**
 * Three checkpoints of one policy, about 2000 rows each: base (IoU .34), decision-only GRPO (.70: more often right,
 * sure of everything) and TRUST (.35: more often right and it knows).
 */
export function sampleEvaluation(): Evaluation {
  const evaluation = evaluationOf([
    { key: { checkpoint: "base" }, rows: baseRows(), excluded: { "uncertainty missing": 12 } },
    { key: { checkpoint: "decision-only GRPO" }, rows: overconfidentRows() },
    {
      key: { checkpoint: "TRUST" },
      rows: trustRows(),
      excluded: { "uncertainty missing": 3, "gold missing": 1 },
    },
  ]);
  return { ...evaluation, comparisons: sampleComparisons(evaluation) };
}

/** Evaluations at the edge of sense, by what is odd about them. All are legal. */
export function degenerateEvaluations(): Readonly<Record<string, Evaluation>> {
  const one = { n: 1, mean: 0.3, sd: 0, marginMean: 0, marginSd: 0 };
  const rowsOf = (correct: SampleClass, wrong: SampleClass): Evaluation =>
    evaluationOf([{ key: {}, rows: sampleRows(correct, wrong) }]);
  return {
    "no slicing": evaluationOf([{ key: {}, rows: baseRows() }]),
    "all correct": rowsOf(classOf(500, 0.3, 0.1), classOf(0, 0, 0)),
    "all wrong": rowsOf(classOf(0, 0, 0), classOf(500, 0.3, 0.1)),
    "all equal": evaluationOf([{ key: {}, rows: sampleRows({ ...one, n: 60 }, { ...one, n: 40 }) }], {
      edges: [0.3, 0.3],
    }),
    "all infinite": evaluationOf(
      [{ key: {}, rows: sampleRows({ ...one, n: 60, infinite: 60 }, { ...one, n: 40, infinite: 40 }) }],
      { edges: [0, 0] },
    ),
    "ten rows": rowsOf(classOf(6, 0.3, 0.1), classOf(4, 0.45, 0.1)),
    "no rows": rowsOf(classOf(0, 0, 0), classOf(0, 0, 0)),
    "two hundred slices": evaluationOf(steps(200, 40)),
    "training steps": evaluationOf(steps(12, 600)),
    "two columns": evaluationOf(twoColumns()),
    "identity scale": evaluationOf([{ key: {}, rows: baseRows() }], {
      scale: "identity",
      uncertainty: "entropy",
      margin: false,
    }),
    counts: evaluationOf([{ key: {}, rows: overconfidentRows() }], { normalize: "count" }),
    "wide range": evaluationOf([{ key: {}, rows: sampleRows(classOf(900, 3, 1.2), classOf(700, 5, 1.5)) }], {
      edges: Array.from({ length: 19 }, (_, i) => i / 2),
    }),
    "many infinite": evaluationOf([
      { key: {}, rows: sampleRows(classOf(900, 0.3, 0.1), { ...classOf(700, 0.5, 0.1), infinite: 300 }) },
    ]),
  };
}

function classOf(n: number, mean: number, sd: number, marginMean = 0.1, infinite = 0): SampleClass {
  return { n, mean, sd, marginMean, marginSd: 0.12, infinite };
}

function baseRows(): SampleRows {
  return sampleRows(classOf(1240, 0.3, 0.1, 0.06), classOf(760, 0.438, 0.106, -0.03, 6));
}

function overconfidentRows(): SampleRows {
  return sampleRows(classOf(1480, 0.18, 0.06, 0.05), classOf(520, 0.207, 0.06, 0.01));
}

function trustRows(): SampleRows {
  return sampleRows(classOf(1560, 0.2, 0.075, 0.16), classOf(440, 0.3, 0.08, -0.04));
}

function steps(count: number, rows: number): SampleSource[] {
  return Array.from({ length: count }, (_, step) => {
    const learnt = 1 - Math.exp((-3 * step) / count);
    const right = Math.round(rows * (0.5 + 0.3 * learnt));
    return {
      key: { step: String(step * 50) },
      rows: sampleRows(
        classOf(right, 0.4 - 0.15 * learnt, 0.1, 0.05 + 0.1 * learnt),
        classOf(rows - right, 0.45, 0.1, -0.02),
      ),
    };
  });
}

function twoColumns(): SampleSource[] {
  const subsets = ["irrelevance", "live_multiple", "missing function"];
  return ["base", "TRUST"].flatMap((checkpoint, i) =>
    subsets.map((subset, j) => ({
      key: { checkpoint, subset },
      rows: sampleRows(
        classOf(200 + 60 * i + 40 * j, 0.3 - 0.05 * i, 0.1),
        classOf(180 - 40 * i, 0.4 + 0.05 * i - 0.02 * j, 0.1),
      ),
    })),
  );
}

function evaluationOf(sources: readonly SampleSource[], setup: SampleSetup = {}): Evaluation {
  const { scale = "log", uncertainty = "ppl", normalize = "density", margin = true } = setup;
  const edges = setup.edges ?? Array.from({ length: 25 }, (_, i) => i / 32);
  const by = Object.keys(sources[0]?.key ?? {});
  const slices = by.length === 0 ? [] : sources.map((source) => sliceOf(source, edges, margin));
  const whole = {
    key: {},
    rows: joinRows(sources.map(({ rows }) => rows)),
    excluded: sumExcluded(sources),
  };
  return {
    schema: EVALUATION_SCHEMA,
    version: "0.1.0",
    title: "Calibration report",
    command: `calibrant report scored.parquet${by.length === 0 ? "" : ` --by ${by.join(",")}`} -o report.html`,
    inputs: ["scored.parquet"],
    seed: 0,
    resamples: 1000,
    permutations: 200,
    level: 0.95,
    columns: {
      uncertainty: `${uncertainty} on the scale ${scale}`,
      correct: "action = gt_action",
      confidence: scale === "log" ? "exp(-nll)" : "platt of entropy",
      cluster: "group_id",
      weight: null,
      by,
      also: margin ? ["certainty", "margin", "reward"] : ["reward"],
    },
    iou: {
      scale,
      method: "histogram",
      normalize,
      edges,
      edgesFrom: `${edges.length - 1} uniform bins over the class-balanced pool of all slices (Rice rule)`,
    },
    overall: sliceOf(whole, edges, margin),
    slices,
    comparisons: [],
    notes: [],
    plots: [],
  };
}

function sliceOf(source: SampleSource, edges: readonly number[], margin: boolean): EvaluationSlice {
  const { key, rows, excluded = {} } = source;
  const label = Object.values(key).join(" / ") || "all rows";
  return sampleSlice({ label, key, edges, margin, excluded }, rows);
}

function joinRows(parts: readonly SampleRows[]): SampleRows {
  return {
    x: Float64Array.from(parts.flatMap(({ x }) => [...x])),
    margin: Float64Array.from(parts.flatMap(({ margin }) => [...margin])),
    correct: Uint8Array.from(parts.flatMap(({ correct }) => [...correct])),
  };
}

function sumExcluded(sources: readonly SampleSource[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { excluded = {} } of sources)
    for (const [reason, n] of Object.entries(excluded)) sums[reason] = (sums[reason] ?? 0) + n;
  return sums;
}

function sampleComparisons({ slices }: Evaluation): Evaluation["comparisons"] {
  const [base, ...others] = slices;
  if (base === undefined) return [];
  return others.map((candidate) => {
    const from = base.metrics.iou.value;
    const to = candidate.metrics.iou.value;
    const [value, low, high] = [to - from, to - from - 0.045, to - from + 0.045];
    const beyond = low > 0 || high < 0;
    const direction = value > 0 ? "higher" : "lower";
    const sentence = beyond
      ? `Calibration IoU of ${candidate.label} is ${direction} than of ${base.label} by ${Math.abs(value).toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]: beyond noise.`
      : `Calibration IoU of ${candidate.label} and of ${base.label} differ by ${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]: not beyond noise.`;
    const verdict = beyond ? ("beyond noise" as const) : ("not beyond noise" as const);
    return {
      baseline: base.label,
      candidate: candidate.label,
      paired: true,
      prompts: { shared: 250, baselineOnly: 0, candidateOnly: 2 },
      deltas: { iou: { baseline: from, candidate: to, value, low, high, verdict, sentence } },
    };
  });
}
