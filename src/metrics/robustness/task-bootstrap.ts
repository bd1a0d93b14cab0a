import { sampleMultinomial } from "../../math/binomial-sample.ts";
import { percentileInterval } from "../../math/percentile-interval.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import type { Interval } from "../../types.ts";
import type { TaskCategories } from "./task-categories.ts";

/** How intervals are made. */
export interface IntervalSettings {
  readonly level: number;
  /** 0: no bootstrap intervals. */
  readonly resamples: number;
  readonly seed: number;
}

/** A number of tasks, given how often each category was drawn. */
export type CategoryStatistic = (counts: Float64Array) => number;

/**
 * Percentile bootstrap over tasks: as many tasks as there are, with replacement. The counts of the categories are drawn
 * from their multinomial distribution, which is the same and costs O(categories) a resample.
 *
 * @returns null with fewer than two tasks and without resamples
 */
export function taskBootstrap(
  { tasks, counts }: TaskCategories,
  statistic: CategoryStatistic,
  { level, resamples, seed }: IntervalSettings,
): Interval | null {
  if (tasks < 2 || resamples === 0) return null;
  const random = seededRandom(seed);
  const drawn = new Float64Array(counts.length);
  const replicates = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    sampleMultinomial(tasks, counts, tasks, random, drawn);
    replicates[r] = statistic(drawn);
  }
  const { low, high } = percentileInterval(replicates, level);
  return Number.isNaN(low) ? null : { low, high };
}

/** Share of passed episodes on the candidate's side. */
export function episodeRate({ n, passed }: TaskCategories): CategoryStatistic {
  return (counts) => weighted(counts, passed) / weighted(counts, n);
}

/** Difference of the two shares of passed episodes. */
export function rateDifference(categories: TaskCategories): CategoryStatistic {
  const { baseN, basePassed, n, passed } = categories;
  return (counts) =>
    weighted(counts, passed) / weighted(counts, n) - weighted(counts, basePassed) / weighted(counts, baseN);
}

/**
 * Mean over tasks of the difference of a task's two pass rates, its episodes (seeds) averaged first. Tasks with the same
 * number of episodes are summed as whole numbers, so equal sums cancel to exactly 0.
 */
export function meanTaskDifference(categories: TaskCategories): CategoryStatistic {
  const { baseN, basePassed, n, passed } = categories;
  const groups = byDenominator(categories);
  return (counts) => {
    let [sum, tasks] = [0, 0];
    for (const { denominator, members } of groups) {
      let part = 0;
      for (const k of members) {
        const gain =
          (passed[k] as number) * (baseN[k] as number) - (basePassed[k] as number) * (n[k] as number);
        part += (counts[k] as number) * gain;
        tasks += counts[k] as number;
      }
      sum += part / denominator;
    }
    const mean = sum / tasks;
    return Math.abs(mean) < ROUNDING ? 0 : mean;
  };
}

/** Means below this are the rounding of a sum over different denominators. */
const ROUNDING = 1e-13;

function byDenominator({ baseN, n }: TaskCategories): { denominator: number; members: number[] }[] {
  const groups = new Map<number, number[]>();
  for (let k = 0; k < n.length; k++) {
    const denominator = (baseN[k] as number) * (n[k] as number);
    const members = groups.get(denominator) ?? [];
    groups.set(denominator, members);
    members.push(k);
  }
  return [...groups].map(([denominator, members]) => ({ denominator, members }));
}

function weighted(counts: Float64Array, values: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < counts.length; k++) sum += (counts[k] as number) * (values[k] as number);
  return sum;
}
