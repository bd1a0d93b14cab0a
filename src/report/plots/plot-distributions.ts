import type { Evaluation, EvaluationSlice } from "../evaluation.ts";
import { formatCount } from "../format-number.ts";
import type { Plot } from "../plot.ts";
import { sliceName } from "../render/slice-name.ts";
import type { NumberedSlice } from "./numbered-slice.ts";
import { dashed, frame, inline, PANEL_WIDTH, type Spec, TEXT_SIZE, yAxis } from "./plot-frame.ts";
import { type LegendEntry, legend } from "./plot-legend.ts";
import { fixed, withInterval } from "./plot-text.ts";
import { LIGHT } from "./plot-theme.ts";
import { type UncertaintyAxis, uncertaintyAxis } from "./uncertainty-axis.ts";

const METHOD_NAMES = {
  histogram: "IoU",
  ks: "IoU (from the KS distance: an upper bound)",
  kde: "IoU (kernel density)",
};
const WRONG_DASH = [6, 3];
const HEIGHT = 210;
/** Pictures share the y axis unless the highest peak is more than this many times the lowest. */
const SHARED_PEAKS = 5;

/**
 * The distributions of the uncertainty of correct and wrong rows, one picture a slice (TRUST, Fig. 3): stepped densities
 * over the shared bins, what they have in common shaded, the medians as thin rules. No picture for a slice
 * without rows of finite uncertainty.
 */
export function plotDistributions(
  evaluation: Pick<Evaluation, "iou" | "columns">,
  slices: readonly NumberedSlice[],
): Plot[] {
  const shown = slices.filter(({ slice }) => hasFinite(slice));
  const axis = uncertaintyAxis(evaluation, shown.some(hasInfinite));
  if (axis === null) return [];
  const densities = shown.map(({ slice }) => densitiesOf(evaluation, axis, slice));
  const peaks = densities.map(({ peak }) => peak).filter((peak) => peak > 0);
  const shared = Math.max(...peaks) <= SHARED_PEAKS * Math.min(...peaks);
  return shown.map(({ index, slice }, i) => {
    const own = densities[i] as Densities;
    const top = shared ? Math.max(...peaks) : own.peak;
    return pictureOf(evaluation, axis, { index, slice, densities: own, top: top > 0 ? top : 1 });
  });
}

function hasFinite({ correct, wrong, histogram }: EvaluationSlice): boolean {
  return correct + wrong > histogram.infinite.correct + histogram.infinite.wrong;
}

function hasInfinite({ slice }: NumberedSlice): boolean {
  return slice.histogram.infinite.correct + slice.histogram.infinite.wrong > 0;
}

interface Densities {
  /** Edges of the steps, `(steps + 1)`, and heights, `(steps)`: the bins, then a gap and the cell of infinite rows. */
  readonly edges: readonly number[];
  readonly correct: readonly number[];
  readonly wrong: readonly number[];
  readonly peak: number;
  /** What the height is. */
  readonly unit: "rows" | "share of class";
  /** A lone bin of no width: the height is not by width. */
  readonly flat: boolean;
}

interface Picture extends NumberedSlice {
  readonly densities: Densities;
  readonly top: number;
}

