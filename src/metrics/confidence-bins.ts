import { BLOCK_ROWS, float64Block } from "../math/float64-block.ts";
import type { NumericArray } from "../types.ts";
import { uniformEdges } from "./confidence-edges.ts";
import {
  type ConfidenceRows,
  forConfidenceRows,
  isUsable,
  type NanPolicy,
  type RowBlock,
  type RowKernel,
} from "./confidence-rows.ts";

/** Sums over the rows of each confidence bin: all that a calibration error, its null and a reliability diagram need. */
export interface BinSums {
  /** `(bins + 1)`, ascending; bin k is (edges[k], edges[k + 1]], the first bin is closed. */
  readonly edges: Float64Array;
  /** Σw: the rows of the bin, weights included, `(bins)`. */
  readonly count: Float64Array;
  /** Σw·p with the confidence p, `(bins)`. */
  readonly confidence: Float64Array;
  /** Σw·y with y = 1 for a correct row, `(bins)`. */
  readonly correct: Float64Array;
  /** Σw·p(1 − p): the variance of the number of correct rows if every confidence is exact, `(bins)`. */
  readonly variance: Float64Array;
}

/** Sums of a bin, side by side in memory: count, confidence, correct, variance. */
const FIELDS = 4;

/**
 * Gathers {@link BinSums} from rows in any number of batches. Rows are added in order into float64, so any split into
 * batches gives the same bits. Cost O(n), for edges that are not uniform O(n log bins); nothing is allocated for a row.
 */
export class ConfidenceBins {
  /** Rows added, excluded ones too. */
  rows: number;
  /** Rows left out because their confidence is NaN. */
  excluded: number;
  readonly #edges: Float64Array;
  /** `edges` with -Infinity first. */
  readonly #lower: Float64Array;
  readonly #uniform: boolean;
  /** Two lanes of {@link FIELDS} sums a bin; rows go to them by turns. */
  readonly #sums: Float64Array;

  /** @param edges `(bins + 1)`, ascending, of `uniformEdges` or `quantileEdges`. */
  constructor(edges: Float64Array) {
    this.rows = 0;
    this.excluded = 0;
    this.#edges = edges.slice();
    this.#lower = lowerEdges(edges);
    this.#uniform = isUniform(edges);
    this.#sums = new Float64Array(2 * FIELDS * Math.max(0, edges.length - 1));
  }

