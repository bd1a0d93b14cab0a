import { centredInterval } from "../../math/centred-interval.ts";
import { wilsonInterval } from "../../metrics/proportions.ts";
import { reliabilityDiagram } from "../../metrics/reliability.ts";
import type { Interval } from "../../types.ts";
import type { CalibrationIou } from "../../uq/iou/calibration-iou.ts";
import type { IouEdges } from "../../uq/iou/iou-edges.ts";
import type { Estimate, EvaluationSlice, Reliability } from "../evaluation.ts";
import { METRIC_NAMES, type MetricName } from "../metric-info.ts";
import { cellLayout } from "./cell-layout.ts";
import { certaintyMargin } from "./certainty-margin.ts";
import type { EvaluationSettings } from "./evaluation-settings.ts";
import { metricBounds } from "./metric-bounds.ts";
import type { ReadyRows } from "./ready-rows.ts";
import { type MetricReplicates, resampleMetrics } from "./resample-metrics.ts";
import { type ResamplingUnits, unitsFor } from "./resampling-units.ts";
import { type SliceEstimates, sliceEstimates } from "./slice-estimates.ts";
import { sliceFlags } from "./slice-flags.ts";
import type { SliceRows } from "./split-rows.ts";
import { unitSums } from "./unit-sums.ts";

/** A slice to evaluate, and what all slices share. */
export interface SliceInput {
  readonly label: string;
  readonly key: Readonly<Record<string, string>>;
  readonly rows: SliceRows;
  readonly edges: IouEdges;
  readonly units: ResamplingUnits;
  readonly settings: EvaluationSettings;
}

/** A slice's part of the report, and the estimates that comparisons use again. */
export interface EvaluatedSlice {
  readonly slice: EvaluationSlice;
  readonly values: SliceEstimates["values"];
  readonly bandwidth: number;
  /** Of slices with the same resampling units, the same draws. */
  readonly replicates: MetricReplicates;
}

/** Computes everything about one slice. */
export function evaluateSlice(shared: SliceInput): EvaluatedSlice {
  const { label, key, rows, edges, settings } = shared;
  const clusters = countClusters(rows, shared.units.unitOf.length);
  const input = { ...shared, units: unitsFor(clusters, shared.units) };
  const estimates = sliceEstimates(rows, edges, settings);
  const { ready, iou, values } = estimates;
  const { replicates, units } = sliceReplicates(input, estimates.bandwidth);
  const correct = ready.correctX.length;
  const wrong = ready.wrongX.length;
  const slice: EvaluationSlice = {
    label,
    key,
    rows: rows.rows,
    correct,
    wrong,
    clusters,
    excluded: ready.excluded,
    metrics: metricEstimates(values, replicates, input, ready),
    histogram: { correct: [...iou.counts.correct], wrong: [...iou.counts.wrong], infinite: iou.infinite },
    iouNull: { mean: iou.nullMean, pValue: iou.pValue },
    reliability: reliabilityOf(ready, settings),
    riskCurve: { coverage: [...estimates.curve.coverage], risk: [...estimates.curve.risk] },
    certaintyMargin: certaintyMargin(rows),
    flags: sliceFlags({
      rows: rows.rows,
      correct,
      wrong,
      excluded: rows.rows - correct - wrong,
      infinite: iou.infinite,
      iou: values.iou.value,
      nullMean: iou.nullMean,
      filledCells: filledCells(iou),
      clusters,
      clustered: settings.cluster !== null,
      merged: input.units.merged && units < clusters,
      resampled: settings.resamples > 0,
      method: settings.method,
    }),
  };
  return { slice, values, bandwidth: estimates.bandwidth, replicates };
}