/** Share of the class (or rows, for `normalize: "count"`) by width; a lone bin of no width has its share. */
function densitiesOf(
  { iou }: Pick<Evaluation, "iou">,
  { cell }: UncertaintyAxis,
  { histogram }: EvaluationSlice,
): Densities {
  const counted = iou.normalize === "count";
  const at = iou.edges[0] as number;
  const flat = at === iou.edges[iou.edges.length - 1];
  const edges = [...(flat ? [at - 0.02, at + 0.02] : iou.edges), ...(cell ?? [])];
  const heights = (bins: readonly number[], infinite: number): number[] => {
    const counts = [...(flat ? [total(bins)] : bins), ...(cell === null ? [] : [0, infinite])];
    const n = counted ? 1 : total(counts);
    return counts.map((count, step) => {
      const width = flat ? 1 : (edges[step + 1] as number) - (edges[step] as number);
      return count === 0 || width === 0 ? 0 : count / n / width;
    });
  };
  const correct = heights(histogram.correct, histogram.infinite.correct);
  const wrong = heights(histogram.wrong, histogram.infinite.wrong);
  return {
    edges,
    correct,
    wrong,
    peak: [...correct, ...wrong].reduce((peak, value) => Math.max(peak, value), 0),
    unit: counted ? "rows" : "share of class",
    flat,
  };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function pictureOf(evaluation: Pick<Evaluation, "iou">, axis: UncertaintyAxis, picture: Picture): Plot {
  const { index, slice } = picture;
  const iou = `${METHOD_NAMES[evaluation.iou.method]} ${withInterval(slice.metrics.iou)}`;
  const nullMean = Number.isFinite(slice.iouNull.mean)
    ? `identical classes would read ${fixed(slice.iouNull.mean)}`
    : null;
  const medians = mediansOf(slice, axis);
  const name = sliceName(slice).label;
  const description =
    `Distribution of ${axis.name} of ${formatCount(slice.correct)} correct and ${formatCount(slice.wrong)} wrong rows of ` +
    `${name}: ${iou}${nullMean === null ? "" : `; ${nullMean}`}.` +
    medians.map(({ side, value }) => ` The median of ${side} rows is ${fixed(value)}.`).join("");
  const lines = evaluation.iou.method === "histogram" && nullMean !== null ? [`${iou}; ${nullMean}`] : [iou];
  if (evaluation.iou.method !== "histogram" && nullMean !== null) lines.push(nullMean);
  if (medians.length > 0)
    lines.push(
      `medians: ${medians.map(({ side, value }) => `${fixed(value)} ${side}`).join(", ")} (thin rules)`,
    );
  return {
    id: `distributions-${index}`,
    kind: "distributions",
    title: `Uncertainty of correct and wrong rows: ${name}`,
    description,
    slice: slice.label,
    spec: frame({ title: name, lines, description }, [
      legend(legendOf(slice)),
      densityPanel(axis, picture, medians),
    ]),
  };
}

interface Median {
  readonly side: "correct" | "wrong";
  readonly value: number;
  readonly x: number;
}

/** The medians that are numbers; those beyond the axis are named, but not drawn. */
function mediansOf(slice: EvaluationSlice, axis: UncertaintyAxis): Median[] {
  const both = [
    { side: "correct" as const, value: slice.metrics.ppl_correct.value },
    { side: "wrong" as const, value: slice.metrics.ppl_wrong.value },
  ];
  return both
    .filter(({ value }) => !Number.isNaN(value))
    .map(({ side, value }) => ({ side, value, x: axis.place(value) }));
}

function legendOf(slice: EvaluationSlice): LegendEntry[] {
  const textOf = (side: "correct" | "wrong"): string => `${side} (n=${formatCount(slice[side])})`;
  const entries: LegendEntry[] = [];
  if (slice.correct > 0) entries.push({ mark: "line", text: textOf("correct"), color: LIGHT.correct });
  if (slice.wrong > 0)
    entries.push({ mark: "line", text: textOf("wrong"), color: LIGHT.wrong, dash: WRONG_DASH });
  if (entries.length === 2)
    entries.push({ mark: "area", text: "overlap", color: LIGHT.overlap, opacity: 0.5 });
  return entries;
}

function densityPanel(axis: UncertaintyAxis, picture: Picture, medians: readonly Median[]): Spec {
  const { densities, slice } = picture;
  const remarks = infiniteRemarks(slice, axis.name);
  const x = {
    field: "x",
    type: "quantitative",
    scale: { domain: [axis.domain[0], axis.cell?.[1] ?? axis.domain[1]], nice: false, zero: false },
    axis: axis.axis,
  };
  const title = densities.flat ? densities.unit : `${densities.unit} per ${axis.per}`;
  const y = {
    field: "y",
    type: "quantitative",
    scale: { domain: [0, picture.top * (1.04 + 0.1 * remarks.length)], nice: false },
    axis: yAxis(title),
  };
  const overlap = densities.correct.map((value, bin) => Math.min(value, densities.wrong[bin] as number));
  const sides = (["correct", "wrong"] as const).filter((side) => slice[side] > 0);
  return {
    width: PANEL_WIDTH,
    height: HEIGHT,
    encoding: { x, y },
    layer: [
      ...sides.map((side) => area(densities.edges, densities[side], LIGHT[side], 0.18)),
      ...(sides.length === 2 ? [area(densities.edges, overlap, LIGHT.overlap, 0.5)] : []),
      ...sides.map((side) =>
        outline(densities.edges, densities[side], LIGHT[side], side === "wrong" ? WRONG_DASH : []),
      ),
      ...medians
        .filter(({ x }) => x >= axis.domain[0] && x <= axis.domain[1])
        .map((median) => medianRule(median, 16 * remarks.length)),
      ...remarks.map(remarkText),
    ],
  };
}

function area(edges: readonly number[], heights: readonly number[], color: string, opacity: number): Spec {
  const values = edges.map((x, k) => ({ x, y: heights[Math.min(k, heights.length - 1)] as number }));
  return { data: inline(values), mark: { type: "area", interpolate: "step-after", color, opacity } };
}

function outline(
  edges: readonly number[],
  heights: readonly number[],
  color: string,
  dash: readonly number[],
): Spec {
  const steps = edges.map((x, k) => ({ x, y: k < heights.length ? (heights[k] as number) : 0 }));
  const values = [{ x: edges[0] as number, y: 0 }, ...steps];
  return {
    data: inline(values),
    mark: { type: "line", interpolate: "step-after", color, strokeWidth: 2, ...dashed(dash), clip: true },
  };
}

function medianRule({ side, x }: Median, from: number): Spec {
  return {
    data: inline([{ x }]),
    mark: { type: "rule", color: LIGHT[side], strokeWidth: 1, ...dashed(side === "wrong" ? [3, 2] : []) },
    encoding: { y: { value: from }, y2: { value: HEIGHT } },
  };
}

function infiniteRemarks(
  slice: EvaluationSlice,
  name: string,
): { side: "correct" | "wrong"; text: string }[] {
  return (["correct", "wrong"] as const)
    .filter((side) => slice.histogram.infinite[side] > 0)
    .map((side) => ({
      side,
      text: `${formatCount(slice.histogram.infinite[side])} ${side} of infinite ${name} (∞)`,
    }));
}

function remarkText({ text, side }: { side: "correct" | "wrong"; text: string }, row: number): Spec {
  return {
    data: inline([{}]),
    mark: { type: "text", align: "right", baseline: "top", color: LIGHT[side], fontSize: TEXT_SIZE - 1 },
    encoding: { x: { value: PANEL_WIDTH - 4 }, y: { value: 3 + 15 * row }, text: { value: text } },
  };
}
