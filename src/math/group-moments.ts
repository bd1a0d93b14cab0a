import { grown } from "./growable.ts";

/**
 * Count, mean and sum of squared deviations of each of a growing number of groups, by Welford's update (Welford
 * 1962): stable when the mean is large against the spread, and exact (zero spread) for equal values.
 *
 * Values are folded in the order in which they are added, so adding rows in batches gives bit-identical numbers to
 * adding them at once. Values that are not finite, and rows of group -1, are left out.
 */
export class GroupMoments {
  /** Groups seen: every index below it may be asked for. */
  groups: number;
  #count: Int32Array;
  #mean: Float64Array;
  #squares: Float64Array;

  constructor() {
    this.groups = 0;
    this.#count = new Int32Array(0);
    this.#mean = new Float64Array(0);
    this.#squares = new Float64Array(0);
  }

  /** Adds rows in order; `groups[i]` is the group of `values[i]`, from 0, -1 = none. */
  add(values: Float64Array, groups: Int32Array): void {
    this.#reserve(groups);
    const count = this.#count;
    const mean = this.#mean;
    const squares = this.#squares;
    for (let i = 0; i < values.length; i++) {
      const group = groups[i] as number;
      const value = values[i] as number;
      if (group < 0 || !Number.isFinite(value)) continue;
      const n = (count[group] as number) + 1;
      const delta = value - (mean[group] as number);
      const moved = (mean[group] as number) + delta / n;
      count[group] = n;
      mean[group] = moved;
      squares[group] = (squares[group] as number) + delta * (value - moved);
    }
  }

  /** Values folded into `group`; 0 for a group never seen. */
  count(group: number): number {
    return this.#count[group] ?? 0;
  }

  /** The mean of `group`; NaN without values. */
  mean(group: number): number {
    return this.count(group) === 0 ? Number.NaN : (this.#mean[group] as number);
  }

  /**
   * The variance of `group`: divided by n (`"population"`) or by n - 1 (`"sample"`). NaN without values, and for
   * the sample variance of a single value.
   */
  variance(group: number, kind: "sample" | "population"): number {
    const n = this.count(group);
    const divisor = kind === "sample" ? n - 1 : n;
    return divisor <= 0 ? Number.NaN : (this.#squares[group] as number) / divisor;
  }

  #reserve(groups: Int32Array): void {
    let last = -1;
    for (let i = 0; i < groups.length; i++) last = Math.max(last, groups[i] as number);
    this.groups = Math.max(this.groups, last + 1);
    this.#count = grown(this.#count, this.groups);
    this.#mean = grown(this.#mean, this.groups);
    this.#squares = grown(this.#squares, this.groups);
  }
}
