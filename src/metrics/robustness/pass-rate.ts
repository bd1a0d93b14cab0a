import { FEWEST_UNITS } from "../../math/beyond-noise.ts";
import { wilsonInterval } from "../proportions.ts";
import { emptyRate, rateOf, withInterval } from "../rate.ts";
import type { PassRate } from "./robustness-result.ts";
import { episodeRate, type IntervalSettings, taskBootstrap } from "./task-bootstrap.ts";
import { createTaskCategories, type TaskCategories } from "./task-categories.ts";
import type { TaskCounts } from "./task-counts.ts";

/**
 * The share of episodes that passed, with an interval that counts tasks as independent, not episodes: Wilson's where every
 * task has one episode; else a percentile bootstrap over tasks, or, with fewer than 10 tasks or where all tasks passed
 * equally often, Wilson's with the tasks as trials.
 *
 * @param parts the counts of each subset
 */
export function passRate(parts: readonly TaskCounts[], settings: IntervalSettings): PassRate {
  const categories = categoriesOf(parts);
  const { tasks, counts, n, passed } = categories;
  let [episodes, passes, most] = [0, 0, 0];
  for (let k = 0; k < counts.length; k++) {
    episodes += (counts[k] as number) * (n[k] as number);
    passes += (counts[k] as number) * (passed[k] as number);
    most = Math.max(most, n[k] as number);
  }
  if (episodes === 0) return { ...emptyRate("empty"), tasks: 0, interval: null };
  const rate = rateOf(passes, episodes, settings.level);
  if (most === 1) return { ...rate, tasks, interval: "wilson" };
  if (settings.resamples === 0) return { ...rate, low: null, high: null, tasks, interval: null };
  if (tasks >= FEWEST_UNITS && isSpread(categories)) {
    const interval = taskBootstrap(categories, episodeRate(categories), settings);
    if (interval !== null) return { ...withInterval(rate, interval), tasks, interval: "task-bootstrap" };
  }
  const interval = wilsonInterval((passes / episodes) * tasks, tasks, settings);
  return { ...withInterval(rate, interval), tasks, interval: "task-wilson" };
}

function categoriesOf(parts: readonly TaskCounts[]): TaskCategories {
  const builder = createTaskCategories();
  for (const { size, n, passed } of parts) {
    for (let i = 0; i < size; i++) builder.add(0, 0, n[i] as number, passed[i] as number);
  }
  return builder.categories();
}

/** Whether tasks differ in how often they passed. */
function isSpread({ n, passed }: TaskCategories): boolean {
  const first = (passed[0] as number) / (n[0] as number);
  return n.some((episodes, k) => (passed[k] as number) / episodes !== first);
}
