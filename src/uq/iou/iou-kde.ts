import { type CountsIou, type IouNormalize, iouFromCounts } from "./iou-counts.ts";
import { equalSteps, type IouEdges } from "./iou-edges.ts";
import { finiteExtremes, finiteWeight, type IouRanks, weightOfFirst } from "./iou-ranks.ts";

/** A grid of narrow bins, and the overlap of kernel density estimates over it. */
export interface KdeMeasure {
  readonly grid: IouEdges;
  /** IoU of the smoothed counts of the grid's cells, `(bins + 2)` with the infinite cells at the ends. */
  readonly measure: (correct: Float64Array, wrong: Float64Array) => CountsIou;
}

/** Grid steps in the narrower bandwidth, and the bounds of the grid. */
const STEPS_PER_BANDWIDTH = 8;
const LEAST_CELLS = 64;
const MOST_CELLS = 1024;
/** The Gaussian kernel is cut off at this many bandwidths. */
const KERNEL_REACH = 4;
/** Keeps the last digit of a bandwidth, which depends on the order of additions, from adding a step. */
const ROUNDING = 1e-9;

/**
 * Gaussian kernel density estimates of both classes on a grid over the span of `edges`; values outside count at its ends,
 * and nothing is reflected at PPL = 1. Null when a class has no positive, finite bandwidth.
 */
export function kdeMeasure(
  correct: IouRanks,
  wrong: IouRanks,
  edges: IouEdges,
  normalize: IouNormalize,
): KdeMeasure | null {
  const widthCorrect = silvermanBandwidth(correct, edges.scale === "log");
  const widthWrong = silvermanBandwidth(wrong, edges.scale === "log");
  if (!isUsable(widthCorrect) || !isUsable(widthWrong)) return null;
  const span = finiteSpan(correct, wrong, edges);
  const length = span.high - span.low;
  if (!isUsable(length)) return null;
  const steps = (length * STEPS_PER_BANDWIDTH) / Math.min(widthCorrect, widthWrong);
  const cells = Math.min(Math.max(Math.ceil(steps - ROUNDING), LEAST_CELLS), MOST_CELLS);
  const gridEdges = equalSteps(span.low, span.high, cells);
  const kernels = [widthCorrect, widthWrong].map((width) => gaussianKernel(width / (length / cells), cells));
  const inputEdges = edges.scale === "log" ? gridEdges.map(Math.exp) : gridEdges;
  const grid: IouEdges = {
    ...edges,
    edges: gridEdges,
    inputEdges,
    exact: "axis",
    from: `a grid of ${cells} cells`,
  };
  const [first, second] = kernels as [Float64Array, Float64Array];
  const pad = Math.max(first.length, second.length) - 1;
  const smoothCorrect = new Float64Array(cells + 2 * pad + 2);
  const smoothWrong = new Float64Array(cells + 2 * pad + 2);
  return {
    grid,
    measure: (a, b) => {
      smooth(a, first, pad, smoothCorrect);
      smooth(b, second, pad, smoothWrong);
      return iouFromCounts(smoothCorrect, smoothWrong, normalize);
    },
  };
}

/**
 * Silverman's bandwidth 0.9·min(s, IQR/1.34)·n^(−1/5) on the axis (Silverman 1986, Eq. 3.31) of the finite values, with the
 * sample standard deviation s and inverse-CDF quartiles; s alone when the IQR is 0. NaN or 0 without spread.
 */
function silvermanBandwidth(ranks: IouRanks, isLog: boolean): number {
  const n = finiteWeight(ranks);
  const deviation = standardDeviation(ranks, isLog);
  const quartile = (p: number): number => axisValue(ranks.values[rankOfShare(ranks, p)] as number, isLog);
  const range = ranks.start < ranks.end ? quartile(0.75) - quartile(0.25) : Number.NaN;
  const spread = range > 0 ? Math.min(deviation, range / 1.34) : deviation;
  return 0.9 * spread * n ** -0.2;
}

/** Index of the smallest finite value that has at least the share `p` of the finite weight up to it. */
function rankOfShare(ranks: IouRanks, p: number): number {
  const base = weightOfFirst(ranks, ranks.start);
  const goal = p * finiteWeight(ranks) * (1 - 1e-12);
  let low = ranks.start;
  let high = ranks.end - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (weightOfFirst(ranks, middle + 1) - base >= goal) high = middle;
    else low = middle + 1;
  }
  return low;
}

function standardDeviation(ranks: IouRanks, isLog: boolean): number {
  const n = finiteWeight(ranks);
  let mean = 0;
  let squares = 0;
  let weightSoFar = 0;
  for (let i = ranks.start; i < ranks.end; i++) {
    const weight = ranks.weighted === null ? 1 : weightOfFirst(ranks, i + 1) - weightOfFirst(ranks, i);
    const x = axisValue(ranks.values[i] as number, isLog);
    weightSoFar += weight;
    const delta = x - mean;
    mean += delta * (weight / weightSoFar);
    squares += weight * delta * (x - mean);
  }
  return Math.sqrt(squares / (n - 1));
}

/** The ends of the edges, or of the values where an edge is infinite. */
function finiteSpan(correct: IouRanks, wrong: IouRanks, edges: IouEdges): { low: number; high: number } {
  const isLog = edges.scale === "log";
  const { min, max } = finiteExtremes(correct, wrong);
  const first = edges.edges[0] as number;
  const last = edges.edges[edges.edges.length - 1] as number;
  return {
    low: Number.isFinite(first) ? first : axisValue(min, isLog),
    high: Number.isFinite(last) ? last : axisValue(max, isLog),
  };
}

/** One half of a Gaussian kernel from its middle outwards, for a bandwidth in cells; both halves together sum to 1. */
function gaussianKernel(bandwidth: number, cells: number): Float64Array {
  const reach = Math.min(Math.ceil(KERNEL_REACH * bandwidth - ROUNDING), 4 * cells);
  const half = Float64Array.from({ length: reach + 1 }, (_value, j) => Math.exp(-0.5 * (j / bandwidth) ** 2));
  let sum = 0;
  for (let j = 0; j < half.length; j++) sum += (j === 0 ? 1 : 2) * (half[j] as number);
  return half.map((value) => value / sum);
}

/** The counts of the finite cells spread by the kernel; the two infinite cells are copied to the end of `target`. */
function smooth(counts: Float64Array, half: Float64Array, pad: number, target: Float64Array): void {
  target.fill(0);
  const cells = counts.length - 2;
  for (let cell = 0; cell < cells; cell++) {
    const count = counts[cell + 1] as number;
    if (count === 0) continue;
    const at = cell + pad;
    target[at] = (target[at] as number) + count * (half[0] as number);
    for (let j = 1; j < half.length; j++) {
      const share = count * (half[j] as number);
      target[at - j] = (target[at - j] as number) + share;
      target[at + j] = (target[at + j] as number) + share;
    }
  }
  target[target.length - 2] = counts[0] as number;
  target[target.length - 1] = counts[counts.length - 1] as number;
}

function axisValue(value: number, isLog: boolean): number {
  return isLog ? Math.log(value) : value;
}

function isUsable(width: number): boolean {
  return width > 0 && width < Number.POSITIVE_INFINITY;
}
