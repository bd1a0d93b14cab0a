import type {
  CertaintyMargin,
  Estimate,
  EvaluationFlag,
  EvaluationSlice,
  Reliability,
  RiskCurve,
  SliceHistogram,
} from "../../src/report/evaluation.ts";
import type { MetricName } from "../../src/report/metric-info.ts";
import type { SampleRows } from "./sample-rows.ts";

const MARGIN_EDGES: readonly number[] = Array.from({ length: 17 }, (_, i) => (i - 6) / 20);

/** What names a slice, and which parts it has. */
export interface SampleSliceHead {
  readonly label: string;
  readonly key: Readonly<Record<string, string>>;
  readonly edges: readonly number[];
  readonly margin?: boolean;
  readonly excluded?: Readonly<Record<string, number>>;
}

/**
 * A slice computed from rows in the plainest way, with intervals of about the right width: for pictures and pages, not
 * as a reference for numbers.
 */
export function sampleSlice(head: SampleSliceHead, rows: SampleRows): EvaluationSlice {
  const { label, key, edges, margin = true, excluded = {} } = head;
  const n = rows.x.length;
  const correct = rows.correct.reduce((sum, value) => sum + value, 0);
  const histogram = histogramOf(rows, edges);
  const confidence = rows.x.map((x) => Math.exp(-x));
  const reliability = reliabilityOf(confidence, rows.correct);
  const riskCurve = riskCurveOf(rows);
  const certaintyMargin = margin && n > 0 ? certaintyMarginOf(rows) : null;
  const metrics = metricsOf(rows, { correct, histogram, confidence, reliability, riskCurve, margin });
  const nullMean =
    correct === 0 || correct === n ? Number.NaN : 1 - 1.6 / Math.sqrt(Math.min(correct, n - correct));
  return {
    label,
    key,
    rows: n + Object.values(excluded).reduce((sum, value) => sum + value, 0),
    correct,
    wrong: n - correct,
    clusters: Math.ceil(n / 8),
    excluded,
    metrics,
    histogram,
    iouNull: { mean: nullMean, pValue: Number.isNaN(nullMean) ? Number.NaN : 1 / 201 },
    reliability,
    riskCurve,
    certaintyMargin,
    flags: flagsOf(correct, n - correct),
  };
}

function flagsOf(correct: number, wrong: number): EvaluationFlag[] {
  if (Math.min(correct, wrong) >= 100) return [];
  const text = `only ${Math.min(correct, wrong)} rows in the smaller class: the IoU of identical classes is far below 1 here`;
  return [{ code: "small-n", text }];
}

function binOf(value: number, edges: readonly number[]): number {
  let bin = edges.length - 2;
  while (bin > 0 && value < (edges[bin] as number)) bin -= 1;
  return bin;
}

function histogramOf(rows: SampleRows, edges: readonly number[]): SliceHistogram {
  const correct: number[] = new Array(edges.length - 1).fill(0);
  const wrong: number[] = new Array(edges.length - 1).fill(0);
  const infinite = { correct: 0, wrong: 0 };
  for (let i = 0; i < rows.x.length; i++) {
    const right = rows.correct[i] === 1;
    if (rows.x[i] === Number.POSITIVE_INFINITY) {
      infinite[right ? "correct" : "wrong"] += 1;
      continue;
    }
    const side = right ? correct : wrong;
    const bin = binOf(rows.x[i] as number, edges);
    side[bin] = (side[bin] as number) + 1;
  }
  return { correct, wrong, infinite };
}

function reliabilityOf(confidence: Float64Array, labels: Uint8Array): Reliability {
  const bins = 15;
  const count: number[] = new Array(bins).fill(0);
  const sum: number[] = new Array(bins).fill(0);
  const right: number[] = new Array(bins).fill(0);
  for (let i = 0; i < confidence.length; i++) {
    const bin = Math.max(0, Math.ceil((confidence[i] as number) * bins) - 1);
    count[bin] = (count[bin] as number) + 1;
    sum[bin] = (sum[bin] as number) + (confidence[i] as number);
    right[bin] = (right[bin] as number) + (labels[i] as number);
  }
  const mean = sum.map((total, bin) => total / (count[bin] as number));
  const half = mean.map((value, bin) => 1.96 * Math.sqrt((value * (1 - value)) / (count[bin] as number)));
  return {
    edges: Array.from({ length: bins + 1 }, (_, k) => k / bins),
    count,
    confidence: mean,
    accuracy: right.map((total, bin) => total / (count[bin] as number)),
    bandLow: mean.map((value, bin) => Math.max(0, value - (half[bin] as number))),
    bandHigh: mean.map((value, bin) => Math.min(1, value + (half[bin] as number))),
    nullMean: 0.8 / Math.sqrt(confidence.length),
  };
}

function riskCurveOf(rows: SampleRows): RiskCurve {
  const n = rows.x.length;
  const order = Array.from(rows.x.keys()).sort((a, b) => ascending(rows.x[a] as number, rows.x[b] as number));
  const points = Math.min(n, 200);
  const curve = { coverage: [] as number[], risk: [] as number[] };
  let wrong = 0;
  let next = 1;
  for (let kept = 1; kept <= n; kept++) {
    wrong += 1 - (rows.correct[order[kept - 1] as number] as number);
    if (kept < Math.round((next * n) / points)) continue;
    curve.coverage.push(kept / n);
    curve.risk.push(wrong / kept);
    next += 1;
  }
  return curve;
}

