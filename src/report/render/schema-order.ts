import type {
  CertaintyMargin,
  Comparison,
  Delta,
  Estimate,
  Evaluation,
  EvaluationColumns,
  EvaluationIou,
  EvaluationSlice,
  Reliability,
} from "../evaluation.ts";
import { METRIC_NAMES, type MetricName } from "../metric-info.ts";
import type { Plot } from "../plot.ts";

/** A copy whose properties stand in the order of the interfaces, however the evaluation was put together. */
export function inSchemaOrder(evaluation: Evaluation): Evaluation {
  const { schema, version, title, command, inputs, seed, resamples, permutations, level } = evaluation;
  return {
    schema,
    version,
    title,
    command,
    inputs,
    seed,
    resamples,
    permutations,
    level,
    columns: columnsInOrder(evaluation.columns),
    iou: iouInOrder(evaluation.iou),
    overall: sliceInOrder(evaluation.overall),
    slices: evaluation.slices.map(sliceInOrder),
    comparisons: evaluation.comparisons.map(comparisonInOrder),
    notes: evaluation.notes,
    plots: evaluation.plots.map(plotInOrder),
  };
}

function columnsInOrder(columns: EvaluationColumns): EvaluationColumns {
  const { uncertainty, correct, confidence, cluster, weight, by, also } = columns;
  return { uncertainty, correct, confidence, cluster, weight, by, also };
}

function iouInOrder({ scale, method, normalize, edges, edgesFrom }: EvaluationIou): EvaluationIou {
  return { scale, method, normalize, edges, edgesFrom };
}

function sliceInOrder(slice: EvaluationSlice): EvaluationSlice {
  const { label, key, rows, correct, wrong, clusters, excluded, histogram, iouNull, riskCurve } = slice;
  const { infinite } = histogram;
  return {
    label,
    key,
    rows,
    correct,
    wrong,
    clusters,
    excluded: sortedByName(excluded),
    metrics: metricsInOrder(slice.metrics, estimateInOrder) as Record<MetricName, Estimate>,
    histogram: {
      correct: histogram.correct,
      wrong: histogram.wrong,
      infinite: { correct: infinite.correct, wrong: infinite.wrong },
    },
    iouNull: { mean: iouNull.mean, pValue: iouNull.pValue },
    reliability: reliabilityInOrder(slice.reliability),
    riskCurve: { coverage: riskCurve.coverage, risk: riskCurve.risk },
    certaintyMargin: slice.certaintyMargin && certaintyMarginInOrder(slice.certaintyMargin),
    flags: slice.flags.map(({ code, text }) => ({ code, text })),
  };
}

function metricsInOrder<T>(
  metrics: Readonly<Partial<Record<MetricName, T>>>,
  inOrder: (value: T) => T,
): Partial<Record<MetricName, T>> {
  const ordered: Partial<Record<MetricName, T>> = {};
  for (const name of METRIC_NAMES) {
    const value = metrics[name];
    if (value !== undefined) ordered[name] = inOrder(value);
  }
  return ordered;
}

function estimateInOrder({ value, low, high, reason }: Estimate): Estimate {
  return { value, low, high, reason };
}

function reliabilityInOrder(reliability: Reliability): Reliability {
  const { edges, count, confidence, accuracy, bandLow, bandHigh, nullMean } = reliability;
  return { edges, count, confidence, accuracy, bandLow, bandHigh, nullMean };
}

function certaintyMarginInOrder({ edges, correct, wrong, certainty }: CertaintyMargin): CertaintyMargin {
  return { edges, correct, wrong, certainty };
}

function comparisonInOrder(comparison: Comparison): Comparison {
  const { baseline, candidate, paired, prompts } = comparison;
  const { shared, baselineOnly, candidateOnly } = prompts;
  return {
    baseline,
    candidate,
    paired,
    prompts: { shared, baselineOnly, candidateOnly },
    deltas: metricsInOrder(comparison.deltas, deltaInOrder),
  };
}

function deltaInOrder({ baseline, candidate, value, low, high, verdict, sentence }: Delta): Delta {
  return { baseline, candidate, value, low, high, verdict, sentence };
}

function plotInOrder({ id, kind, title, description, slice, spec }: Plot): Plot {
  return { id, kind, title, description, slice, spec };
}

function sortedByName(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
