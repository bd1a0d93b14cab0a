import type { Evaluation, EvaluationSlice, Reliability } from "../evaluation.ts";
import { formatCount, formatPercent } from "../format-number.ts";
import type { Plot } from "../plot.ts";
import { sliceName } from "../render/slice-name.ts";
import type { NumberedSlice } from "./numbered-slice.ts";
import { frame, inline, PANEL_WIDTH, PLAIN_NUMBER, type Spec, yAxis } from "./plot-frame.ts";
import { legend } from "./plot-legend.ts";
import { fixed, withInterval } from "./plot-text.ts";
import { LIGHT, SERIES } from "./plot-theme.ts";
import { roundTicks } from "./round-ticks.ts";

const COLOR = (SERIES[0] as (typeof SERIES)[number]).color;

const BY_RUN: Spec = { detail: { field: "run", type: "nominal" } };

/** One bin that has rows. */
interface Bin {
  readonly confidence: number;
  readonly accuracy: number;
  readonly count: number;
  readonly low: number;
  readonly high: number;
  readonly from: number;
  readonly to: number;
  /** Bins that stand side by side have the same number: lines and areas do not cross a gap. */
  readonly run: number;
}

/**
 * Reliability diagrams, one picture a slice: accuracy against mean confidence of each bin with the diagonal and the
 * consistency band of exact confidences (Bröcker & Smith 2007), and the rows of each bin below. No picture for a slice
 * without a filled bin.
 */
export function plotReliability(
  evaluation: Pick<Evaluation, "columns" | "level">,
  slices: readonly NumberedSlice[],
): Plot[] {
  return slices.flatMap(({ index, slice }) => {
    const bins = filledBins(slice.reliability);
    return bins.length === 0 ? [] : [pictureOf(evaluation, index, slice, bins)];
  });
}

function filledBins(reliability: Reliability): Bin[] {
  let run = 0;
  return reliability.count.flatMap((count, k) => {
    const confidence = reliability.confidence[k] as number;
    const accuracy = reliability.accuracy[k] as number;
    if (!(count > 0) || Number.isNaN(confidence) || Number.isNaN(accuracy)) {
      run += 1;
      return [];
    }
    const bin = {
      low: reliability.bandLow[k] as number,
      high: reliability.bandHigh[k] as number,
      from: reliability.edges[k] as number,
      to: reliability.edges[k + 1] as number,
      run,
    };
    return [{ confidence, accuracy, count, ...bin }];
  });
}

function pictureOf(
  { columns, level }: Pick<Evaluation, "columns" | "level">,
  index: number,
  slice: EvaluationSlice,
  bins: readonly Bin[],
): Plot {
  const { nullMean } = slice.reliability;
  const ece = `ECE ${withInterval(slice.metrics.ece, 3)}`;
  const chance = Number.isFinite(nullMean) ? `; exact confidences would read ${fixed(nullMean, 3)}` : "";
  const inside = bins.filter(({ accuracy, low, high }) => accuracy >= low && accuracy <= high).length;
  const rows = bins.reduce((sum, { count }) => sum + count, 0);
  const name = sliceName(slice).label;
  const description =
    `Reliability diagram of ${name}, ${formatCount(rows)} rows: ${ece}${chance}. The share of correct rows lies in the ` +
    `${formatPercent(level)} band of exact confidences in ${inside} of ${bins.length} bins.`;
  const entries = [
    { mark: "line" as const, text: "share correct, larger with more rows", color: COLOR, shape: "circle" },
    { mark: "area" as const, text: `${formatPercent(level)} band`, color: LIGHT.band },
  ];
  return {
    id: `reliability-${index}`,
    kind: "reliability",
    title: `Reliability: ${name}`,
    description,
    slice: slice.label,
    spec: frame(
      { title: name, lines: [`${ece}${chance}`, "below the diagonal: overconfident"], description },
      [legend(entries), accuracyPanel(bins), countPanel(bins, columns.confidence)],
    ),
  };
}

function accuracyPanel(bins: readonly Bin[]): Spec {
  const scale = { domain: [0, 1], nice: false };
  const values = bins.map(({ confidence, accuracy, count, run }) => ({
    x: confidence,
    y: accuracy,
    rows: count,
    run,
  }));
  return {
    width: PANEL_WIDTH,
    height: 230,
    encoding: {
      x: {
        field: "x",
        type: "quantitative",
        scale,
        axis: { title: null, labels: false, ticks: false, domain: false },
      },
      y: { field: "y", type: "quantitative", scale, axis: yAxis("share correct") },
    },
    layer: [
      ...bandLayers(bins),
      diagonal(),
      { data: inline(values), mark: { type: "line", color: COLOR, strokeWidth: 2 }, encoding: BY_RUN },
      {
        data: inline(values),
        mark: { type: "point", filled: true, opacity: 1, color: COLOR },
        encoding: {
          size: {
            field: "rows",
            type: "quantitative",
            legend: null,
            scale: { zero: true, range: [14, 200] },
          },
        },
      },
    ],
  };
}

/** An area through the bins and a bar at each: the bar shows a bin that has no neighbour. */
function bandLayers(bins: readonly Bin[]): Spec[] {
  const values = bins
    .filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high))
    .map(({ confidence, low, high, run }) => ({ x: confidence, y: low, y2: high, run }));
  if (values.length === 0) return [];
  const data = inline(values);
  const encoding = { y2: { field: "y2" }, ...BY_RUN };
  return [
    { data, mark: { type: "area", color: LIGHT.band }, encoding },
    { data, mark: { type: "rule", color: LIGHT.band, strokeWidth: 7 }, encoding },
  ];
}

function diagonal(): Spec {
  return {
    data: inline([{ x: 0, y: 0, x2: 1, y2: 1 }]),
    mark: { type: "rule", color: LIGHT.axis, strokeWidth: 1.5, strokeDash: [4, 3] },
    encoding: { x2: { field: "x2" }, y2: { field: "y2" } },
  };
}

function countPanel(bins: readonly Bin[], confidence: string): Spec {
  const most = bins.reduce((max, { count }) => Math.max(max, count), 0);
  const values = bins.map(({ from, to, count }) => ({ from, to, rows: count, none: 0 }));
  return {
    width: PANEL_WIDTH,
    height: 56,
    data: inline(values),
    mark: { type: "rect", color: COLOR, opacity: 0.75, stroke: null },
    encoding: {
      x: {
        field: "from",
        type: "quantitative",
        scale: { domain: [0, 1], nice: false },
        axis: { title: `mean confidence in the bin: ${confidence}`, tickCount: 5, labelExpr: PLAIN_NUMBER },
      },
      x2: { field: "to" },
      y: {
        field: "rows",
        type: "quantitative",
        scale: { type: "sqrt", domain: [0, most], nice: false },
        axis: yAxis("rows (√ scale)", { values: roundTicks(most) }),
      },
      y2: { field: "none" },
    },
  };
}
