import { averagePrecision } from "../../metrics/average-precision.ts";
import { brierScore } from "../../metrics/brier.ts";
import { calibrationError } from "../../metrics/calibration-error.ts";
import { negativeLogLikelihood } from "../../metrics/log-loss.ts";
import { riskCoverage } from "../../metrics/risk-coverage.ts";
import { smoothCalibrationError } from "../../metrics/smooth-calibration-error.ts";
import { type CalibrationIou, calibrationIou } from "../../uq/iou/calibration-iou.ts";
import type { IouEdges } from "../../uq/iou/iou-edges.ts";
import { wrongButLowUncertainty } from "../../uq/wrong-but-low.ts";
import { METRIC_NAMES, type MetricName } from "../metric-info.ts";
import type { EvaluationSettings } from "./evaluation-settings.ts";
import { type ReadyRows, readyRows } from "./ready-rows.ts";
import type { SliceRows } from "./split-rows.ts";

/** Points of a risk–coverage curve that a picture can show. */
const CURVE_POINTS = 200;

/** A metric's value, and why it is NaN. */
export interface SliceValue {
  readonly value: number;
  readonly reason: string | null;
}

/** What is computed from all rows of a slice, without intervals. */
export interface SliceEstimates {
  readonly ready: ReadyRows;
  readonly values: Readonly<Record<MetricName, SliceValue>>;
  readonly iou: CalibrationIou;
  /** Bandwidth of the smooth calibration error; NaN without confidences. */
  readonly bandwidth: number;
  readonly curve: { readonly coverage: Float64Array; readonly risk: Float64Array };
}

/**
 * The estimates of a slice.
 *
 * @param edges shared bin edges of the IoU on the axis
 */
export function sliceEstimates(
  rows: SliceRows,
  edges: IouEdges,
  settings: EvaluationSettings,
): SliceEstimates {
  const ready = readyRows(rows);
  const iou = sliceIou(ready, edges, settings);
  const weights = ready.weights === null ? {} : { weights: ready.weights };
  const risk = riskCoverage(ready.x, ready.wrong, { ...weights, points: CURVE_POINTS });
  const ap = averagePrecision(ready.x, ready.wrong, weights);
  const low = wrongButLowUncertainty(ready.correctX, ready.wrongX, sideWeights(ready));
  const confidence = confidenceValues(ready, settings);
  const values: Partial<Record<MetricName, SliceValue>> = {
    accuracy: known(ready.accuracy),
    iou: known(iou.iou, iou.reason),
    overlap: known(iou.overlap, iou.reason),
    auroc: known(iou.auroc, ready.x.length === 0 ? "empty" : "single-class"),
    ap: known(ap.ap, ap.reason),
    aurc: known(risk.aurc, risk.reason),
    eaurc: known(risk.eaurc, risk.reason),
    wrong_low_of_wrong: known(low.ofWrong, low.reason),
    wrong_low_of_all: known(low.ofAll, low.reason),
    wrong_low_of_low: known(low.ofLow, low.reason),
    ppl_correct: known(medianShown(ready.correctMedian, settings)),
    ppl_wrong: known(medianShown(ready.wrongMedian, settings)),
    ...confidence.values,
    ...columnMeans(ready, rows),
  };
  return { ready, values: complete(values), iou, bandwidth: confidence.bandwidth, curve: risk.curve };
}

function sliceIou(ready: ReadyRows, edges: IouEdges, settings: EvaluationSettings): CalibrationIou {
  return calibrationIou(ready.correctX, ready.wrongX, {
    scale: "identity",
    edges,
    method: settings.method,
    normalize: settings.normalize,
    resamples: 0,
    permutations: settings.permutations,
    seed: settings.seed,
    level: settings.level,
    ...sideWeights(ready),
  });
}

function sideWeights(ready: ReadyRows): {
  readonly weights?: { readonly correct: Float64Array; readonly wrong: Float64Array };
} {
  const { correctWeights: correct, wrongWeights: wrong } = ready;
  return correct === null || wrong === null ? {} : { weights: { correct, wrong } };
}

function confidenceValues(
  ready: ReadyRows,
  settings: EvaluationSettings,
): { readonly values: Partial<Record<MetricName, SliceValue>>; readonly bandwidth: number } {
  const { confidence } = ready;
  if (confidence === null) return { values: {}, bandwidth: Number.NaN };
  const options = confidence.weights === null ? {} : { weights: confidence.weights };
  const { p, y } = confidence;
  const ece = calibrationError(p, y, { bins: settings.eceBins, ...options });
  const smooth = smoothCalibrationError(p, y, options);
  const brier = brierScore(p, y, options);
  const nll = negativeLogLikelihood(p, y, options);
  return {
    values: {
      ece: known(ece.error, ece.reason),
      smooth_ece: known(smooth.error, smooth.reason),
      brier: known(brier.brier, brier.reason),
      nll: known(nll.nll, nll.reason),
    },
    bandwidth: smooth.bandwidth,
  };
}

/** Medians are told as perplexities where the axis is their logarithm. */
function medianShown(x: number, settings: EvaluationSettings): number {
  return settings.scale === "log" ? Math.exp(x) : x;
}

function columnMeans(ready: ReadyRows, rows: SliceRows): Partial<Record<MetricName, SliceValue>> {
  const names = ["reward", "certainty", "margin"] as const;
  return Object.fromEntries(
    names.map((name) => {
      const reason = rows.extra[name] === undefined ? `no ${name} column` : "empty";
      return [name, known(ready.means[name], reason)];
    }),
  );
}

/** A value with the reason for which it is NaN, if it is. */
function known(value: number, reason: string | null = null): SliceValue {
  return { value, reason: Number.isNaN(value) ? (reason ?? "empty") : null };
}

function complete(values: Partial<Record<MetricName, SliceValue>>): Record<MetricName, SliceValue> {
  const none: SliceValue = { value: Number.NaN, reason: "not available" };
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, values[name] ?? none])) as Record<
    MetricName,
    SliceValue
  >;
}
