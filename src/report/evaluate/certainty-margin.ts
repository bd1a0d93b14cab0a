import { sortedCopy } from "../../math/sort-numbers.ts";
import type { CertaintyMargin } from "../evaluation.ts";
import type { SliceRows } from "./split-rows.ts";

const BINS = 40;
/** Rows that the range is taken from: all, or every k-th. */
const RANGE_ROWS = 1 << 16;

/**
 * Rows by margin: 40 uniform bins between the 1 % and 99 % quantiles of the finite margins, rows outside in the end bins.
 * Null without both columns or without a finite margin.
 */
export function certaintyMargin(rows: SliceRows): CertaintyMargin | null {
  const { margin, certainty } = rows.extra;
  if (margin === undefined || certainty === undefined) return null;
  const range = marginRange(margin);
  if (range === null) return null;
  const [low, high] = range;
  const bins = high > low ? BINS : 1;
  const count = new Float64Array(bins);
  const sum = new Float64Array(bins);
  const correct = new Float64Array(bins);
  const wrong = new Float64Array(bins);
  for (let row = 0; row < rows.rows; row += 1) {
    const value = margin[row] as number;
    if (Number.isNaN(value)) continue;
    const w = rows.weights === null ? 1 : (rows.weights[row] as number);
    const place = bins === 1 ? 0 : Math.floor(((value - low) / (high - low)) * bins);
    const bin = Math.max(0, Math.min(bins - 1, place));
    const sure = certainty[row] as number;
    if (!Number.isNaN(sure)) {
      count[bin] = (count[bin] as number) + w;
      sum[bin] = (sum[bin] as number) + w * sure;
    }
    if (rows.y[row] === 1) correct[bin] = (correct[bin] as number) + w;
    else if (rows.y[row] === 0) wrong[bin] = (wrong[bin] as number) + w;
  }
  return {
    edges: Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins),
    correct: [...correct],
    wrong: [...wrong],
    certainty: Array.from(sum, (total, bin) => total / (count[bin] as number)),
  };
}

function marginRange(margin: Float64Array): readonly [number, number] | null {
  const step = Math.max(1, Math.ceil(margin.length / RANGE_ROWS));
  const finite: number[] = [];
  for (let row = 0; row < margin.length; row += step) {
    if (Number.isFinite(margin[row])) finite.push(margin[row] as number);
  }
  if (finite.length === 0) return null;
  const sorted = sortedCopy(finite);
  const at = (p: number): number => sorted[Math.round(p * (sorted.length - 1))] as number;
  return [at(0.01), at(0.99)];
}
