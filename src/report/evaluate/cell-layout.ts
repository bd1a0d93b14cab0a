import { sortedCopy } from "../../math/sort-numbers.ts";
import { RESIDUAL_CELLS, smoothingKernel } from "./smoothing-kernel.ts";
import type { SliceRows } from "./split-rows.ts";

/** Cells of the ordering by uncertainty. */
const RANK_CELLS = 64;
/** Rows that the boundaries of rank cells are taken from: all, or every k-th. */
const BOUNDARY_ROWS = 1 << 16;

/** Places of the sums of single numbers, after the cells; a mean has the sum of its weights and that of its values. */
export const SCALAR = {
  labelled: 0,
  right: 1,
  brier: 2,
  nll: 3,
  rewardWeight: 4,
  reward: 5,
  certaintyWeight: 6,
  certainty: 7,
  marginWeight: 8,
  margin: 9,
} as const;
const SCALARS = 10;

/**
 * What is summed over the rows of a slice so that every metric of a resample follows from sums alone: the counts of the
 * IoU's bins, the three sums of every ECE bin, counts of both classes in cells of the ordering, and single numbers.
 */
export interface CellLayout {
  /** Edges of the IoU's bins on the axis; empty without a finite value, all rows being in one bin then. */
  readonly edges: Float64Array;
  readonly bins: number;
  /** The bins, one cell for +Infinity and one for -Infinity. */
  readonly valueCells: number;
  readonly eceBins: number;
  /** Upper ends of the rank cells but the last, ascending and distinct; a value equal to an end is below it. */
  readonly rankEnds: Float64Array;
  /** Least and greatest value of every rank cell, for medians inside cells. */
  readonly rankLow: Float64Array;
  readonly rankHigh: Float64Array;
  /** The axis is ln PPL: medians are shown as perplexities. */
  readonly logAxis: boolean;
  readonly normalize: "density" | "count";
  /** Spreads residuals over confidence, see `smoothingKernel`. */
  readonly kernel: Float64Array;
  /** Offsets of the groups of sums, and their number. */
  readonly at: {
    readonly correct: number;
    readonly wrong: number;
    readonly eceCount: number;
    readonly eceConfidence: number;
    readonly eceRight: number;
    readonly rankCorrect: number;
    readonly rankWrong: number;
    readonly residual: number;
    readonly scalars: number;
    readonly size: number;
  };
}

/** The choices of a report that shape a layout. */
export interface LayoutSettings extends Pick<CellLayout, "eceBins" | "logAxis" | "normalize"> {
  /** Bandwidth of the smooth calibration error of all rows; NaN without confidences. */
  readonly bandwidth: number;
}

/** The layout for some rows; rank cells hold about equal numbers of them, and single values where there are few. */
export function cellLayout(
  rows: SliceRows,
  edges: Float64Array,
  { bandwidth, ...settings }: LayoutSettings,
): CellLayout {
  const bins = Math.max(1, edges.length - 1);
  const { ends, low, high } = rankCells(rows.x);
  const cells = ends.length + 1;
  const { eceBins } = settings;
  const valueCells = bins + 2;
  const eceCount = 2 * valueCells;
  const rankCorrect = eceCount + 3 * eceBins;
  const residual = rankCorrect + 2 * cells;
  const scalars = residual + RESIDUAL_CELLS;
  return {
    edges,
    bins,
    valueCells,
    ...settings,
    kernel: smoothingKernel(bandwidth || 0),
    rankEnds: ends,
    rankLow: low,
    rankHigh: high,
    at: {
      correct: 0,
      wrong: valueCells,
      eceCount,
      eceConfidence: eceCount + eceBins,
      eceRight: eceCount + 2 * eceBins,
      rankCorrect,
      rankWrong: rankCorrect + cells,
      residual,
      scalars,
      size: scalars + SCALARS,
    },
  };
}

function rankCells(x: Float64Array): { ends: Float64Array; low: Float64Array; high: Float64Array } {
  const step = Math.max(1, Math.ceil(x.length / BOUNDARY_ROWS));
  const sample = new Float64Array(Math.ceil(x.length / step));
  let n = 0;
  for (let row = 0; row < x.length; row += step) {
    if (!Number.isNaN(x[row])) sample[n++] = x[row] as number;
  }
  const sorted = sortedCopy(sample.subarray(0, n));
  const ends: number[] = [];
  const low: number[] = [];
  for (let cell = 0; cell < RANK_CELLS && n > 0; cell += 1) {
    const end = sorted[Math.ceil(((cell + 1) * n) / RANK_CELLS) - 1] as number;
    const last = ends[ends.length - 1];
    if (last !== undefined && end <= last) continue;
    low.push(last === undefined ? (sorted[0] as number) : last);
    ends.push(end);
  }
  const high = Float64Array.from(ends);
  return { ends: high.slice(0, Math.max(0, high.length - 1)), low: Float64Array.from(low), high };
}
