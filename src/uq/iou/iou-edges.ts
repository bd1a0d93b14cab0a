import { CalibrantError } from "../../errors.ts";
import type { NumericArray } from "../../types.ts";
import { balancedQuantile, finiteExtremes, type IouRanks, rankRows } from "./iou-ranks.ts";
import { type IouScale, type IouSide, usableRows } from "./iou-rows.ts";

/** How the bins of the calibration IoU are laid; the defaults are the reference rule. */
export interface IouEdgesOptions {
  /** `log` (default): the input is a perplexity and the axis ln PPL. `identity`: any other score. */
  readonly scale?: IouScale;
  /** Number of uniform or equal-mass bins, 1 to 100,000. Default: Rice's rule on the smaller class, {@link riceBins}. */
  readonly bins?: number;
  /**
   * `uniform` (default): equal widths on the axis. `equal-mass`: equal shares of the class-balanced pool, ties never
   * split, so the number of bins may be smaller. `integer`: one bin for each whole number, for discrete scores.
   */
  readonly binning?: "uniform" | "equal-mass" | "integer";
  /**
   * Span of uniform and integer bins. `quantile` (default for uniform): from the 0.5 % to the 99.5 % inverse-CDF quantile of
   * the class-balanced pool. `minmax` (default for integer): all finite values. Or `[low, high]` in units of the input.
   * Values outside are counted in the end bins.
   */
  readonly range?: "quantile" | "minmax" | readonly [number, number];
  /** Row weights, not negative; weight k is k equal rows. */
  readonly weights?: { readonly correct?: NumericArray; readonly wrong?: NumericArray };
}

/** Bins that several computations share. Bins are [a, b), the last one [a, b]; values outside are in the end bins. */
export interface IouEdges {
  readonly scale: IouScale;
  /** Edges on the axis (ln PPL for `log`), ascending, `(bins + 1)`; empty without a finite value. */
  readonly edges: Float64Array;
  /** The same in units of the input (PPL for `log`), `(bins + 1)`. */
  readonly inputEdges: Float64Array;
  /** Which of the two decides the bin of a value: equal-mass, integer and given edges are exact in units of the input. */
  readonly exact: "axis" | "input";
  /** `zero-range`: all values are equal, one bin. `range-fallback`: the quantiles coincide, bins span min to max. */
  readonly flags: readonly ("zero-range" | "range-fallback")[];
  /** How the edges were chosen, in words. */
  readonly from: string;
}

const MAX_BINS = 100_000;

/**
 * Number of bins by the Rice rule on the smaller class: ⌈2·∛n⌉, at least 5 and at most 100. A whole number up to
 * rounding is not raised (n = 1000 has 20 bins).
 *
 * @param n rows of the smaller class
 */
export function riceBins(n: number): number {
  return Math.min(Math.max(Math.ceil(2 * Math.cbrt(n) - 1e-9), 5), 100);
}

/**
 * Bin edges of the calibration IoU over the pooled rows of everything that is to be compared: pass the result as
 * `edges` to `calibrationIou` for each slice, since IoUs of different bins cannot be compared.
 *
 * @param correct uncertainties of all correct rows, `(n_c)`: perplexities for the scale `log`
 * @param wrong uncertainties of all wrong rows, `(n_w)`. One empty class leaves the bins to the other.
 * @throws CalibrantRangeError for a perplexity below 1 or a negative weight.
 * @throws CalibrantError `option` for a bad option.
 *
 * @example
 * ```ts
 * import { calibrationIou, iouEdges } from "calibrant/uq";
 * const edges = iouEdges([1, 1.1, 1.2, 1.5], [1.1, 2, 2.5, 4], { bins: 2, range: [1, 4] });
 * console.log(edges.inputEdges); // Float64Array(3) [ 1, 2, 4 ]
 * console.log(calibrationIou([1, 1.1], [1.1, 2.5], { edges, resamples: 0, permutations: 0 }).iou); // 0.3333333333333333
 * ```
 */
export function iouEdges(
  correct: NumericArray,
  wrong: NumericArray,
  options: IouEdgesOptions = {},
): IouEdges {
  const { scale = "log", weights } = options;
  const rowsOf = (side: IouSide, values: NumericArray): IouRanks =>
    rankRows(usableRows({ side, values, weights: weights?.[side], scale }));
  return edgesOfRanks(rowsOf("correct", correct), rowsOf("wrong", wrong), options);
}

