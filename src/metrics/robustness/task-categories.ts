/**
 * Tasks by what was counted of them on two sides: tasks with the same four numbers are one category, so a resample of the
 * tasks is how often each category was drawn. Ordered by these numbers: the order of rows does not show.
 */
export interface TaskCategories {
  /** Tasks of all categories. */
  readonly tasks: number;
  /** Tasks of each category, `(k)`, as all that follow. */
  readonly counts: Float64Array;
  /** Episodes of one such task on the baseline's side, and how many of them passed. */
  readonly baseN: Float64Array;
  readonly basePassed: Float64Array;
  /** The same on the candidate's side, or the only one. */
  readonly n: Float64Array;
  readonly passed: Float64Array;
}

/** Gathers {@link TaskCategories}, one task after the other. */
export interface TaskCategoriesBuilder {
  add(baseN: number, basePassed: number, n: number, passed: number): void;
  categories(): TaskCategories;
}

/** One category. */
interface Category {
  readonly numbers: readonly [baseN: number, basePassed: number, n: number, passed: number];
  count: number;
}

/** Above every number of episodes of a task. */
const SPAN = 2 ** 26;

/** Creates an empty {@link TaskCategoriesBuilder}. */
export function createTaskCategories(): TaskCategoriesBuilder {
  const known = new Map<number, Map<number, Category>>();
  const all: Category[] = [];
  return {
    add(baseN, basePassed, n, passed) {
      const base = baseN * SPAN + basePassed;
      const inner = known.get(base) ?? new Map<number, Category>();
      known.set(base, inner);
      const own = n * SPAN + passed;
      let category = inner.get(own);
      if (category === undefined) {
        category = { numbers: [baseN, basePassed, n, passed], count: 0 };
        inner.set(own, category);
        all.push(category);
      }
      category.count += 1;
    },
    categories: () => inOrder(all),
  };
}

function inOrder(all: readonly Category[]): TaskCategories {
  const sorted = [...all].sort((a, b) => {
    const at = a.numbers.findIndex((number, i) => number !== b.numbers[i]);
    return (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
  });
  const column = (index: 0 | 1 | 2 | 3): Float64Array =>
    Float64Array.from(sorted, ({ numbers }) => numbers[index]);
  const counts = Float64Array.from(sorted, ({ count }) => count);
  return {
    tasks: counts.reduce((sum, count) => sum + count, 0),
    counts,
    baseN: column(0),
    basePassed: column(1),
    n: column(2),
    passed: column(3),
  };
}
