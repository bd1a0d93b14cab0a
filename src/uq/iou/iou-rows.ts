import { CalibrantError, CalibrantRangeError } from "../../errors.ts";
import type { NumericArray } from "../../types.ts";

/** The class of a row: decided correctly, or wrongly. */
export type IouSide = "correct" | "wrong";

/** Axis of the calibration IoU: ln of a perplexity, or the score itself. */
export type IouScale = "log" | "identity";

/** Perplexities from 1 − 1e-6 to 1 are float32 rounding of 1. */
export const PPL_ROUNDING: number = 1e-6;

/** The rows of one class that count, in input order. */
export interface IouRows {
  /** Uncertainties in units of the input, without NaN, `(n)`; ±Infinity may occur. */
  readonly values: NumericArray;
  /** Positive weights `(n)`; null = every row counts 1. */
  readonly weights: Float64Array | null;
  /** Cluster codes `(n)`, -1 = a row of its own; null = no clusters. */
  readonly clusters: NumericArray | null;
  /** Rows left out because their uncertainty is NaN. */
  readonly excluded: number;
}

/** What {@link usableRows} reads. */
export interface IouRowsInput {
  readonly side: IouSide;
  readonly values: NumericArray;
  readonly weights?: NumericArray | undefined;
  readonly clusters?: NumericArray | undefined;
  readonly scale: IouScale;
}

/**
 * Checks the rows of one class and leaves out those without an uncertainty (NaN, counted) and those of weight 0 (not
 * counted: they are repeated zero times). On the scale `log` values in [1 − 1e-6, 1) become 1. Arrays in which nothing
 * changes are passed on, not copied.
 *
 * @throws CalibrantRangeError for a perplexity below 1 and for a negative or infinite weight, naming class, index and value.
 * @throws CalibrantError `length-mismatch` when weights or clusters are not as long as the values.
 */
export function usableRows(input: IouRowsInput): IouRows {
  const { side, weights, clusters, scale } = input;
  const values = numbersOf(input.values);
  checkLength(side, "weights", weights, values.length);
  checkLength(side, "clusters", clusters, values.length);
  if (weights !== undefined) checkWeights(side, weights);
  const { dropped, excluded, rounded } = inspect(side, values, weights, scale);
  if (dropped === 0 && !rounded) {
    const copy = weights === undefined ? null : Float64Array.from(weights);
    return { values, weights: copy, clusters: clusters ?? null, excluded };
  }
  return { ...keptRows(values, weights, clusters, values.length - dropped, scale === "log"), excluded };
}

/** The rows of two lists one after the other, without clusters. */
export function pooledRows(first: IouRows, second: IouRows): IouRows {
  const n = first.values.length;
  const values = new Float64Array(n + second.values.length);
  values.set(first.values);
  values.set(second.values, n);
  const isWeighted = first.weights !== null || second.weights !== null;
  const weights = isWeighted ? new Float64Array(values.length).fill(1) : null;
  if (first.weights !== null) weights?.set(first.weights);
  if (second.weights !== null) weights?.set(second.weights, n);
  return { values, weights, clusters: null, excluded: first.excluded + second.excluded };
}

/** Counts the rows to leave out, and whether perplexities just below 1 have to be rounded. */
function inspect(
  side: IouSide,
  values: NumericArray,
  weights: NumericArray | undefined,
  scale: IouScale,
): { dropped: number; excluded: number; rounded: boolean } {
  let dropped = 0;
  let excluded = 0;
  let rounded = false;
  const floor = scale === "log" ? 1 : Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value >= floor) {
      if (weights?.[i] === 0) dropped += 1;
    } else if (Number.isNaN(value)) {
      dropped += 1;
      if (weights?.[i] !== 0) excluded += 1;
    } else if (value >= 1 - PPL_ROUNDING) {
      rounded = true;
      if (weights?.[i] === 0) dropped += 1;
    } else {
      const message = `${side}[${i}] must be a perplexity of at least 1 (use scale "identity" for any other score), got ${value}`;
      throw new CalibrantRangeError("data", message, { side, index: i, value });
    }
  }
  return { dropped, excluded, rounded };
}

function keptRows(
  values: NumericArray,
  weights: NumericArray | undefined,
  clusters: NumericArray | undefined,
  count: number,
  isPpl: boolean,
): Omit<IouRows, "excluded"> {
  const kept = values instanceof Float32Array ? new Float32Array(count) : new Float64Array(count);
  const keptWeights = weights === undefined ? null : new Float64Array(count);
  const keptClusters = clusters === undefined ? null : new Float64Array(count);
  let next = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value) || weights?.[i] === 0) continue;
    kept[next] = isPpl && value < 1 ? 1 : value;
    if (keptWeights !== null) keptWeights[next] = weights?.[i] as number;
    if (keptClusters !== null) keptClusters[next] = clusters?.[i] as number;
    next += 1;
  }
  return { values: kept, weights: keptWeights, clusters: keptClusters };
}

/** Typed arrays as they are; plain arrays as float64, where anything that is not a number is missing (NaN). */
function numbersOf(values: NumericArray): NumericArray {
  if (ArrayBuffer.isView(values)) return values;
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i];
    numbers[i] = typeof value === "number" ? value : Number.NaN;
  }
  return numbers;
}

function checkLength(side: IouSide, what: string, array: NumericArray | undefined, length: number): void {
  if (array === undefined || array.length === length) return;
  throw new CalibrantError(
    "length-mismatch",
    `${what}.${side} must have one entry for each of the ${length} rows of ${side}, got ${array.length}`,
    { side, rows: length, length: array.length },
  );
}

function checkWeights(side: IouSide, weights: NumericArray): void {
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    if (weight >= 0 && weight < Number.POSITIVE_INFINITY) continue;
    throw new CalibrantRangeError(
      "data",
      `weights.${side}[${i}] must be a finite number of at least 0, got ${weight}`,
      { side, index: i, value: weight },
    );
  }
}
