import { centredInterval } from "../../math/centred-interval.ts";
import { checkLevel } from "../../math/percentile-interval.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import type { Interval, NumericArray } from "../../types.ts";
import type { IouMethod } from "./iou-cells.ts";
import { badOption } from "./iou-edges.ts";
import {
  estimateIou,
  type IouEstimate,
  type IouFlag,
  type IouMethodOptions,
  scaleOf,
} from "./iou-estimate.ts";
import { type BlockRun, blockSampler, iouOfCells, rowSampler } from "./iou-interval.ts";
import { iouNull } from "./iou-null.ts";
import { rankRows } from "./iou-ranks.ts";
import { type IouRows, type IouSide, usableRows } from "./iou-rows.ts";
import { resampledUnits } from "./iou-units.ts";

/** Options of the resampling behind intervals and nulls. */
export interface IouResamplingOptions {
  /** Bootstrap resamples behind the interval. Default 1000; 0 = no interval. */
  readonly resamples?: number;
  /** Level of the interval, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Default 0. The same seed and data give the same result. */
  readonly seed?: number;
}

/** Options of {@link calibrationIou}. */
export interface CalibrationIouOptions extends IouMethodOptions, IouResamplingOptions {
  /** Permutations of the labels behind `nullMean` and `pValue`. Default 200; 0 = neither. */
  readonly permutations?: number;
  /**
   * Codes of the prompt of each row, whole numbers from 0; the same code on both sides is the same prompt, and its rows are
   * resampled together. A negative code is a prompt of its own. Default: every row is independent.
   */
  readonly clusters?: { readonly correct: NumericArray; readonly wrong: NumericArray };
}

/** One number for each class. */
export interface PerClass<T = number> {
  readonly correct: T;
  readonly wrong: T;
}

/** The result of {@link calibrationIou}. */
export interface CalibrationIou {
  /** Intersection over union of the two distributions, in [0, 1]: 0 = separated, 1 = alike. NaN when a class is empty. */
  readonly iou: number;
  /** The overlapping coefficient OVL in [0, 1]; `iou = overlap / (2 − overlap)`. */
  readonly overlap: number;
  /** Why `iou` is NaN; null when it is a number. */
  readonly reason: "empty" | null;
  /** The method that was used: `kde` falls back to `histogram`. */
  readonly method: IouMethod;
  /** Number of bins. */
  readonly bins: number;
  /** Bin edges on the axis (ln PPL for `log`), `(bins + 1)`. */
  readonly edges: Float64Array;
  /** Bin edges in perplexity, `(bins + 1)`; null on the scale `identity`. */
  readonly edgesPpl: Float64Array | null;
  /** Finite rows of each bin, weights included, `(bins)` each. */
  readonly counts: PerClass<Float64Array>;
  /** Rows used, infinite ones included, weights not. */
  readonly n: PerClass;
  /** Rows at +Infinity, weights included: one cell of the IoU beside the bins. */
  readonly infinite: PerClass;
  /** Rows at −Infinity (`identity` only), weights included: another cell. */
  readonly negativeInfinite: PerClass;
  /** Rows left out because their uncertainty is NaN. */
  readonly excluded: PerClass;
  /** Kolmogorov–Smirnov distance of the classes, in [0, 1]. */
  readonly ks: number;
  /** (1 − ks)/(1 + ks): an upper bound of the IoU of the distributions, without bins. */
  readonly iouKs: number;
  /** P(u wrong > u correct) + P(equal)/2, in [0, 1]: how well the uncertainty ranks wrong rows above correct ones. */
  readonly auroc: number;
  /** Bootstrap interval of `iou`; null without resamples or for an empty class. */
  readonly interval: Interval | null;
  /** Mean IoU when the labels are permuted: what identical distributions show at this size, not 1. NaN if not computed. */
  readonly nullMean: number;
  /** Share of permutations with an IoU at or below this one: small = the classes differ. NaN if not computed. */
  readonly pValue: number;
  /** Independent units that were resampled: prompts, or rows without clusters. */
  readonly clusters: number;
  /** Remarks that a reader must know; `IOU_FLAGS` has them in words. */
  readonly flags: readonly IouFlag[];
}

/**
 * Calibration IoU: |Correct ∩ Wrong| / |Correct ∪ Wrong| of the distributions of uncertainty of correct and wrong
 * decisions (TRUST Eq. 10). It measures how far the uncertainty separates the two, as AUROC does, not calibration in
 * the sense of the ECE, and is unchanged by monotone maps up to binning.
 *
 * The paper names no bins, axis or normalisation. Here: x = ln PPL; ⌈2·∛min(n_c, n_w)⌉ uniform bins, 5 to 100 (Rice);
 * from the 0.5 % to the 99.5 % inverse-CDF quantile of the class-balanced pool of finite values, outliers in the end
 * bins; +Infinity in a cell of its own, which moves no edge; each class a distribution of sum 1;
 * IoU = Σ min / Σ max = OVL/(2 − OVL).
 *
 * Interval: percentiles of bootstrap resamples with fixed edges, moved by the mean difference between resamples and
 * estimate, because histograms of resamples overlap less than those of samples. In simulations with 100 to 2000 rows a
 * class a nominal 95 % cover the true IoU in 90 to 95 % unless `ci-unreliable` is flagged. Correct and wrong rows are
 * drawn jointly, whole prompts where `clusters` are given. More than 4096 prompts (or weighted rows) are merged at
 * random into 4096 blocks, which keeps the expected variance. Null: labels permuted over single rows.
 *
 * Cost O(n) plus O(bins · resamples); with clusters or weights O(4096 · bins · resamples) at most.
 *
 * @param correct uncertainties of correct rows, `(n_c)`; perplexities on the scale `log`, where values in [1 − 1e-6, 1)
 *   are float32 rounding and count as 1. NaN = missing, left out and counted.
 * @param wrong the same of wrong rows, `(n_w)`
 * @throws CalibrantRangeError for a perplexity below 1, a negative weight, a level outside (0, 1).
 * @throws CalibrantError `length-mismatch` for weights or clusters of another length, `option` for a bad option.
 *
 * @example
 * ```ts
 * import { calibrationIou } from "calibrant/uq";
 * const result = calibrationIou([1, 1.1, 1.2, 1.3], [1.05, 1.15, 2, 2.5]);
 * console.log(result.iou, result.bins, result.auroc); // 0.3333333333333333 5 0.6875
 * console.log(result.flags); // [ 'small-n', 'ci-unreliable' ]
 * ```
 */
