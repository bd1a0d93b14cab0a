import { sortedCopy, sortedOrder } from "../math/sort-numbers.ts";
import { classSamples } from "./class-samples.ts";

/** Rows gathered by distinct score, ascending; arrays of length `(groups)`. */
export interface TieGroups {
  readonly score: Float64Array;
  /** Rows of each class with this score, weights included; their sum is above 0. */
  readonly negative: Float64Array;
  readonly positive: Float64Array;
  /** Rows of each class in all groups, weights included. */
  readonly negatives: number;
  readonly positives: number;
}

/**
 * Gathers rows by distinct score. Rows of weight 0 are as if absent. Cost of a radix sort: O(n).
 *
 * @param scores `(n)`, without NaN
 * @param labels `(n)`, 0 and 1
 * @param weights `(n)`, finite and not negative; null: every row counts 1
 */
export function tieGroups(
  scores: Float64Array | Float32Array,
  labels: Uint8Array,
  weights: Float64Array | null,
): TieGroups {
  return weights === null ? mergedGroups(scores, labels) : weightedGroups(scores, labels, weights);
}

function mergedGroups(scores: Float64Array | Float32Array, labels: Uint8Array): TieGroups {
  const samples = classSamples(scores, labels);
  const low = sortedCopy(samples.negative);
  const high = sortedCopy(samples.positive);
  const groups = emptyGroups(labels.length);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < low.length || j < high.length) {
    const value = Math.min(low[i] ?? Number.POSITIVE_INFINITY, high[j] ?? Number.POSITIVE_INFINITY);
    const firstLow = i;
    const firstHigh = j;
    while (i < low.length && low[i] === value) i += 1;
    while (j < high.length && high[j] === value) j += 1;
    groups.score[count] = value;
    groups.negative[count] = i - firstLow;
    groups.positive[count] = j - firstHigh;
    count += 1;
  }
  return filledGroups(groups, count);
}

function weightedGroups(
  scores: Float64Array | Float32Array,
  labels: Uint8Array,
  weights: Float64Array,
): TieGroups {
  const order = sortedOrder(scores);
  const groups = emptyGroups(labels.length);
  let count = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    const weight = weights[row] as number;
    if (weight === 0) continue;
    const score = scores[row] as number;
    if (count === 0 || groups.score[count - 1] !== score) {
      groups.score[count] = score;
      count += 1;
    }
    const side = labels[row] === 1 ? groups.positive : groups.negative;
    side[count - 1] = (side[count - 1] as number) + weight;
  }
  return filledGroups(groups, count);
}

type Columns = Pick<TieGroups, "score" | "negative" | "positive">;

/** Room for `n` groups; pages never written to cost no memory. */
function emptyGroups(n: number): Columns {
  return { score: new Float64Array(n), negative: new Float64Array(n), positive: new Float64Array(n) };
}

function filledGroups(columns: Columns, count: number): TieGroups {
  const negative = columns.negative.subarray(0, count);
  const positive = columns.positive.subarray(0, count);
  return {
    score: columns.score.subarray(0, count),
    negative,
    positive,
    negatives: total(negative),
    positives: total(positive),
  };
}

function total(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum;
}
