import type { NumericArray } from "../types.ts";

/**
 * The sum of `values[start] … values[end - 1]` in float64 with the rounding error of every addition carried along.
 *
 * Neumaier's algorithm (Neumaier 1974) with Knuth's branch-free TwoSum for the error term, which is the same exact
 * number. The error is about one unit in the last place of the result plus `n²·2^-106·Σ|x|`. Values are added in
 * index order, so the result is deterministic. An empty range is 0; a NaN makes the sum NaN; infinities of one sign
 * give that infinity, of both signs NaN.
 *
 * @param values numbers, `(n)`
 * @param start first index, default 0
 * @param end one past the last index, default `values.length`
 */
export function compensatedSum(values: NumericArray, start: number = 0, end: number = values.length): number {
  let sum = 0;
  let error = 0;
  for (let i = start; i < end; i++) {
    const x = values[i] as number;
    const total = sum + x;
    const rounded = total - sum;
    error += sum - (total - rounded) + (x - rounded);
    sum = total;
  }
  // With an infinite (or overflowed) sum the error terms are NaN and say nothing.
  return Number.isFinite(sum) ? sum + error : sum;
}
