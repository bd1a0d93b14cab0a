import { CalibrantError, CalibrantRangeError } from "../errors.ts";
import { sortedCopy } from "../math/sort-numbers.ts";
import type { NumericArray } from "../types.ts";

/** Options of {@link conformalThreshold}. */
export interface ConformalOptions {
  /** Share of new scores that may exceed the threshold, in (0, 1). */
  readonly alpha: number;
  /** Codes `(n)`, any numbers but NaN: a threshold for each as well, from its rows alone. */
  readonly groups?: NumericArray;
}

/** A threshold, and what it rests on. */
export interface GroupThreshold {
  /** A new score is at or below it with probability 1 - alpha or more; Infinity when there are too few scores. */
  readonly threshold: number;
  /** The threshold is the k-th smallest of the n scores. */
  readonly k: number;
  readonly n: number;
  /** Scores needed for a finite threshold at this alpha. */
  readonly minN: number;
  /** `n-too-small`: n < minN. */
  readonly flags: readonly "n-too-small"[];
}

/** What {@link conformalThreshold} returns. */
export interface ConformalThreshold extends GroupThreshold {
  /** One for each code of `groups`, ascending; empty without groups. */
  readonly byGroup: readonly (GroupThreshold & { readonly group: number })[];
}

/** The share of scores at or below a threshold. */
export interface ConformalCoverage {
  /** In [0, 1]; NaN without scores. */
  readonly coverage: number;
  readonly n: number;
  readonly reason: "empty" | null;
}

/**
 * Split-conformal threshold (Vovk et al. 2005; Angelopoulos & Bates 2023, §1): the k-th smallest of n calibration
 * scores with k = ⌈(n + 1)(1 - alpha)⌉. A new score that is exchangeable with them is at or below it with probability
 * at least 1 - alpha. When k > n no score will do, and the threshold is Infinity with the flag `n-too-small`.
 *
 * With `groups` the guarantee also holds within each group, by its own threshold (Mondrian conformal prediction).
 *
 * 1e-9 is taken off before rounding up, so that 10 · (1 - 0.2) = 8.000000000000002 is 8. Cost O(n).
 *
 * @param scores nonconformity scores `(n)`, higher = stranger; infinities are legal
 * @throws CalibrantRangeError for a NaN score or group, or an alpha outside (0, 1).
 * @throws CalibrantError `length-mismatch` for groups of another length.
 *
 * @example
 * ```ts
 * import { conformalThreshold } from "calibrant/uq";
 * const scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
 * const { threshold, k } = conformalThreshold(scores, { alpha: 0.2 });
 * console.log(threshold, k); // 0.8 8
 * console.log(conformalThreshold([0.1, 0.2, 0.3], { alpha: 0.1 }).threshold); // Infinity
 * ```
 */
export function conformalThreshold(scores: NumericArray, options: ConformalOptions): ConformalThreshold {
  const { alpha, groups } = options;
  if (!(alpha > 0 && alpha < 1)) {
    throw new CalibrantRangeError("option", `alpha must be in (0, 1), got ${alpha}`, { alpha });
  }
  refuseNaN("scores", scores);
  const all = thresholdOf(scores, alpha);
  if (groups === undefined) return { ...all, byGroup: [] };
  if (groups.length !== scores.length) {
    const message = `groups must number ${scores.length}, one a score, got ${groups.length}`;
    throw new CalibrantError("length-mismatch", message);
  }
  refuseNaN("groups", groups);
  return { ...all, byGroup: byGroup(scores, groups, alpha) };
}

/**
 * The share of `scores` `(n)` at or below a threshold, to hold against 1 - alpha on fresh scores.
 *
 * @throws CalibrantRangeError for a NaN score or threshold.
 *
 * @example
 * ```ts
 * import { conformalCoverage } from "calibrant/uq";
 * console.log(conformalCoverage([0.1, 0.2, 0.9, 0.3], 0.8).coverage); // 0.75
 * ```
 */
export function conformalCoverage(scores: NumericArray, threshold: number): ConformalCoverage {
  refuseNaN("scores", scores);
  refuseNaN("threshold", [threshold]);
  const n = scores.length;
  let below = 0;
  for (let i = 0; i < n; i++) if ((scores[i] as number) <= threshold) below += 1;
  return { coverage: below / n, n, reason: n === 0 ? "empty" : null };
}

function thresholdOf(scores: NumericArray, alpha: number): GroupThreshold {
  const n = scores.length;
  const k = rank(n, alpha);
  const minN = smallestN(alpha);
  if (k > n) return { threshold: Number.POSITIVE_INFINITY, k, n, minN, flags: ["n-too-small"] };
  return { threshold: sortedCopy(scores)[k - 1] as number, k, n, minN, flags: [] };
}

function rank(n: number, alpha: number): number {
  return Math.max(1, Math.ceil((n + 1) * (1 - alpha) - 1e-9));
}

/** The least n with rank(n) <= n. */
function smallestN(alpha: number): number {
  let n = Math.max(1, Math.ceil((1 - 1e-9) / alpha - 1));
  // The guess and the rank round differently, so that it may be one off.
  if (n > 1 && rank(n - 1, alpha) <= n - 1) n -= 1;
  if (rank(n, alpha) > n) n += 1;
  return n;
}

function byGroup(scores: NumericArray, groups: NumericArray, alpha: number): ConformalThreshold["byGroup"] {
  const counts = new Map<number, number>();
  for (let i = 0; i < groups.length; i++) {
    const group = (groups[i] as number) + 0;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const members = new Map<number, Float64Array>();
  for (const [group, count] of counts) members.set(group, new Float64Array(count));
  counts.clear();
  for (let i = 0; i < groups.length; i++) {
    const group = (groups[i] as number) + 0;
    const at = counts.get(group) ?? 0;
    (members.get(group) as Float64Array)[at] = scores[i] as number;
    counts.set(group, at + 1);
  }
  return [...members]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, own]) => ({ group, ...thresholdOf(own, alpha) }));
}

function refuseNaN(name: string, values: NumericArray): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i])) continue;
    throw new CalibrantRangeError("data", `${name}[${i}] must be a number, got NaN`, { index: i });
  }
}