  /**
   * Adds rows.
   *
   * @param nan what to do with a NaN confidence, default `"throw"`
   * @throws CalibrantRangeError for a confidence outside [0, 1], a NaN one unless excluded, or a bad weight.
   * @throws CalibrantError `data` for a label that is neither 0 nor 1, `length-mismatch` for arrays of unequal length.
   */
  add(rows: ConfidenceRows, nan: NanPolicy = "throw"): void {
    const [before, uniform, lower, sums] = [this.rows, this.#uniform, this.#lower, this.#sums];
    const kernel: RowKernel =
      uniform && rows.weights === undefined
        ? (block, from) => addUniform(block, from, before, lower, sums)
        : (block, from) => addAny(block, from, before, uniform, lower, sums);
    this.excluded += forConfidenceRows(rows, nan, kernel);
    this.rows += rows.confidence.length;
  }

  /** The sums so far, as copies. */
  sums(): BinSums {
    const sums = this.#sums;
    const lane = sums.length / 2;
    const field = (offset: number): Float64Array =>
      Float64Array.from({ length: lane / FIELDS }, (_, k) => {
        const index = FIELDS * k + offset;
        return (sums[index] as number) + (sums[lane + index] as number);
      });
    return {
      edges: this.#edges.slice(),
      count: field(0),
      confidence: field(1),
      correct: field(2),
      variance: field(3),
    };
  }
}

/**
 * Adds unweighted rows to uniform bins, {@link RowKernel} with the number of rows `before` the block's array.
 *
 * A row often meets the bin of the one before it; two lanes of sums spare the wait for that addition.
 */
function addUniform(
  block: RowBlock,
  from: number,
  before: number,
  lower: Float64Array,
  sums: Float64Array,
): number {
  const { confidence, correct } = block;
  const lane = sums.length / 2;
  const turn = before + block.start;
  for (let i = from; i < confidence.length; i++) {
    const p = confidence[i] as number;
    const y = correct[i] as number;
    if (!isUsable(p, y, 1)) return i;
    const at = FIELDS * uniformBinOf(p, lower) + ((i + turn) & 1) * lane;
    sums[at] = (sums[at] as number) + 1;
    sums[at + 1] = (sums[at + 1] as number) + p;
    sums[at + 2] = (sums[at + 2] as number) + y;
    sums[at + 3] = (sums[at + 3] as number) + p * (1 - p);
  }
  return confidence.length;
}

/** As {@link addUniform}, for weights and any edges. */
function addAny(
  block: RowBlock,
  from: number,
  before: number,
  uniform: boolean,
  lower: Float64Array,
  sums: Float64Array,
): number {
  const { confidence, correct, weights } = block;
  const lane = sums.length / 2;
  const turn = before + block.start;
  for (let i = from; i < confidence.length; i++) {
    const p = confidence[i] as number;
    const y = correct[i] as number;
    const w = weights === null ? 1 : (weights[i] as number);
    if (!isUsable(p, y, w)) return i;
    const bin = uniform ? uniformBinOf(p, lower) : binOf(p, lower);
    const at = FIELDS * bin + ((i + turn) & 1) * lane;
    sums[at] = (sums[at] as number) + w;
    sums[at + 1] = (sums[at + 1] as number) + w * p;
    sums[at + 2] = (sums[at + 2] as number) + w * y;
    sums[at + 3] = (sums[at + 3] as number) + w * p * (1 - p);
  }
  return confidence.length;
}

/**
 * The bin of p in [0, 1]. The candidate floor(p·bins) is the bin above an edge, where a value at the edge itself belongs
 * below. It is never too low: p > double(k/bins) makes p·bins round to k or above.
 */
function uniformBinOf(p: number, lower: Float64Array): number {
  const bin = (p * (lower.length - 1)) | 0;
  return p <= (lower[bin] as number) ? bin - 1 : bin;
}

/** The number of inner edges below p: the bin for any edges. */
function binOf(p: number, lower: Float64Array): number {
  let low = 0;
  let high = lower.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (p > (lower[middle] as number)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The bin of every row, for callers that sum many resamples or slices themselves.
 *
 * @param confidence `(n)`; values outside the edges go to the end bins
 * @param edges `(bins + 1)`, ascending, of `uniformEdges` or `quantileEdges`
 * @returns `(n)`: the index of the bin; the number of bins for NaN
 */
export function binConfidence(confidence: NumericArray, edges: Float64Array): Uint16Array {
  const lower = lowerEdges(edges);
  const codes = new Uint16Array(confidence.length);
  const scratch = new Float64Array(BLOCK_ROWS);
  for (let start = 0; start < confidence.length; start += BLOCK_ROWS) {
    const block = float64Block(confidence, start, Math.min(confidence.length, start + BLOCK_ROWS), scratch);
    for (let i = 0; i < block.length; i++) {
      const p = block[i] as number;
      codes[start + i] = Number.isNaN(p) ? edges.length - 1 : binOf(p, lower);
    }
  }
  return codes;
}

function lowerEdges(edges: Float64Array): Float64Array {
  const lower = edges.slice();
  lower[0] = Number.NEGATIVE_INFINITY;
  return lower;
}

function isUniform(edges: Float64Array): boolean {
  if (edges.length < 2) return false;
  const uniform = uniformEdges(edges.length - 1);
  return edges.every((edge, k) => edge === uniform[k]);
}
