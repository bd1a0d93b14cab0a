import { CalibrantError } from "../errors.ts";
import { checkCount } from "../math/check-count.ts";
import { seededRandom } from "../math/seeded-random.ts";
import type { BinaryLabels } from "../types.ts";

/** Which values are evidence against the null: at or below the observed one, at or above it, or on either side. */
export type PermutationTail = "low" | "high" | "both";

/** Options of {@link permutationNull}. */
export interface PermutationNullOptions {
  /** Number of permutations, from 1. Default 1000. */
  readonly permutations?: number;
  /** Default 0. */
  readonly seed?: number;
  /** Default `both`. */
  readonly tail?: PermutationTail;
}

/** What {@link permutationNull} returns. */
export interface PermutationNullResult {
  /** The statistic of the labels as they are. */
  readonly value: number;
  /** Mean over the permutations where it is defined: what labels that mean nothing would show; NaN when there is none. */
  readonly mean: number;
  /**
   * (1 + permutations as extreme) / (1 + permutations) over the defined ones (Phipson & Smyth 2010), for `both` twice
   * the smaller tail, at most 1. NaN when the statistic is NaN.
   */
  readonly pValue: number;
  /** The statistic of every permutation, `(permutations)`. */
  readonly replicates: Float64Array;
  /** Replicates that are NaN. */
  readonly undefinedReplicates: number;
}

/**
 * The distribution of a statistic when labels are dealt to the rows at random, as often as they occur. The same seed gives
 * the same numbers. Cost: `permutations` evaluations and shuffles.
 *
 * @param statistic of labels `(n)`, numbers; the array is overwritten by the next permutation
 * @param labels `(n)`; true is 1, false is 0; not changed
 * @throws CalibrantError `option`.
 *
 * @example
 * ```ts
 * import { permutationNull } from "calibrant/metrics";
 * const score = [0.1, 0.2, 0.3, 0.6, 0.7, 0.9];
 * const gap = (labels: Float64Array) => labels.reduce((sum, y, i) => sum + (2 * y - 1) * (score[i] as number), 0);
 * const { value, pValue } = permutationNull(gap, [0, 0, 0, 1, 1, 1], { tail: "high" });
 * console.log(value.toFixed(1), pValue < 0.1); // 1.6 true
 * ```
 */
export function permutationNull(
  statistic: (labels: Float64Array) => number,
  labels: BinaryLabels,
  options: PermutationNullOptions = {},
): PermutationNullResult {
  const { permutations = 1000, seed = 0, tail = "both" } = options;
  checkCount("permutations", permutations, 1);
  checkTail(tail);
  const shuffled = Float64Array.from(labels as ArrayLike<number | boolean>, Number);
  const value = statistic(shuffled);
  const random = seededRandom(seed);
  const replicates = new Float64Array(permutations);
  for (let r = 0; r < permutations; r++) {
    shuffle(shuffled, random);
    replicates[r] = statistic(shuffled);
  }
  const defined = replicates.filter((replicate) => !Number.isNaN(replicate));
  return {
    value,
    mean: defined.reduce((sum, replicate) => sum + replicate, 0) / defined.length,
    pValue: pValueOf(defined, value, tail),
    replicates,
    undefinedReplicates: permutations - defined.length,
  };
}

/** Fisher–Yates. */
function shuffle(values: Float64Array, random: () => number): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.trunc(random() * (i + 1));
    const kept = values[i] as number;
    values[i] = values[j] as number;
    values[j] = kept;
  }
}

function pValueOf(replicates: Float64Array, value: number, tail: PermutationTail): number {
  if (Number.isNaN(value)) return Number.NaN;
  let low = 1;
  let high = 1;
  for (const replicate of replicates) {
    if (replicate <= value) low++;
    if (replicate >= value) high++;
  }
  const all = replicates.length + 1;
  if (tail === "both") return Math.min(1, (2 * Math.min(low, high)) / all);
  return (tail === "low" ? low : high) / all;
}

function checkTail(tail: string): void {
  if (tail === "low" || tail === "high" || tail === "both") return;
  throw new CalibrantError("option", `tail must be "low", "high" or "both", got ${JSON.stringify(tail)}`, {
    tail,
  });
}
