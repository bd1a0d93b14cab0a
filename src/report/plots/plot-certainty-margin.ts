import type { CertaintyMargin, EvaluationSlice } from "../evaluation.ts";
import { formatCount } from "../format-number.ts";
import type { Plot } from "../plot.ts";
import { sliceName } from "../render/slice-name.ts";
import type { NumberedSlice } from "./numbered-slice.ts";
import { compactNumber, frame, inline, PANEL_WIDTH, PLAIN_NUMBER, type Spec, yAxis } from "./plot-frame.ts";
import { type LegendEntry, legend } from "./plot-legend.ts";
import { withInterval } from "./plot-text.ts";
import { LIGHT, SERIES } from "./plot-theme.ts";

const COLOR = (SERIES[0] as (typeof SERIES)[number]).color;

/**
 * Certainty against margin, one picture a slice: the mean certainty of each bin of the margin, and below it correct rows
 * upwards and wrong rows downwards. No picture for a slice without margins.
 */
export function plotCertaintyMargin(slices: readonly NumberedSlice[]): Plot[] {
  return slices.flatMap(({ index, slice }) => {
    const { certaintyMargin } = slice;
    if (certaintyMargin === null) return [];
    const bins = binsOf(certaintyMargin);
    return bins.some(({ correct, wrong }) => correct + wrong > 0) ? [pictureOf(index, slice, bins)] : [];
  });
}

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly correct: number;
  readonly wrong: number;
  readonly certainty: number;
}

/** The bins; a lone bin of no width, where all margins are equal, is widened. */
function binsOf({ edges, correct, wrong, certainty }: CertaintyMargin): Bin[] {
  if (!edges.every(Number.isFinite)) return [];
  const half = edges[0] === edges[edges.length - 1] ? 0.01 : 0;
  return correct.map((count, k) => ({
    from: (edges[k] as number) - half,
    to: (edges[k + 1] as number) + half,
    correct: count,
    wrong: wrong[k] as number,
    certainty: certainty[k] as number,
  }));
}

function pictureOf(index: number, slice: EvaluationSlice, bins: readonly Bin[]): Plot {
  const count = (side: "correct" | "wrong", keep: (bin: Bin) => boolean): number =>
    bins.reduce((sum, bin) => sum + (keep(bin) ? bin[side] : 0), 0);
  const all = (): boolean => true;
  const negative = ({ to }: Bin): boolean => to <= 0;
  const name = sliceName(slice).label;
  const description =
    `Certainty by margin of ${formatCount(count("correct", all))} correct and ${formatCount(count("wrong", all))} wrong rows of ` +
    `${name}: mean certainty ${withInterval(slice.metrics.certainty)}, mean margin ` +
    `${withInterval(slice.metrics.margin)}; ${formatCount(count("correct", negative))} correct and ` +
    `${formatCount(count("wrong", negative))} wrong rows lie in bins below margin 0.`;
  const lines = [
    `mean certainty ${withInterval(slice.metrics.certainty)}, mean margin ${withInterval(slice.metrics.margin)}`,
  ];
  const entries: LegendEntry[] = [{ mark: "line", text: "mean certainty", color: COLOR, shape: "circle" }];
  for (const side of ["correct", "wrong"] as const) {
    const n = count(side, all);
    if (n > 0) entries.push({ mark: "area", text: `${side} (n=${formatCount(n)})`, color: LIGHT[side] });
  }
  return {
    id: `certainty-margin-${index}`,
    kind: "certainty-margin",
    title: `Certainty and margin: ${name}`,
    description,
    slice: slice.label,
    spec: frame({ title: name, lines, description }, [
      legend(entries),
      certaintyPanel(bins),
      countPanel(bins),
    ]),
  };
}

function domainOf(bins: readonly Bin[]): [number, number] {
  return [(bins[0] as Bin).from, (bins[bins.length - 1] as Bin).to];
}

function certaintyPanel(bins: readonly Bin[]): Spec {
  const data = inline(
    bins
      .filter(({ certainty }) => Number.isFinite(certainty))
      .map(({ from, to, certainty }) => ({ x: (from + to) / 2, y: certainty })),
  );
  return {
    width: PANEL_WIDTH,
    height: 130,
    encoding: {
      x: {
        field: "x",
        type: "quantitative",
        scale: { domain: domainOf(bins), nice: false, zero: false },
        axis: { title: null, labels: false, ticks: false, domain: false },
      },
      y: {
        field: "y",
        type: "quantitative",
        scale: { domain: [0, 1], nice: false },
        axis: yAxis("mean certainty"),
      },
    },
    layer: [
      ...zeroRule(bins, 130),
      { data, mark: { type: "line", color: COLOR, strokeWidth: 2 } },
      { data, mark: { type: "point", filled: true, opacity: 1, color: COLOR, size: 36 } },
    ],
  };
}

function countPanel(bins: readonly Bin[]): Spec {
  const top = bins.reduce((most, { correct }) => Math.max(most, correct), 0);
  const bottom = bins.reduce((most, { wrong }) => Math.max(most, wrong), 0);
  return {
    width: PANEL_WIDTH,
    height: 110,
    encoding: {
      x: {
        field: "from",
        type: "quantitative",
        scale: { domain: domainOf(bins), nice: false, zero: false },
        axis: {
          title: "margin (perplexity units; outliers in the end bins)",
          tickCount: 6,
          labelExpr: PLAIN_NUMBER,
        },
      },
      x2: { field: "to" },
      y: {
        field: "rows",
        type: "quantitative",
        scale: { domain: [-bottom, top], nice: false },
        axis: yAxis("rows", { labelExpr: compactNumber("abs(datum.value)") }),
      },
      y2: { field: "none" },
    },
    layer: [bars(bins, "correct", 1), bars(bins, "wrong", -1), ...zeroRule(bins, 110)],
  };
}

function bars(bins: readonly Bin[], side: "correct" | "wrong", sign: 1 | -1): Spec {
  const values = bins
    .filter((bin) => bin[side] > 0)
    .map((bin) => ({ from: bin.from, to: bin.to, rows: sign * bin[side], none: 0 }));
  return {
    data: inline(values),
    mark: { type: "rect", color: LIGHT[side], opacity: 0.85, stroke: LIGHT.background, strokeWidth: 1 },
  };
}

function zeroRule(bins: readonly Bin[], height: number): Spec[] {
  const [low, high] = domainOf(bins);
  if (low > 0 || high < 0) return [];
  return [
    {
      data: inline([{ x: 0 }]),
      mark: { type: "rule", color: LIGHT.muted, strokeDash: [4, 3], strokeWidth: 1.5 },
      encoding: {
        x: { field: "x", type: "quantitative" },
        x2: { value: null },
        y: { value: 0 },
        y2: { value: height },
      },
    },
  ];
}
