import { grown } from "../../math/growable.ts";
import type { EpisodeColumns } from "./episode-store.ts";
import { UNSCORED } from "./episode-store.ts";

/** Episodes of each task of a cell, tasks ascending by number; only tasks with a result. */
export interface TaskCounts {
  readonly size: number;
  /** `(size)`, as the following; may be longer. */
  readonly tasks: Int32Array;
  /** Episodes with a result. */
  readonly n: Int32Array;
  /** Of these, completed. */
  readonly passed: Int32Array;
}

/** No task. */
export const NO_TASKS: TaskCounts = {
  size: 0,
  tasks: new Int32Array(0),
  n: new Int32Array(0),
  passed: new Int32Array(0),
};

/** Gathers {@link TaskCounts}; tasks must come in ascending order. */
export interface TaskCounter {
  add(task: number, n: number, passed: number): void;
  counts(): TaskCounts;
}

/** Creates an empty {@link TaskCounter}. */
export function createTaskCounter(): TaskCounter {
  let size = 0;
  let tasks = new Int32Array(0);
  let n = new Int32Array(0);
  let passed = new Int32Array(0);
  return {
    add(task, episodes, passes) {
      if (size === 0 || tasks[size - 1] !== task) {
        tasks = grown(tasks, size + 1);
        n = grown(n, size + 1);
        passed = grown(passed, size + 1);
        tasks[size] = task;
        size += 1;
      }
      n[size - 1] = (n[size - 1] as number) + episodes;
      passed[size - 1] = (passed[size - 1] as number) + passes;
    },
    counts: () => ({ size, tasks, n, passed }),
  };
}

/** The counts of some rows, which are ordered by task. */
export function countTasks(columns: EpisodeColumns, rows: Int32Array): TaskCounts {
  const counter = createTaskCounter();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const passed = columns.passed[row] as number;
    if (passed !== UNSCORED) counter.add(columns.task[row] as number, 1, passed);
  }
  return counter.counts();
}

/** The counts of several cells together. */
export function mergedCounts(parts: readonly TaskCounts[]): TaskCounts {
  const kept = parts.filter(({ size }) => size > 0);
  return kept.length === 0 ? NO_TASKS : kept.reduce(mergeTwo);
}

function mergeTwo(a: TaskCounts, b: TaskCounts): TaskCounts {
  const counter = createTaskCounter();
  let [i, j] = [0, 0];
  while (i < a.size || j < b.size) {
    const left = i < a.size ? (a.tasks[i] as number) : Number.POSITIVE_INFINITY;
    const right = j < b.size ? (b.tasks[j] as number) : Number.POSITIVE_INFINITY;
    if (left <= right) {
      counter.add(left, a.n[i] as number, a.passed[i] as number);
      i += 1;
    } else {
      counter.add(right, b.n[j] as number, b.passed[j] as number);
      j += 1;
    }
  }
  return counter.counts();
}