function ascending(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function certaintyMarginOf(rows: SampleRows): CertaintyMargin {
  const bins = MARGIN_EDGES.length - 1;
  const correct: number[] = new Array(bins).fill(0);
  const wrong: number[] = new Array(bins).fill(0);
  const sum: number[] = new Array(bins).fill(0);
  for (let i = 0; i < rows.x.length; i++) {
    const bin = binOf(rows.margin[i] as number, MARGIN_EDGES);
    const side = rows.correct[i] === 1 ? correct : wrong;
    side[bin] = (side[bin] as number) + 1;
    sum[bin] = (sum[bin] as number) + certaintyOf(rows.margin[i] as number);
  }
  const certainty = sum.map((total, bin) => total / ((correct[bin] as number) + (wrong[bin] as number)));
  return { edges: MARGIN_EDGES, correct, wrong, certainty };
}

function certaintyOf(margin: number): number {
  return 1 / (1 + Math.exp(-margin / 0.1));
}

interface SliceParts {
  readonly correct: number;
  readonly histogram: SliceHistogram;
  readonly confidence: Float64Array;
  readonly reliability: Reliability;
  readonly riskCurve: RiskCurve;
  readonly margin: boolean;
}

function metricsOf(rows: SampleRows, parts: SliceParts): Record<MetricName, Estimate> {
  const n = rows.x.length;
  const accuracy = parts.correct / n;
  const { min, max } = overlapOf(parts.histogram, parts.correct, n - parts.correct);
  const aurc = mean(parts.riskCurve.risk);
  const classes = parts.correct === 0 || parts.correct === n ? "single-class" : null;
  const ece = parts.reliability.count.reduce(
    (sum, count, bin) =>
      count === 0
        ? sum
        : sum +
          (count / n) *
            Math.abs(
              (parts.reliability.confidence[bin] as number) - (parts.reliability.accuracy[bin] as number),
            ),
    0,
  );
  const low = medianOf(rows, 1);
  const wrongLow = rows.x.reduce((sum, x, i) => sum + (rows.correct[i] === 0 && x <= low ? 1 : 0), 0);
  const allLow = rows.x.reduce((sum, x) => sum + (x <= low ? 1 : 0), 0);
  const around = (value: number, reason: string | null = null): Estimate => estimate(value, n, reason);
  return {
    accuracy: around(accuracy),
    iou: around(min / max, classes),
    overlap: around(min, classes),
    auroc: around(aurocOf(rows), classes),
    ap: around(1 - accuracy + 0.15, classes),
    aurc: around(aurc),
    eaurc: around(aurc / 2),
    ece: around(ece),
    smooth_ece: around(ece * 0.97),
    brier: around(mean(parts.confidence.map((c, i) => (c - (rows.correct[i] as number)) ** 2))),
    nll: around(mean(parts.confidence.map((c, i) => -Math.log(rows.correct[i] === 1 ? c : 1 - c)))),
    wrong_low_of_wrong: around(wrongLow / (n - parts.correct), classes),
    wrong_low_of_all: around(wrongLow / n, classes),
    wrong_low_of_low: around(wrongLow / allLow, classes),
    ppl_correct: around(Math.exp(low), classes),
    ppl_wrong: around(Math.exp(medianOf(rows, 0)), classes),
    reward: around(2 * accuracy - 0.4),
    certainty: parts.margin
      ? around(mean(rows.margin.map(certaintyOf)))
      : estimate(Number.NaN, n, "no certainty column"),
    margin: parts.margin ? around(mean(rows.margin)) : estimate(Number.NaN, n, "no margin column"),
  };
}

function overlapOf(histogram: SliceHistogram, correct: number, wrong: number): { min: number; max: number } {
  let min = 0;
  let max = 0;
  const cells = [...histogram.correct, histogram.infinite.correct];
  const others = [...histogram.wrong, histogram.infinite.wrong];
  for (let cell = 0; cell < cells.length; cell++) {
    const p = (cells[cell] as number) / correct;
    const q = (others[cell] as number) / wrong;
    min += Math.min(p, q);
    max += Math.max(p, q);
  }
  return { min, max };
}

function aurocOf(rows: SampleRows): number {
  const right = rows.x.filter((_, i) => rows.correct[i] === 1).sort();
  const wrong = rows.x.filter((_, i) => rows.correct[i] === 0).sort();
  let below = 0;
  let upTo = 0;
  let wins = 0;
  for (const x of wrong) {
    while (below < right.length && (right[below] as number) < x) below += 1;
    while (upTo < right.length && (right[upTo] as number) <= x) upTo += 1;
    wins += (below + upTo) / 2;
  }
  return wins / (right.length * wrong.length);
}

function medianOf(rows: SampleRows, label: number): number {
  const side = rows.x.filter((_, i) => rows.correct[i] === label).sort();
  return side[(side.length - 1) >> 1] ?? Number.NaN;
}

function mean(values: ArrayLike<number> & Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function estimate(value: number, n: number, reason: string | null): Estimate {
  if (reason !== null || !Number.isFinite(value)) {
    const finite = Number.isFinite(value) || Number.isNaN(value);
    return {
      value: reason === null ? value : Number.NaN,
      low: Number.NaN,
      high: Number.NaN,
      reason: reason ?? (finite ? "empty" : null),
    };
  }
  const half = 0.9 / Math.sqrt(n);
  // Fractions, as most of the metrics are, have intervals within [0, 1].
  const [floor, ceiling] =
    value >= 0 && value <= 1 ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return { value, low: Math.max(floor, value - half), high: Math.min(ceiling, value + half), reason: null };
}
