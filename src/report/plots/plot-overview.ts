import type { Evaluation, EvaluationSlice } from "../evaluation.ts";
import { formatCount, formatPercent } from "../format-number.ts";
import type { Plot } from "../plot.ts";
import { FULL_WIDTH, frame, inline, PLAIN_NUMBER, type Spec, TEXT_SIZE } from "./plot-frame.ts";
import { type LegendEntry, legend } from "./plot-legend.ts";
import { hasInterval, shorten, withInterval } from "./plot-text.ts";
import { LIGHT, SERIES } from "./plot-theme.ts";
import { textWidth } from "./text-width.ts";

/** Rows of the overview; of more slices those with most rows are shown. */
export const OVERVIEW_LIMIT = 60;

const COLOR = (SERIES[0] as (typeof SERIES)[number]).color;
const ROW_HEIGHT = 21;
const GAP = 8;
const LEAST_WIDTH = 140;

interface Row {
  readonly slice: EvaluationSlice;
  readonly label: string;
  readonly y: number;
  readonly color: string;
  readonly numbers: string;
}

/**
 * The IoU of all slices with their intervals, one below the other, and a tick where identical classes would be. Of more
 * than 60 slices those with most rows are shown, in the order of the report. Null for fewer than two slices.
 */
export function plotOverview(evaluation: Pick<Evaluation, "slices" | "overall" | "level">): Plot | null {
  const { slices, overall, level } = evaluation;
  if (slices.length < 2) return null;
  const shown = largest(slices);
  const rows = [...shown, overall].map((slice, i): Row => {
    const color = slice === overall ? LIGHT.muted : COLOR;
    return {
      slice,
      label: shorten(slice.label, 22),
      y: ROW_HEIGHT * (i + 0.5),
      color,
      numbers: numbersOf(slice),
    };
  });
  const lines =
    shown.length < slices.length ? [`the ${shown.length} slices with most rows, of ${slices.length}`] : [];
  const width = Math.max(LEAST_WIDTH, FULL_WIDTH - widest(rows, "label") - widest(rows, "numbers") - 2 * GAP);
  const description = describe(shown, overall, slices.length);
  const interval = shown.some(({ metrics }) => hasInterval(metrics.iou));
  const entries: LegendEntry[] = [
    {
      mark: "point",
      text: interval ? `IoU with ${formatPercent(level)} interval` : "IoU",
      color: COLOR,
    },
    { mark: "tick", text: "IoU of identical classes", color: LIGHT.muted },
  ];
  return {
    id: "overview",
    kind: "overview",
    title: "Calibration IoU of all slices",
    description,
    slice: null,
    spec: frame({ title: "Calibration IoU", lines, description }, [
      legend(entries, { left: -GAP - widest(rows, "label"), width }),
      panel(rows, width),
    ]),
  };
}

function largest(slices: readonly EvaluationSlice[]): readonly EvaluationSlice[] {
  if (slices.length <= OVERVIEW_LIMIT) return slices;
  const bySize = slices.map((slice, i) => ({ i, n: slice.correct + slice.wrong }));
  bySize.sort((a, b) => b.n - a.n || a.i - b.i);
  const kept = new Set(bySize.slice(0, OVERVIEW_LIMIT).map(({ i }) => i));
  return slices.filter((_, i) => kept.has(i));
}

function describe(shown: readonly EvaluationSlice[], overall: EvaluationSlice, count: number): string {
  const known = shown.filter(({ metrics }) => Number.isFinite(metrics.iou.value));
  const sorted = [...known].sort((a, b) => a.metrics.iou.value - b.metrics.iou.value);
  const low = sorted[0];
  const high = sorted[sorted.length - 1];
  const range =
    low === undefined || high === undefined
      ? "it is not defined for any of them"
      : `lowest ${low.label} ${withInterval(low.metrics.iou)}, highest ${high.label} ${withInterval(high.metrics.iou)}`;
  const which =
    shown.length < count ? `the ${shown.length} slices with most rows, of ${count}` : `${count} slices`;
  return `Calibration IoU of ${which}: ${range}; all rows together ${withInterval(overall.metrics.iou)}.`;
}

function numbersOf({ metrics, correct, wrong }: EvaluationSlice): string {
  return `${withInterval(metrics.iou)}, n=${formatCount(correct + wrong)}`;
}

function widest(rows: readonly Row[], part: "label" | "numbers"): number {
  return rows.reduce((most, row) => Math.max(most, textWidth(row[part], TEXT_SIZE - 1)), 0);
}

function panel(rows: readonly Row[], width: number): Spec {
  const height = rows.length * ROW_HEIGHT;
  return {
    width,
    height,
    encoding: {
      x: {
        field: "x",
        type: "quantitative",
        scale: { domain: [0, 1], nice: false },
        axis: { title: "IoU: 0 = apart, 1 = alike", tickCount: 5, labelExpr: PLAIN_NUMBER, grid: true },
      },
      y: {
        field: "y",
        type: "quantitative",
        scale: { domain: [0, height], reverse: true, nice: false },
        axis: null,
      },
    },
    layer: [intervals(rows), nullTicks(rows), points(rows), labels(rows), numbers(rows, width)].filter(
      (layer) => layer !== null,
    ),
  };
}

function intervals(rows: readonly Row[]): Spec | null {
  const values = rows
    .filter(({ slice }) => hasInterval(slice.metrics.iou))
    .map(({ slice, y, color }) => ({
      x: inUnit(slice.metrics.iou.low),
      x2: inUnit(slice.metrics.iou.high),
      y,
      color,
    }));
  return someMarks(values, { type: "rule", strokeWidth: 2 }, { x2: { field: "x2" }, color: OWN_COLOR });
}

function nullTicks(rows: readonly Row[]): Spec | null {
  const values = rows
    .filter(({ slice }) => Number.isFinite(slice.iouNull.mean))
    .map(({ slice, y }) => ({ x: inUnit(slice.iouNull.mean), y }));
  return someMarks(values, {
    type: "tick",
    orient: "vertical",
    color: LIGHT.muted,
    size: 12,
    thickness: 2,
    opacity: 1,
  });
}

function points(rows: readonly Row[]): Spec | null {
  const values = rows
    .filter(({ slice }) => Number.isFinite(slice.metrics.iou.value))
    .map(({ slice, y, color }) => ({ x: inUnit(slice.metrics.iou.value), y, color }));
  return someMarks(values, { type: "point", filled: true, opacity: 1, size: 40 }, { color: OWN_COLOR });
}

function labels(rows: readonly Row[]): Spec | null {
  const values = rows.map(({ y, label, color }) => ({
    y,
    label,
    color: color === COLOR ? LIGHT.text : LIGHT.muted,
  }));
  const encoding = { x: { value: -GAP }, text: { field: "label" }, color: OWN_COLOR };
  return someMarks(
    values,
    { type: "text", align: "right", baseline: "middle", fontSize: TEXT_SIZE - 1 },
    encoding,
  );
}

function numbers(rows: readonly Row[], width: number): Spec | null {
  const values = rows.map(({ y, numbers: label }) => ({ y, label }));
  const encoding = { x: { value: width + GAP }, text: { field: "label" } };
  return someMarks(
    values,
    { type: "text", align: "left", baseline: "middle", fontSize: TEXT_SIZE - 1 },
    encoding,
  );
}

const OWN_COLOR: Spec = { field: "color", type: "nominal", scale: null, legend: null };

function inUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function someMarks(values: readonly Spec[], mark: Spec, encoding: Spec = {}): Spec | null {
  return values.length === 0 ? null : { data: inline(values), mark, encoding };
}
