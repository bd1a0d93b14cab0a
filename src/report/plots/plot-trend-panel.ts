import type { Estimate, EvaluationSlice } from "../evaluation.ts";
import { METRICS, type MetricName } from "../metric-info.ts";
import { dashed, inline, PANEL_WIDTH, PLAIN_NUMBER, type Spec, TEXT_SIZE, yAxis } from "./plot-frame.ts";
import { hasInterval } from "./plot-text.ts";
import { LIGHT } from "./plot-theme.ts";
import { textWidth } from "./text-width.ts";
import type { TrendSeries } from "./trend-series.ts";

/** The axis that the panels of a trend share: values of a slicing column. */
export interface TrendAxis {
  readonly column: string;
  /** In order, without repeats. */
  readonly values: readonly string[];
  readonly numeric: boolean;
}

const HEIGHT = 84;
/** More points than this on a numeric axis are drawn as a line with a band. */
const MOST_POINTS = 30;
const LABEL_LIMIT = 18;

interface Point {
  readonly x: number | string;
  readonly estimate: Estimate;
  readonly slice: EvaluationSlice;
}

/** One panel of a trend: a metric of all series over the shared axis, whose labels only the last panel shows. */
export function trendPanel(
  axis: TrendAxis,
  series: readonly TrendSeries[],
  metric: MetricName,
  last: boolean,
): Spec {
  const { title, unit, better } = METRICS[metric];
  const drawn = series.map((one) => ({ ...one, shown: pointsOf(axis, one, metric) }));
  const nulls = metric === "iou" && series.length === 1 ? nullLayers(axis, drawn[0]?.shown ?? []) : [];
  return {
    width: PANEL_WIDTH,
    height: HEIGHT,
    title: {
      text: better === null ? title : `${title} (${better} is better)`,
      fontSize: TEXT_SIZE,
      fontWeight: "normal",
      offset: 4,
      anchor: "start",
      frame: "group",
    },
    encoding: {
      x: xChannel(axis, last),
      y: {
        field: "y",
        type: "quantitative",
        scale: {
          domain: domainOf(
            drawn.flatMap(({ shown }) => shown),
            metric,
          ),
          nice: true,
          zero: false,
        },
        axis: yAxis(unit),
      },
    },
    layer: [
      ...nulls,
      ...drawn.flatMap(({ shown, style }, i) =>
        seriesLayers(axis, shown, style, shiftOf(axis, i, series.length)),
      ),
    ],
  };
}

function pointsOf(axis: TrendAxis, { points }: TrendSeries, metric: MetricName): Point[] {
  return points
    .map(({ x, slice }) => ({ x: axis.numeric ? Number(x) : x, estimate: slice.metrics[metric], slice }))
    .filter(({ estimate }) => Number.isFinite(estimate.value));
}

/** Series on an axis of names stand side by side; on a numeric axis every point stays at its place. */
function shiftOf(axis: TrendAxis, place: number, count: number): number {
  const step = Math.min(14, (0.7 * PANEL_WIDTH) / axis.values.length / count);
  return axis.numeric ? 0 : (place - (count - 1) / 2) * step;
}

function xChannel(axis: TrendAxis, last: boolean): Spec {
  const hidden = { title: null, labels: false, ticks: false, domain: false };
  if (axis.numeric) {
    const numbers = axis.values.map(Number);
    const low = numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
    const high = numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    const margin = (high - low) * 0.03 || 1;
    const scale = { domain: [low - margin, high + margin], nice: false, zero: false };
    const shown = { title: axis.column, tickCount: 6, labelExpr: PLAIN_NUMBER, ticks: true };
    return { field: "x", type: "quantitative", scale, axis: last ? shown : hidden };
  }
  const widest = axis.values.reduce((most, value) => Math.max(most, labelWidth(value)), 0);
  const slanted = widest > PANEL_WIDTH / axis.values.length;
  const shown = {
    title: axis.column,
    labelExpr: `truncate(datum.label, ${LABEL_LIMIT})`,
    labelAngle: slanted ? -35 : 0,
    ticks: true,
  };
  // A domain in the specification keeps the order of the report and names without a number.
  return {
    field: "x",
    type: "ordinal",
    scale: { type: "point", domain: axis.values, padding: 0.5 },
    axis: last ? shown : hidden,
  };
}

function labelWidth(value: string): number {
  return textWidth(value.slice(0, LABEL_LIMIT), TEXT_SIZE - 1) + 8;
}

/** From the lowest to the highest end with a little room; fractions stay in [0, 1]. */
function domainOf(points: readonly Point[], metric: MetricName): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { estimate, slice } of points) {
    const ends = hasInterval(estimate) ? [estimate.low, estimate.high] : [];
    const nulls = metric === "iou" && Number.isFinite(slice.iouNull.mean) ? [slice.iouNull.mean] : [];
    for (const value of [estimate.value, ...ends, ...nulls]) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const room = (high - low) * 0.08 || 0.05;
  const fraction = METRICS[metric].unit === "fraction";
  return fraction ? [Math.max(0, low - room), Math.min(1, high + room)] : [low - room, high + room];
}

function nullLayers(axis: TrendAxis, points: readonly Point[]): Spec[] {
  const values = points
    .filter(({ slice }) => Number.isFinite(slice.iouNull.mean))
    .map(({ x, slice }) => ({ x, y: slice.iouNull.mean }));
  if (values.length === 0) return [];
  const size = axis.numeric ? Math.min(14, (0.6 * PANEL_WIDTH) / axis.values.length) : 14;
  return [
    {
      data: inline(values),
      mark: { type: "tick", orient: "horizontal", color: LIGHT.muted, size, thickness: 2, opacity: 1 },
    },
  ];
}

function seriesLayers(
  axis: TrendAxis,
  points: readonly Point[],
  style: TrendSeries["style"],
  shift: number,
): Spec[] {
  const { color, dash, shape } = style;
  const data = inline(points.map(({ x, estimate }) => ({ x, y: estimate.value })));
  const spans = points
    .filter(({ estimate }) => hasInterval(estimate))
    .map(({ x, estimate }) => ({ x, y: estimate.low, y2: estimate.high }));
  const dense = axis.numeric && points.length > MOST_POINTS;
  const interval = {
    data: inline(spans),
    mark: dense
      ? { type: "area", color, opacity: 0.2 }
      : { type: "rule", color, strokeWidth: 1.5, xOffset: shift },
    encoding: { y2: { field: "y2" } },
  };
  const line = {
    data,
    mark: {
      type: "line",
      color,
      ...dashed(dash),
      xOffset: shift,
      ...(axis.numeric ? { strokeWidth: 1.5 } : { strokeWidth: 1, opacity: 0.6 }),
    },
  };
  const dots = {
    data,
    mark: { type: "point", filled: true, opacity: 1, color, shape, size: 45, xOffset: shift },
  };
  return [...(spans.length === 0 ? [] : [interval]), line, ...(dense ? [] : [dots])];
}
