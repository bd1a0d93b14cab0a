import { checkOptionNames } from "../data/check-option-names.ts";
import { CalibrantError } from "../errors.ts";
import { GroupMoments } from "../math/group-moments.ts";

/** How rewards become advantages. */
export interface AdvantageOptions {
  /**
   * What a deviation is divided by: the standard deviation of the group over n - 1 (`"sample"`, as TRL and verl do),
   * over n (`"population"`), or nothing (`"none"`, Dr. GRPO). Default `"sample"`.
   */
  readonly std?: "sample" | "population" | "none";
  /** Added to the standard deviation. Default 1e-6. */
  readonly eps?: number;
  /**
   * Filters groups whose standard deviation is below this (DAPO's dynamic sampling; 0.01 is usual). With
   * `std: "none"` the population deviation is compared. Default: no filter.
   */
  readonly minStd?: number;
}

/** What is known of each group. */
export interface GroupStats {
  /** Rewards that counted: those that are finite. */
  readonly count: Int32Array;
  /** Mean reward; NaN without a reward that counts. */
  readonly mean: Float64Array;
  /** Standard deviation, by the chosen convention (population for `"none"`); 0 for a single reward, NaN for none. */
  readonly std: Float64Array;
}

/** Advantages of rows, `(rows)`. */
export interface Advantages {
  readonly advantage: Float64Array;
  /** 1 where the group of the row was filtered. */
  readonly filtered: Uint8Array;
}

/** Rewards of groups as they come in; the numbers do not depend on how rows are divided into batches. */
export interface AdvantageStats {
  /** Adds rows in row order; `groups[i]` is the group of row i, from 0, -1 = no group. */
  add(rewards: Float64Array, groups: Int32Array): void;
  /** Advantages of rows whose groups are complete. */
  apply(rewards: Float64Array, groups: Int32Array): Advantages;
  /** Statistics of the groups seen so far, `(groups)`. */
  stats(): GroupStats;
}

/**
 * Starts the statistics of an incremental run: `add` every batch in row order, then `apply` to each. See
 * {@link groupAdvantages} for the rules.
 *
 * @throws CalibrantError `option` for an unknown `std`, or an `eps` or `minStd` that is negative or NaN.
 */
export function createAdvantageStats(options: AdvantageOptions = {}): AdvantageStats {
  checkOptionNames(options, ["std", "eps", "minStd"], "advantage");
  const { std = "sample", eps = 1e-6, minStd = 0 } = options;
  checkOptions(std, eps, minStd);
  const moments = new GroupMoments();
  const kind = std === "sample" ? "sample" : "population";
  const deviation = (group: number): number =>
    moments.count(group) === 1 ? 0 : Math.sqrt(moments.variance(group, kind));
  return {
    add: (rewards, groups) => moments.add(rewards, groups),
    apply(rewards, groups) {
      const advantage = new Float64Array(rewards.length);
      const filtered = new Uint8Array(rewards.length);
      for (let row = 0; row < rewards.length; row++) {
        const group = groups[row] as number;
        const reward = rewards[row] as number;
        if (group < 0) advantage[row] = Number.NaN;
        else if (minStd > 0 && !(deviation(group) >= minStd)) filtered[row] = 1;
        else if (Number.isFinite(reward) && moments.count(group) > 1) {
          const centred = reward - moments.mean(group);
          advantage[row] = std === "none" ? centred : divided(centred, deviation(group) + eps);
        }
      }
      return { advantage, filtered };
    },
    stats() {
      const groups = { length: moments.groups };
      return {
        count: Int32Array.from(groups, (_, group) => moments.count(group)),
        mean: Float64Array.from(groups, (_, group) => moments.mean(group)),
        std: Float64Array.from(groups, (_, group) => deviation(group)),
      };
    },
  };
}

/**
 * Group-relative advantages (GRPO): (reward − mean of its group) / (standard deviation + eps), `(rows)`.
 *
 * A reward that is missing (NaN) or infinite stays out of the statistics and gets advantage 0, as does every row of
 * a group with a single reward that counts, and of a filtered group: such rows push the policy nowhere. A row without
 * a group (-1) has no advantage: NaN. Statistics are Welford's, in row order.
 *
 * @param rewards `(rows)`; NaN = missing
 * @param groups group of each row, from 0, `(rows)`; -1 = none
 * @throws CalibrantError `option` for an unknown `std`, or an `eps` or `minStd` that is negative or NaN;
 *   `length-mismatch` when the arrays differ in length.
 *
 * @example
 * ```ts
 * import { groupAdvantages } from "calibrant/rewards";
 * const rewards = Float64Array.of(1, 3, 5, 2);
 * const { advantage } = groupAdvantages(rewards, Int32Array.of(0, 0, 0, 1), { eps: 0 });
 * console.log(advantage); // Float64Array(4) [ -1, 0, 1, 0 ]
 * ```
 */
export function groupAdvantages(
  rewards: Float64Array,
  groups: Int32Array,
  options: AdvantageOptions = {},
): Advantages & GroupStats {
  if (groups.length !== rewards.length) {
    throw new CalibrantError(
      "length-mismatch",
      `groups must number ${rewards.length}, one a reward; got ${groups.length}`,
      { rewards: rewards.length, groups: groups.length },
    );
  }
  const stats = createAdvantageStats(options);
  stats.add(rewards, groups);
  return { ...stats.apply(rewards, groups), ...stats.stats() };
}

/** {@link groupAdvantages} of rewards that are all of one group. */
export function oneGroupAdvantages(rewards: Float64Array, options: AdvantageOptions = {}): Advantages {
  const groups = new Int32Array(rewards.length);
  const stats = createAdvantageStats(options);
  stats.add(rewards, groups);
  return stats.apply(rewards, groups);
}

/** Equal rewards deviate by 0 over 0 when eps is 0; their advantage is 0. */
function divided(centred: number, scale: number): number {
  return centred === 0 ? 0 : centred / scale;
}

function checkOptions(std: string, eps: number, minStd: number): void {
  if (!["sample", "population", "none"].includes(std)) {
    throw new CalibrantError("option", `std must be sample, population or none, got ${std}`, { std });
  }
  if (!(eps >= 0)) throw new CalibrantError("option", `eps must be 0 or more, got ${eps}`, { eps });
  if (!(minStd >= 0))
    throw new CalibrantError("option", `minStd must be 0 or more, got ${minStd}`, { minStd });
}
