import { type CountsIou, countRanks, type IouNormalize, iouFromCounts } from "./iou-counts.ts";
import { edgesOfRanks, type IouEdges } from "./iou-edges.ts";
import { kdeMeasure } from "./iou-kde.ts";
import { type IouRanks, weightOfFirst } from "./iou-ranks.ts";

/** How the overlap of the two distributions is measured. */
export type IouMethod = "histogram" | "ks" | "kde";

/**
 * The rows of both classes as counts of cells, which is all that the interval and the null need: cell 0 holds −Infinity,
 * then one cell a bin, the last one Infinity.
 */
export interface IouCells {
  /** `(cells)`, weights included. */
  readonly correct: Float64Array;
  readonly wrong: Float64Array;
  /** The bins behind the cells. */
  readonly edges: IouEdges;
  /** IoU and overlap of any counts of these cells; NaN when a class has none. */
  readonly measure: (correct: Float64Array, wrong: Float64Array) => CountsIou;
}

/** Rows of each cell of `edges`, `(bins + 2)`. */
function cellCounts(ranks: IouRanks, edges: IouEdges): Float64Array {
  const bins = countRanks(ranks, edges);
  const cells = new Float64Array(bins.length + 2);
  cells[0] = weightOfFirst(ranks, ranks.start);
  cells.set(bins, 1);
  cells[cells.length - 1] = ranks.total - weightOfFirst(ranks, ranks.end);
  return cells;
}

/** The cells of the method `histogram`. */
export function histogramCells(
  correct: IouRanks,
  wrong: IouRanks,
  edges: IouEdges,
  normalize: IouNormalize,
): IouCells {
  return {
    correct: cellCounts(correct, edges),
    wrong: cellCounts(wrong, edges),
    edges,
    measure: (a, b) => iouFromCounts(a, b, normalize),
  };
}

/** Cells of equal mass over which resamples of the Kolmogorov–Smirnov distance are computed. */
const KS_CELLS = 1024;

/**
 * The cells of the method `ks`: every value has its own while a class has at most 512 rows, beyond that the distance is seen
 * at 1024 points of equal mass, at most 1/1024 below the supremum.
 */
export function ksCells(correct: IouRanks, wrong: IouRanks, edges: IouEdges): IouCells {
  const fine = edgesOfRanks(correct, wrong, { scale: edges.scale, binning: "equal-mass", bins: KS_CELLS });
  return {
    correct: cellCounts(correct, fine),
    wrong: cellCounts(wrong, fine),
    edges: fine,
    measure: ksMeasure,
  };
}

/** The overlap 1 − sup |F_correct − F_wrong| over the cells, in order. */
function ksMeasure(correct: Float64Array, wrong: Float64Array): CountsIou {
  let sumCorrect = 0;
  let sumWrong = 0;
  for (let k = 0; k < correct.length; k++) {
    sumCorrect += correct[k] as number;
    sumWrong += wrong[k] as number;
  }
  if (!(sumCorrect > 0 && sumWrong > 0)) return { iou: Number.NaN, overlap: Number.NaN };
  let difference = 0;
  let largest = 0;
  for (let k = 0; k < correct.length; k++) {
    difference += (correct[k] as number) * sumWrong - (wrong[k] as number) * sumCorrect;
    if (Math.abs(difference) > largest) largest = Math.abs(difference);
  }
  const ks = largest / (sumCorrect * sumWrong);
  return { iou: (1 - ks) / (1 + ks), overlap: 1 - ks };
}

/** The cells of the method `kde`; null when a class has no spread, so that there is no bandwidth. */
export function kdeCells(
  correct: IouRanks,
  wrong: IouRanks,
  edges: IouEdges,
  normalize: IouNormalize,
): IouCells | null {
  const kde = kdeMeasure(correct, wrong, edges, normalize);
  if (kde === null) return null;
  return {
    correct: cellCounts(correct, kde.grid),
    wrong: cellCounts(wrong, kde.grid),
    edges: kde.grid,
    measure: kde.measure,
  };
}
