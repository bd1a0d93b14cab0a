import type { NumericArray } from "../types.ts";
import { sortedOrder } from "./sort-numbers.ts";
import type { TwoSamples } from "./two-samples.ts";

/** Ascending values, each with the weight of itself and all before it. */
export interface WeightedSample {
  /** Ascending, without NaN, `(n)`. */
  readonly values: Float64Array;
  /** Running sums of the weights, `(n)`. */
  readonly cumulative: Float64Array;
}

/** Sorts `values` `(n)`, without NaN, together with their `weights` `(n)`. Cost O(n). */
export function weightedSample(values: NumericArray, weights: NumericArray): WeightedSample {
  const order = sortedOrder(values);
  const sorted = new Float64Array(order.length);
  const cumulative = new Float64Array(order.length);
  let sum = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    sorted[i] = values[row] as number;
    sum += weights[row] as number;
    cumulative[i] = sum;
  }
  return { values: sorted, cumulative };
}

/**
 * `compareSorted` for weighted samples: an observation of weight k counts as k equal ones. NaN when a side is empty or
 * weighs nothing.
 */
export function compareWeighted(a: WeightedSample, b: WeightedSample): TwoSamples {
  const totalA = a.cumulative[a.cumulative.length - 1] ?? 0;
  const totalB = b.cumulative[b.cumulative.length - 1] ?? 0;
  if (!(totalA > 0 && totalB > 0)) return { auc: Number.NaN, ks: Number.NaN };
  let i = 0;
  let j = 0;
  let belowA = 0;
  let belowB = 0;
  let pairs = 0;
  let distance = 0;
  while (i < a.values.length || j < b.values.length) {
    const value = Math.min(a.values[i] ?? Number.POSITIVE_INFINITY, b.values[j] ?? Number.POSITIVE_INFINITY);
    i = endOfRun(a.values, i, value);
    j = endOfRun(b.values, j, value);
    const uptoA = i === 0 ? 0 : (a.cumulative[i - 1] as number);
    const uptoB = j === 0 ? 0 : (b.cumulative[j - 1] as number);
    pairs += (uptoB - belowB) * (belowA + uptoA) * 0.5;
    distance = Math.max(distance, Math.abs(uptoA / totalA - uptoB / totalB));
    belowA = uptoA;
    belowB = uptoB;
  }
  return { auc: pairs / (totalA * totalB), ks: distance };
}

function endOfRun(values: Float64Array, start: number, value: number): number {
  let end = start;
  while (end < values.length && values[end] === value) end += 1;
  return end;
}
