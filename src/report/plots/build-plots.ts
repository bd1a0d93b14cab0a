import type { Evaluation, EvaluationSlice } from "../evaluation.ts";
import type { Plot } from "../plot.ts";
import type { NumberedSlice } from "./numbered-slice.ts";
import { plotCertaintyMargin } from "./plot-certainty-margin.ts";
import { plotDistributions } from "./plot-distributions.ts";
import { plotOverview } from "./plot-overview.ts";
import { plotReliability } from "./plot-reliability.ts";
import { plotRiskCoverage } from "./plot-risk-coverage.ts";
import { plotTrend } from "./plot-trend.ts";

/** So many slices get pictures of their own (distributions, reliability, certainty), spread evenly over the report's order. */
export const PICTURED_SLICES = 12;

/**
 * The pictures of a report, in the order in which they are shown: distributions of each slice, overview, trend,
 * reliability, risk and coverage, certainty by margin; those of up to {@link PICTURED_SLICES} slices, the first and the
 * last among them, then that of all rows. What cannot be drawn is left out: there is no picture without rows, and no overview or trend of one slice.
 */
export function buildPlots(evaluation: Omit<Evaluation, "plots">): Plot[] {
  const { overall, slices } = evaluation;
  const pictured: NumberedSlice[] = [
    ...spread(slices.length).map((i) => ({ index: i + 1, slice: slices[i] as EvaluationSlice })),
    { index: 0, slice: overall },
  ];
  const single = [plotOverview(evaluation), plotTrend(evaluation)];
  const risk = plotRiskCoverage(slices.length === 0 ? [overall] : slices);
  return [
    ...plotDistributions(evaluation, pictured),
    ...single.filter((plot) => plot !== null),
    ...plotReliability(evaluation, pictured),
    ...(risk === null ? [] : [risk]),
    ...plotCertaintyMargin(pictured),
  ];
}

/** Indices of the pictured slices: all, or evenly from the first to the last. */
function spread(slices: number): number[] {
  const shown = Math.min(slices, PICTURED_SLICES);
  return Array.from({ length: shown }, (_, i) =>
    slices <= PICTURED_SLICES ? i : Math.round((i * (slices - 1)) / (shown - 1)),
  );
}