/** {@link iouEdges} of rows that are sorted already. */
export function edgesOfRanks(correct: IouRanks, wrong: IouRanks, options: IouEdgesOptions): IouEdges {
  const { scale = "log", binning = "uniform" } = options;
  if (scale !== "log" && scale !== "identity") throw badOption("scale", '"log" or "identity"', scale);
  const bins = options.bins ?? riceBins(smallerTotal(correct, wrong));
  if (!(Number.isInteger(bins) && bins >= 1 && bins <= MAX_BINS)) {
    throw badOption("bins", `a whole number from 1 to ${MAX_BINS}`, bins);
  }
  if (Number.isNaN(finiteExtremes(correct, wrong).min)) return noEdges(scale);
  if (binning === "integer") return integerEdges(correct, wrong, scale, options.range ?? "minmax");
  if (binning === "equal-mass") return equalMassEdges(correct, wrong, scale, bins);
  if (binning === "uniform") return uniformEdges(correct, wrong, scale, bins, options.range ?? "quantile");
  throw badOption("binning", '"uniform", "equal-mass" or "integer"', binning);
}

/**
 * Checks edges in units of the input and takes them as they are.
 *
 * @throws CalibrantError `option` unless there are at least two and they ascend strictly; on `log` none is below 0.
 */
export function givenEdges(edges: NumericArray, scale: IouScale): IouEdges {
  if (edges.length < 2) throw badOption("edges", "at least 2 numbers", edges.length);
  const inputEdges = Float64Array.from(edges);
  const first = inputEdges[0] as number;
  if (!(scale === "log" ? first >= 0 : first >= Number.NEGATIVE_INFINITY)) {
    throw badOption("edges[0]", scale === "log" ? "a perplexity" : "a number", first);
  }
  for (let i = 1; i < inputEdges.length; i++) {
    const edge = inputEdges[i] as number;
    if (!(edge > (inputEdges[i - 1] as number)))
      throw badOption(`edges[${i}]`, "above the edge before it", edge);
  }
  return fromInput(inputEdges, scale, [], `${inputEdges.length - 1} bins with given edges`);
}

/** An `option` error about one option. */
export function badOption(name: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("option", `${name} must be ${expected}, got ${String(value)}`, { [name]: value });
}

function uniformEdges(
  correct: IouRanks,
  wrong: IouRanks,
  scale: IouScale,
  bins: number,
  range: NonNullable<IouEdgesOptions["range"]>,
): IouEdges {
  const span = spanOf(correct, wrong, scale, range);
  const edges =
    span.low < span.high ? equalSteps(span.low, span.high, bins) : Float64Array.of(span.low, span.low);
  const count = edges.length - 1;
  return {
    scale,
    edges,
    inputEdges: scale === "log" ? edges.map(Math.exp) : edges,
    exact: "axis",
    flags: span.flags,
    from: `${count} uniform ${count === 1 ? "bin" : "bins"} ${scale === "log" ? "of ln PPL " : ""}over ${span.from}`,
  };
}

interface Span {
  readonly low: number;
  readonly high: number;
  readonly flags: IouEdges["flags"];
  readonly from: string;
}

/** The ends of the bins on the axis. */
function spanOf(
  correct: IouRanks,
  wrong: IouRanks,
  scale: IouScale,
  range: NonNullable<IouEdgesOptions["range"]>,
): Span {
  const axis = (value: number): number => (scale === "log" ? Math.log(value) : value);
  if (typeof range !== "string") {
    const [low, high] = range;
    if (range.length !== 2 || !(axis(low) < axis(high)) || !Number.isFinite(axis(high) - axis(low))) {
      throw badOption(
        "range",
        '"quantile", "minmax" or two ascending finite numbers',
        `[${range.join(", ")}]`,
      );
    }
    return { low: axis(low), high: axis(high), flags: [], from: `the given range ${low} to ${high}` };
  }
  if (range !== "quantile" && range !== "minmax") {
    throw badOption("range", '"quantile", "minmax" or two ascending finite numbers', range);
  }
  const { min, max } = finiteExtremes(correct, wrong);
  if (axis(min) === axis(max))
    return { low: axis(min), high: axis(max), flags: ["zero-range"], from: "one value" };
  if (range === "minmax") return { low: axis(min), high: axis(max), flags: [], from: "all finite values" };
  const low = axis(balancedQuantile(correct, wrong, 0.005));
  const high = axis(balancedQuantile(correct, wrong, 0.995));
  if (low < high)
    return { low, high, flags: [], from: "the 0.5 % to 99.5 % quantiles of the class-balanced rows" };
  return { low: axis(min), high: axis(max), flags: ["range-fallback"], from: "all finite values" };
}