function sliceReplicates(
  { rows, edges, units, settings }: SliceInput,
  bandwidth: number,
): { readonly replicates: MetricReplicates; readonly units: number } {
  if (settings.resamples === 0) return { replicates: [], units: 0 };
  const { eceBins, normalize, scale } = settings;
  const layout = cellLayout(rows, edges.edges, { eceBins, normalize, logAxis: scale === "log", bandwidth });
  const sums = unitSums(rows, layout, units.unitOf, units.units, "present");
  // One unit gives every resample the same rows: no interval, rather than one of no width.
  if (sums.units < 2) return { replicates: [], units: sums.units };
  const [replicates = []] = resampleMetrics([sums], settings.resamples, settings.seed);
  return { replicates, units: sums.units };
}

function metricEstimates(
  values: SliceEstimates["values"],
  replicates: MetricReplicates,
  { rows, settings, units }: SliceInput,
  ready: ReadyRows,
): Record<MetricName, Estimate> {
  const estimates = METRIC_NAMES.map((name, index): [MetricName, Estimate] => {
    const { value, reason } = values[name];
    const own = replicates[index] ?? new Float64Array(0);
    const bounds = metricBounds(name, settings.scale === "log");
    const interval =
      name === "accuracy"
        ? accuracyInterval(value, own, ready, { rows, settings, units })
        : centredInterval(value, own, settings.level, bounds);
    return [name, { value, ...interval, reason }];
  });
  return Object.fromEntries(estimates) as Record<MetricName, Estimate>;
}

/**
 * Wilson's interval for independent rows; the resamples' for clustered or weighted ones. Where all rows are right or all
 * are wrong, resamples show no spread, and Wilson's interval over clusters is the honest one.
 */
function accuracyInterval(
  value: number,
  replicates: Float64Array,
  ready: ReadyRows,
  { rows, settings, units }: Pick<SliceInput, "rows" | "settings" | "units">,
): Interval {
  const { level } = settings;
  if (Number.isNaN(value)) return { low: Number.NaN, high: Number.NaN };
  const independent = settings.cluster === null && settings.weight === null;
  if (independent) return ends(wilsonInterval(Math.round(value * ready.labelled), ready.labelled, { level }));
  if (value > 0 && value < 1) return centredInterval(value, replicates, level, { low: 0, high: 1 });
  const clusters = countClusters(rows, units.unitOf.length);
  return ends(wilsonInterval(value * clusters, clusters, { level }));
}

function ends({ low, high }: Interval): Interval {
  return { low, high };
}

/** The diagram of the rows' confidences; that of no rows without confidences. */
function reliabilityOf({ confidence }: ReadyRows, settings: EvaluationSettings): Reliability {
  const { p = [], y = [], weights = null } = confidence ?? {};
  const { excluded: _, ...diagram } = reliabilityDiagram(p, y, {
    bins: settings.eceBins,
    level: settings.level,
    ...(weights === null ? {} : { weights }),
  });
  return {
    edges: [...diagram.edges],
    count: [...diagram.count],
    confidence: [...diagram.confidence],
    accuracy: [...diagram.accuracy],
    bandLow: [...diagram.bandLow],
    bandHigh: [...diagram.bandHigh],
    nullMean: diagram.nullMean,
  };
}

function countClusters(rows: SliceRows, clusters: number): number {
  const seen = new Uint8Array(clusters);
  let n = 0;
  for (let row = 0; row < rows.rows; row += 1) {
    const cluster = rows.cluster[row] as number;
    if (seen[cluster] === 1) continue;
    seen[cluster] = 1;
    n += 1;
  }
  return n;
}

/** Bins, and the cells of infinite values, that hold rows. */
function filledCells({ counts, infinite, negativeInfinite }: CalibrationIou): number {
  let n = 0;
  for (let bin = 0; bin < counts.correct.length; bin += 1) {
    if ((counts.correct[bin] as number) + (counts.wrong[bin] as number) > 0) n += 1;
  }
  if (infinite.correct + infinite.wrong > 0) n += 1;
  return negativeInfinite.correct + negativeInfinite.wrong > 0 ? n + 1 : n;
}
