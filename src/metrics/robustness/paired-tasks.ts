import { createTaskCategories, type TaskCategories } from "./task-categories.ts";
import type { TaskCounts } from "./task-counts.ts";

/** Two sides of a comparison, matched by task. */
export interface PairedTasks {
  /** The tasks that both sides have. */
  readonly both: TaskCategories;
  /** The tasks of either side; a side without a task has 0 episodes of it. */
  readonly either: TaskCategories;
  /** Names of the tasks that only one side has. */
  readonly onlyBaseline: readonly string[];
  readonly onlyCandidate: readonly string[];
}

/**
 * Matches the tasks of two sides.
 *
 * @param pairs the two sides on each subset: a task id names a task inside its subset only
 * @param nameOf the name of a task of a pair
 */
export function pairTasks(
  pairs: readonly (readonly [baseline: TaskCounts, candidate: TaskCounts])[],
  nameOf: (pair: number, task: number) => string,
): PairedTasks {
  const both = createTaskCategories();
  const either = createTaskCategories();
  const onlyBaseline: string[] = [];
  const onlyCandidate: string[] = [];
  for (const [pair, [a, b]] of pairs.entries()) {
    let [i, j] = [0, 0];
    while (i < a.size || j < b.size) {
      const left = taskAt(a, i);
      const right = taskAt(b, j);
      const hasLeft = left <= right;
      const hasRight = right <= left;
      const baseN = hasLeft ? (a.n[i] as number) : 0;
      const basePassed = hasLeft ? (a.passed[i] as number) : 0;
      const n = hasRight ? (b.n[j] as number) : 0;
      const passed = hasRight ? (b.passed[j] as number) : 0;
      either.add(baseN, basePassed, n, passed);
      if (!hasRight) onlyBaseline.push(nameOf(pair, left));
      else if (!hasLeft) onlyCandidate.push(nameOf(pair, right));
      else both.add(baseN, basePassed, n, passed);
      if (hasLeft) i += 1;
      if (hasRight) j += 1;
    }
  }
  return { both: both.categories(), either: either.categories(), onlyBaseline, onlyCandidate };
}

function taskAt({ size, tasks }: TaskCounts, index: number): number {
  return index < size ? (tasks[index] as number) : Number.POSITIVE_INFINITY;
}
