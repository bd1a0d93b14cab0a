import type { EvaluationSlice } from "../evaluation.ts";
import type { Plot } from "../plot.ts";
import { sliceName } from "../render/slice-name.ts";
import { dashed, frame, inline, PANEL_WIDTH, PLAIN_NUMBER, type Spec, yAxis } from "./plot-frame.ts";
import { legend } from "./plot-legend.ts";
import { fixed, shorten, withInterval } from "./plot-text.ts";
import { SERIES, type SeriesStyle } from "./plot-theme.ts";

/** Levels of the error rate are drawn for no more curves than this: they end there anyway. */
const MOST_LEVELS = 4;
/** Few rows are kept at small coverage, and the risk jumps between 0 and 1: the axis is not made for them. */
const STEADY_COVERAGE = 0.05;

interface Curve {
  readonly slice: EvaluationSlice;
  readonly style: SeriesStyle;
  readonly values: readonly { readonly x: number; readonly y: number }[];
}

/**
 * Risk–coverage curves of up to eight slices in one picture: the error rate when only the most certain rows are kept,
 * with the error rate of all rows as a thin level. Null without a curve.
 *
 * @param slices the slices; of more than eight with a curve, eight are drawn, spread evenly from the first to the last
 */
export function plotRiskCoverage(slices: readonly EvaluationSlice[]): Plot | null {
  const having = slices
    .map((slice) => ({ slice, values: valuesOf(slice) }))
    .filter(({ values }) => values.length > 0);
  const curves = spread(having, SERIES.length).map(
    (curve, i): Curve => ({ ...curve, style: SERIES[i] as SeriesStyle }),
  );
  if (curves.length === 0) return null;
  const description = `Share of wrong rows among those kept, against the share kept, from the most certain row on. ${curves
    .map(
      ({ slice }) =>
        `${sliceName(slice).label}: AURC ${withInterval(slice.metrics.aurc, 3)}, ${fixed(1 - slice.metrics.accuracy.value)} wrong with all rows.`,
    )
    .join(" ")}`;
  const lines =
    curves.length < having.length
      ? [`${curves.length} of ${having.length} slices, spread evenly over their order`]
      : [];
  if (curves.length <= MOST_LEVELS) lines.push("thin dotted: error rate of all rows");
  return {
    id: "risk-coverage",
    kind: "risk-coverage",
    title: "Risk and coverage",
    description,
    slice: curves.length === 1 ? (curves[0] as Curve).slice.label : null,
    spec: frame({ title: "Risk and coverage", lines, description }, [
      legend(curves.map(entryOf)),
      panel(curves),
    ]),
  };
}

/** At most `most` of the items, from the first to the last at even distances. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  const at = (i: number): number => Math.round((i * (items.length - 1)) / (most - 1));
  return Array.from({ length: most }, (_, i) => items[at(i)] as T);
}

function valuesOf({ riskCurve }: EvaluationSlice): { x: number; y: number }[] {
  return riskCurve.coverage
    .map((x, i) => ({ x, y: riskCurve.risk[i] as number }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

function entryOf({ slice, style }: Curve): Parameters<typeof legend>[0][number] {
  const text = `${shorten(sliceName(slice).label, 32)}: AURC ${withInterval(slice.metrics.aurc, 3)}`;
  return { mark: "line", text, color: style.color, dash: style.dash };
}

function panel(curves: readonly Curve[]): Spec {
  const levels = curves.length <= MOST_LEVELS ? curves.flatMap(levelLayer) : [];
  return {
    width: PANEL_WIDTH,
    height: 230,
    encoding: {
      x: {
        field: "x",
        type: "quantitative",
        scale: { domain: [0, 1], nice: false },
        axis: {
          title: "coverage: share of rows kept, most certain first",
          tickCount: 5,
          labelExpr: PLAIN_NUMBER,
        },
      },
      y: {
        field: "y",
        type: "quantitative",
        scale: { domain: [0, highest(curves)], nice: false },
        axis: yAxis("risk: share wrong of those kept"),
      },
    },
    layer: [...levels, ...curves.flatMap(curveLayers)],
  };
}

function highest(curves: readonly Curve[]): number {
  const steady = curves.flatMap(({ values }) => values.filter(({ x }) => x >= STEADY_COVERAGE));
  const top = steady.reduce((most, { y }) => Math.max(most, y), 0);
  return top > 0 ? Math.min(1, top * 1.12) : 0.1;
}

function levelLayer({ values, style }: Curve): Spec[] {
  const last = values[values.length - 1];
  if (last === undefined || last.x < 1) return [];
  return [
    {
      data: inline([{ x: 0, x2: 1, y: last.y }]),
      mark: { type: "rule", color: style.color, strokeWidth: 1, strokeDash: [1, 3] },
      encoding: { x2: { field: "x2" } },
    },
  ];
}

function curveLayers({ values, style }: Curve): Spec[] {
  const data = inline(values);
  const { color, dash, shape } = style;
  const line = { data, mark: { type: "line", clip: true, color, strokeWidth: 2, ...dashed(dash) } };
  // A lone point draws no line.
  if (values.length > 1) return [line];
  return [{ data, mark: { type: "point", filled: true, opacity: 1, color, shape, size: 70 } }];
}
