import type { Evaluation } from "../evaluation.ts";
import { formatPercent } from "../format-number.ts";
import { METRICS, type MetricName } from "../metric-info.ts";
import type { Plot } from "../plot.ts";
import { frame, type Spec } from "./plot-frame.ts";
import { type LegendEntry, legend } from "./plot-legend.ts";
import { hasInterval, shorten, withInterval } from "./plot-text.ts";
import { LIGHT, SERIES } from "./plot-theme.ts";
import { type TrendAxis, trendPanel } from "./plot-trend-panel.ts";
import { type TrendSeries, trendSeries } from "./trend-series.ts";

const SHOWN: readonly MetricName[] = ["iou", "accuracy", "reward", "certainty"];
/** More names than this cannot be told apart on one axis; the overview lists them. */
const MOST_NAMES = 40;

/**
 * IoU, accuracy, mean reward and certainty over the values of the first slicing column, one panel each, with intervals:
 * a numeric axis where all values are numbers, else the values in their order. The other slicing columns together make
 * up to eight series. Null with fewer than two values, or with more than 40 that are not numbers.
 */
export function plotTrend(evaluation: Pick<Evaluation, "columns" | "slices" | "level">): Plot | null {
  const column = evaluation.columns.by[0];
  if (column === undefined) return null;
  const values = [...new Set(evaluation.slices.map(({ key }) => key[column] ?? ""))];
  const numeric = values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
  if (values.length < 2 || (!numeric && values.length > MOST_NAMES)) return null;
  const every = trendSeries(evaluation.slices, column);
  const series = every.slice(0, SERIES.length);
  const metrics = SHOWN.filter((metric) => series.some((one) => isKnown(one, metric)));
  if (metrics.length === 0) return null;
  const axis: TrendAxis = { column, values, numeric };
  const panels = metrics.map((metric, i) => trendPanel(axis, series, metric, i === metrics.length - 1));
  const lines = series.length < every.length ? [`the first ${series.length} of ${every.length} series`] : [];
  const title = `By ${column}`;
  const description = describe(column, series, metrics);
  const entries = legendOf(series, metrics, evaluation.level);
  return {
    id: "trend",
    kind: "trend",
    title: `${metrics.map((metric) => METRICS[metric].title).join(", ")} by ${column}`,
    description,
    slice: null,
    spec: frame({ title, lines, description }, [
      ...(entries.length === 0 ? [] : [legend(entries)]),
      ...panels,
    ] satisfies Spec[]),
  };
}

function isKnown(series: TrendSeries, metric: MetricName): boolean {
  return series.points.some(({ slice }) => Number.isFinite(slice.metrics[metric].value));
}

function legendOf(
  series: readonly TrendSeries[],
  metrics: readonly MetricName[],
  level: number,
): LegendEntry[] {
  if (series.length > 1) {
    return series.map(({ name, style }) => ({
      mark: "line",
      text: shorten(name, 40),
      color: style.color,
      dash: style.dash,
      shape: style.shape,
    }));
  }
  const [first] = series;
  if (first === undefined) return [];
  const { color, shape } = first.style;
  const interval = first.points.some(({ slice }) =>
    metrics.some((metric) => hasInterval(slice.metrics[metric])),
  );
  const text = interval ? `value with ${formatPercent(level)} interval` : "value";
  const entries: LegendEntry[] = [{ mark: "point", text, color, shape }];
  const nulls =
    metrics.includes("iou") && first.points.some(({ slice }) => Number.isFinite(slice.iouNull.mean));
  if (nulls) entries.push({ mark: "tick", text: "IoU of identical classes", color: LIGHT.muted, flat: true });
  return entries;
}

function describe(column: string, series: readonly TrendSeries[], metrics: readonly MetricName[]): string {
  const parts = series.flatMap(({ name, points }) => {
    const first = points[0];
    const last = points[points.length - 1];
    if (first === undefined || last === undefined) return [];
    const of = name === "" ? "" : `${name}, `;
    const changes = metrics.map((metric) => {
      const from = withInterval(first.slice.metrics[metric]);
      return `${METRICS[metric].title} ${from} → ${withInterval(last.slice.metrics[metric])}`;
    });
    return [`${of}${first.x} → ${last.x}: ${changes.join(", ")}.`];
  });
  return `Metrics by ${column}, first and last value. ${parts.join(" ")}`;
}