export function calibrationIou(
  correct: NumericArray,
  wrong: NumericArray,
  options: CalibrationIouOptions = {},
): CalibrationIou {
  const { resamples = 1000, permutations = 200, level = 0.95, seed = 0, weights, clusters } = options;
  checkResampling(resamples, level, seed);
  checkCount("permutations", permutations);
  const scale = scaleOf(options);
  const rowsOf = (side: IouSide, values: NumericArray): IouRows =>
    usableRows({ side, values, weights: weights?.[side], clusters: clusters?.[side], scale });
  const rows = { correct: rowsOf("correct", correct), wrong: rowsOf("wrong", wrong) };
  const estimate = estimateIou(rankRows(rows.correct), rankRows(rows.wrong), options);
  const { iou } = estimate;
  const flags: IouFlag[] = [...estimate.flags];
  if (Math.min(rows.correct.values.length, rows.wrong.values.length) < 100) flags.push("small-n");
  const run = { ...rows, cells: estimate.cells };
  const bootstrap = bootstrapIou(run, iou, { resamples, level, seed });
  if (bootstrap.merged) flags.push("clusters-merged");
  const nothing = Number.isNaN(iou) ? 0 : permutations;
  const { nullMean, pValue } = iouNull(run, nothing, seededRandom(seed ^ NULL_STREAM));
  if (iou > 0.9 * nullMean) flags.push("ci-unreliable");
  const { interval, clusters: units } = bootstrap;
  return { iou, ...described(estimate, rows), interval, nullMean, pValue, clusters: units, flags };
}

/** Sets the stream of the permutations apart from that of the bootstrap. */
const NULL_STREAM = 0x9e3779b9;

function bootstrapIou(
  run: BlockRun,
  iou: number,
  { resamples, level, seed }: Required<IouResamplingOptions>,
): { interval: Interval | null; clusters: number; merged: boolean } {
  const random = seededRandom(seed);
  const { correct, wrong, cells } = run;
  const inBlocks = [correct, wrong].some((rows) => rows.weights !== null || rows.clusters !== null);
  const rows = correct.values.length + wrong.values.length;
  const units = inBlocks ? resampledUnits([correct, wrong], random) : null;
  const clusters = units?.units ?? rows;
  if (resamples === 0 || Number.isNaN(iou)) return { interval: null, clusters, merged: false };
  const draw = units === null ? rowSampler(cells, random) : blockSampler([run], units, random);
  const drawn = new Float64Array(2 * cells.correct.length);
  const replicates = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    draw(drawn);
    replicates[i] = iouOfCells(cells, drawn);
  }
  const ends = centredInterval(iou, replicates, level, { low: 0, high: 1 });
  const interval = Number.isNaN(ends.low) ? null : ends;
  return { interval, clusters, merged: units?.merged ?? false };
}

/** The fields of the result that resampling does not touch. */
function described(
  estimate: IouEstimate,
  rows: PerClass<IouRows>,
): Omit<CalibrationIou, "iou" | "interval" | "nullMean" | "pValue" | "clusters" | "flags"> {
  const { edges, histogram, method, overlap, ks, iouKs, auroc } = estimate;
  const last = histogram.correct.length - 1;
  const ofBoth = <T>(pick: (cells: Float64Array) => T): PerClass<T> => ({
    correct: pick(histogram.correct),
    wrong: pick(histogram.wrong),
  });
  return {
    overlap,
    reason: Number.isNaN(overlap) ? "empty" : null,
    method,
    bins: last - 1,
    edges: edges.edges.slice(),
    edgesPpl: edges.scale === "log" ? edges.inputEdges.slice() : null,
    counts: ofBoth((cells) => cells.slice(1, last)),
    n: { correct: rows.correct.values.length, wrong: rows.wrong.values.length },
    infinite: ofBoth((cells) => cells[last] as number),
    negativeInfinite: ofBoth((cells) => cells[0] as number),
    excluded: { correct: rows.correct.excluded, wrong: rows.wrong.excluded },
    ks,
    iouKs,
    auroc,
  };
}

/**
 * Checks the options of a bootstrap.
 *
 * @throws CalibrantError `option`, CalibrantRangeError for the level.
 */
export function checkResampling(resamples: number, level: number, seed: number): void {
  checkCount("resamples", resamples);
  checkLevel(level);
  if (!Number.isSafeInteger(seed)) throw badOption("seed", "a whole number", seed);
}

function checkCount(name: string, value: number): void {
  if (!(Number.isInteger(value) && value >= 0 && value <= 1_000_000)) {
    throw badOption(name, "a whole number from 0 to 1000000", value);
  }
}
