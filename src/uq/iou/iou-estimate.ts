import type { NumericArray } from "../../types.ts";
import { histogramCells, type IouCells, type IouMethod, kdeCells, ksCells } from "./iou-cells.ts";
import type { IouNormalize } from "./iou-counts.ts";
import { badOption, edgesOfRanks, givenEdges, type IouEdges, type IouEdgesOptions } from "./iou-edges.ts";
import { compareRanks, type IouRanks } from "./iou-ranks.ts";

/** Remarks on a calibration IoU, each with its meaning in a sentence. */
export const IOU_FLAGS = {
  "small-n":
    "Fewer than 100 rows in a class: the histogram is coarse and the IoU depends on chance; read it with its null mean.",
  "ci-unreliable":
    "The IoU is within 10 % of what identical distributions show at this size, where its bootstrap interval is too low.",
  "ks-upper-bound":
    "The IoU is an upper bound: it follows from the Kolmogorov–Smirnov distance by overlap <= 1 - KS.",
  "kde-fallback":
    "A class has no spread, so a density estimate is impossible: the IoU is that of histograms.",
  infinite: "Rows of infinite uncertainty form a cell of their own beside the bins.",
  "zero-range": "All finite values are equal: there is one bin.",
  "range-fallback":
    "The 0.5 % and 99.5 % quantiles coincide: the bins span the smallest to the largest value.",
  "clusters-merged":
    "There are more than 4096 prompts: they were merged at random into 4096 blocks, and blocks were resampled.",
} as const;

/** The name of a remark on a calibration IoU. */
export type IouFlag = keyof typeof IOU_FLAGS;

/** How the calibration IoU is measured; the defaults are the reference rule. */
export interface IouMethodOptions extends IouEdgesOptions {
  /**
   * Bin edges in units of the input (PPL for `log`), ascending; or those of `iouEdges`. They replace `bins`, `binning`
   * and `range`.
   */
  readonly edges?: NumericArray | IouEdges;
  /**
   * `histogram` (default). `ks`: (1 − KS)/(1 + KS), an upper bound that needs no bins. `kde`: Gaussian kernel densities
   * with Silverman's bandwidth.
   */
  readonly method?: IouMethod;
  /** `density` (default): each class sums to 1. `count`: rows count, so that an imbalance of the classes lowers the IoU. */
  readonly normalize?: IouNormalize;
}

/** A measured overlap, with all that resampling needs. */
export interface IouEstimate {
  readonly edges: IouEdges;
  /** Cells of the histogram, whatever the method. */
  readonly histogram: IouCells;
  /** Cells of the method. */
  readonly cells: IouCells;
  readonly method: IouMethod;
  /** NaN when a class is empty, as `overlap`, `ks` and `auroc`. */
  readonly iou: number;
  readonly overlap: number;
  /** (1 − ks)/(1 + ks) */
  readonly iouKs: number;
  readonly ks: number;
  readonly auroc: number;
  readonly flags: readonly IouFlag[];
}

/** The axis of the options: that of ready edges unless it is named. */
export function scaleOf(options: IouMethodOptions): "log" | "identity" {
  const { edges } = options;
  const given = edges !== undefined && isIouEdges(edges) ? edges.scale : undefined;
  if (given !== undefined && options.scale !== undefined && given !== options.scale) {
    throw badOption("scale", `that of the edges, "${given}"`, options.scale);
  }
  const scale = options.scale ?? given ?? "log";
  if (scale !== "log" && scale !== "identity") throw badOption("scale", '"log" or "identity"', scale);
  return scale;
}

/**
 * Measures the overlap of two classes.
 *
 * @throws CalibrantError `option` for a bad option.
 */
export function estimateIou(correct: IouRanks, wrong: IouRanks, options: IouMethodOptions): IouEstimate {
  const { method = "histogram", normalize = "density" } = options;
  if (normalize !== "density" && normalize !== "count") {
    throw badOption("normalize", '"density" or "count"', normalize);
  }
  const edges = edgesOf(correct, wrong, options);
  const histogram = histogramCells(correct, wrong, edges, normalize);
  const { auc, ks } = compareRanks(correct, wrong);
  const iouKs = (1 - ks) / (1 + ks);
  const base = { edges, histogram, ks, iouKs, auroc: auc };
  const flags: IouFlag[] = [...edges.flags];
  const atoms = [histogram.correct, histogram.wrong].some((cells) => cells[0] !== 0 || cells.at(-1) !== 0);
  if (atoms) flags.push("infinite");
  if (method === "ks") {
    const cells = ksCells(correct, wrong, edges);
    return { ...base, method, cells, iou: iouKs, overlap: 1 - ks, flags: [...flags, "ks-upper-bound"] };
  }
  const kde = method === "kde" ? kdeCells(correct, wrong, edges, normalize) : null;
  if (kde !== null) return { ...base, method, cells: kde, ...kde.measure(kde.correct, kde.wrong), flags };
  if (method === "kde") flags.push("kde-fallback");
  else if (method !== "histogram") throw badOption("method", '"histogram", "ks" or "kde"', method);
  return {
    ...base,
    method: "histogram",
    cells: histogram,
    ...histogram.measure(histogram.correct, histogram.wrong),
    flags,
  };
}

/** The bins that the options ask for. */
export function edgesOf(correct: IouRanks, wrong: IouRanks, options: IouMethodOptions): IouEdges {
  const { edges } = options;
  const scale = scaleOf(options);
  if (edges === undefined) return edgesOfRanks(correct, wrong, { ...options, scale });
  return isIouEdges(edges) ? edges : givenEdges(edges, scale);
}

function isIouEdges(edges: NumericArray | IouEdges): edges is IouEdges {
  return "inputEdges" in edges;
}
