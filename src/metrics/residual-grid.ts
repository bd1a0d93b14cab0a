import {
  type ConfidenceRows,
  forConfidenceRows,
  isUsable,
  type NanPolicy,
  type RowBlock,
} from "./confidence-rows.ts";

/** Intervals of the finest grid: at the smallest bandwidth, 0.001, a bandwidth is 16 of them. */
export const GRID_INTERVALS = 16384;

/** Sums on the grid 0, 1/m, …, 1 with m = {@link GRID_INTERVALS}: all that a smooth calibration error needs. */
export interface ResidualSums {
  /** Σw(y − p), each row shared between its two neighbours in proportion to their closeness, `(m + 1)`. */
  readonly residual: Float64Array;
  /** Σw at the nearest node, `(m + 1)`. */
  readonly count: Float64Array;
}

/** Gathers {@link ResidualSums} from rows in any number of batches, in order, so any split gives the same bits. Cost O(n). */
export class ResidualGrid {
  /** Rows added, excluded ones too. */
  rows: number;
  /** Rows left out because their confidence is NaN. */
  excluded: number;
  /** The sums so far, live: later rows are added to these arrays. */
  readonly sums: ResidualSums;

  constructor() {
    this.rows = 0;
    this.excluded = 0;
    this.sums = {
      residual: new Float64Array(GRID_INTERVALS + 1),
      count: new Float64Array(GRID_INTERVALS + 1),
    };
  }

  /**
   * Adds rows.
   *
   * @param nan what to do with a NaN confidence, default `"throw"`
   * @throws CalibrantRangeError for a confidence outside [0, 1], a NaN one unless excluded, or a bad weight.
   * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch` for arrays of unequal length.
   */
  add(rows: ConfidenceRows, nan: NanPolicy = "throw"): void {
    const { residual, count } = this.sums;
    this.excluded += forConfidenceRows(rows, nan, (block, from) => addToGrid(block, from, residual, count));
    this.rows += rows.confidence.length;
  }
}

function addToGrid(block: RowBlock, from: number, residual: Float64Array, count: Float64Array): number {
  const { confidence, correct, weights } = block;
  for (let i = from; i < confidence.length; i++) {
    const p = confidence[i] as number;
    const y = correct[i] as number;
    const w = weights === null ? 1 : (weights[i] as number);
    if (!isUsable(p, y, w)) return i;
    const position = p * GRID_INTERVALS;
    const node = Math.min(GRID_INTERVALS - 1, position | 0);
    const above = position - node;
    const part = w * (y - p);
    residual[node] = (residual[node] as number) + (1 - above) * part;
    residual[node + 1] = (residual[node + 1] as number) + above * part;
    const nearest = (position + 0.5) | 0;
    count[nearest] = (count[nearest] as number) + w;
  }
  return confidence.length;
}

/** Intervals of the grid whose end nodes relplot takes without their mirror images. */
const END_INTERVALS = 1024;
const COARSEST_INTERVALS = 256;

/**
 * The same masses on grids of 16384, 8192, … 256 intervals. Sharing a row between the nodes of a coarse grid, or between
 * those of the fine grid and these between the coarse ones, is the same.
 *
 * End nodes have no mirror image in the smoothing, so half of them is lost. That is meant for the end nodes of the grid
 * of 1024 intervals and of finer ones; on a coarser grid what the end nodes get from their neighbours counts twice.
 */
export function coarserGrids(masses: Float64Array): readonly Float64Array[] {
  const grids = [masses];
  for (let m = GRID_INTERVALS / 2; m >= COARSEST_INTERVALS; m /= 2) {
    grids.push(halved(grids.at(-1) as Float64Array, m < END_INTERVALS ? 1 : 0.5));
  }
  return grids;
}

function halved(fine: Float64Array, endShare: number): Float64Array {
  const last = (fine.length - 1) / 2;
  const coarse = new Float64Array(last + 1);
  for (let j = 1; j < last; j++) {
    const beside = (fine[2 * j - 1] as number) + (fine[2 * j + 1] as number);
    coarse[j] = (fine[2 * j] as number) + beside / 2;
  }
  coarse[0] = (fine[0] as number) + (fine[1] as number) * endShare;
  coarse[last] = (fine[2 * last] as number) + (fine[2 * last - 1] as number) * endShare;
  return coarse;
}

/** The rows at the end nodes of a grid of m intervals: half of their mass is lost in the smoothing. */
export function endRows(count: Float64Array, m: number): number {
  const ratio = GRID_INTERVALS / Math.max(m, END_INTERVALS);
  let rows = 0;
  for (let j = 0; j < ratio; j++) {
    rows += ((count[j] as number) + (count[GRID_INTERVALS - j] as number)) * (1 - j / ratio);
  }
  return rows;
}