/** `low`, …, `high` in `bins` equal steps. */
export function equalSteps(low: number, high: number, bins: number): Float64Array {
  const edges = new Float64Array(bins + 1);
  const width = high - low;
  for (let k = 0; k < bins; k++) {
    // Of two huge numbers of opposite sign the width overflows, but not the weighted mean.
    edges[k] = Number.isFinite(width * k)
      ? low + (width * k) / bins
      : low * (1 - k / bins) + high * (k / bins);
  }
  edges[bins] = high;
  return edges;
}

function equalMassEdges(correct: IouRanks, wrong: IouRanks, scale: IouScale, bins: number): IouEdges {
  const { min, max } = finiteExtremes(correct, wrong);
  const cuts = [min];
  for (let k = 1; k < bins; k++) {
    const cut = balancedQuantile(correct, wrong, k / bins, "below");
    if (cut > (cuts[cuts.length - 1] as number)) cuts.push(cut);
  }
  if (cuts.length > 1 && cuts[cuts.length - 1] === max) cuts[cuts.length - 1] = cutBelow(correct, wrong, max);
  const count = cuts.length;
  const flags = min === max ? (["zero-range"] as const) : [];
  const from = `${count} ${count === 1 ? "bin" : "bins"} of equal mass in the class-balanced rows`;
  return fromInput(Float64Array.from([...cuts, max]), scale, flags, from);
}

/** A cut between the largest value and the one before it, so that the last bin has a width. */
function cutBelow(correct: IouRanks, wrong: IouRanks, max: number): number {
  const before = Math.max(...[correct, wrong].map((ranks) => largestBelow(ranks, max)));
  const middle = before / 2 + max / 2;
  return middle > before && middle < max ? middle : max;
}

function largestBelow(ranks: IouRanks, max: number): number {
  let low = ranks.start;
  let high = ranks.end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranks.values[middle] as number) < max) low = middle + 1;
    else high = middle;
  }
  return low > ranks.start ? (ranks.values[low - 1] as number) : Number.NEGATIVE_INFINITY;
}

function integerEdges(
  correct: IouRanks,
  wrong: IouRanks,
  scale: IouScale,
  range: NonNullable<IouEdgesOptions["range"]>,
): IouEdges {
  checkIntegers("correct", correct);
  checkIntegers("wrong", wrong);
  const { low, high, from } = spanOf(correct, wrong, "identity", range);
  const first = Math.round(low);
  const count = Math.round(high) - first + 1;
  if (!(count <= MAX_BINS)) {
    throw badOption(
      "range",
      `given for binning "integer" over at most ${MAX_BINS} values`,
      `${count} values`,
    );
  }
  const inputEdges = Float64Array.from({ length: count + 1 }, (_value, k) => first + k - 0.5);
  return fromInput(
    inputEdges,
    scale,
    [],
    `${count} ${count === 1 ? "bin" : "bins"}, one for each whole number, over ${from}`,
  );
}

function checkIntegers(side: IouSide, ranks: IouRanks): void {
  for (let i = ranks.start; i < ranks.end; i++) {
    const value = ranks.values[i] as number;
    if (Number.isInteger(value)) continue;
    throw new CalibrantError("data", `${side} must hold whole numbers for binning "integer", got ${value}`, {
      side,
      value,
    });
  }
}

function fromInput(
  inputEdges: Float64Array,
  scale: IouScale,
  flags: IouEdges["flags"],
  from: string,
): IouEdges {
  const edges = scale === "log" ? inputEdges.map(Math.log) : inputEdges;
  return { scale, edges, inputEdges, exact: "input", flags, from };
}

function noEdges(scale: IouScale): IouEdges {
  const edges = new Float64Array(0);
  return { scale, edges, inputEdges: edges, exact: "axis", flags: [], from: "no finite value" };
}

/** Rows of the smaller class, or of the only one. */
function smallerTotal(correct: IouRanks, wrong: IouRanks): number {
  return Math.min(correct.total || wrong.total, wrong.total || correct.total);
}
