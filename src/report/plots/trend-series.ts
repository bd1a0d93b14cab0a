import type { EvaluationSlice } from "../evaluation.ts";
import { SERIES, type SeriesStyle } from "./plot-theme.ts";

/** Slices that differ in the first slicing column alone. */
export interface TrendSeries {
  readonly name: string;
  readonly style: SeriesStyle;
  readonly points: readonly { readonly x: string; readonly slice: EvaluationSlice }[];
}

/** Groups slices by all slicing columns but the first, in order of first appearance. */
export function trendSeries(slices: readonly EvaluationSlice[], column: string): TrendSeries[] {
  const groups = new Map<string, { x: string; slice: EvaluationSlice }[]>();
  for (const slice of slices) {
    const rest = Object.entries(slice.key).filter(([name]) => name !== column);
    const name = rest.map(([, value]) => value).join(" / ");
    const points = groups.get(name) ?? [];
    points.push({ x: slice.key[column] ?? "", slice });
    groups.set(name, points);
  }
  return [...groups].map(([name, points], i) => ({
    name,
    points,
    style: SERIES[i % SERIES.length] as SeriesStyle,
  }));
}
