import { modelNumber, nameOrNull, type RobustnessAnalysis } from "./analysis.ts";
import type { ComparedRates } from "./pass-rate-delta.ts";
import type { PassRate, RobustnessSystem } from "./robustness-result.ts";
import { NO_TASKS, type TaskCounts } from "./task-counts.ts";

/** The episodes of one system, by subset. */
export interface SystemCounts {
  readonly rate: PassRate;
  readonly bySubset: ReadonlyMap<number, TaskCounts>;
}

/** The counts of a system over all its subsets. */
export function systemCounts(
  analysis: RobustnessAnalysis,
  { model }: RobustnessSystem,
  countsOf: (model: number, subset: number) => TaskCounts,
): SystemCounts {
  const number = modelNumber(analysis, model);
  const bySubset = new Map(
    analysis.subsetsOf(number).map((subset) => [subset, countsOf(number, subset)] as const),
  );
  return { rate: analysis.rateOf([...bySubset.values()]), bySubset };
}

/** Two systems, matched by subset. */
export function comparedSystems(
  { store, subsets }: RobustnessAnalysis,
  baseline: SystemCounts,
  candidate: SystemCounts,
): ComparedRates {
  const several = subsets.length > 1;
  return {
    baseline: baseline.rate,
    candidate: candidate.rate,
    pairs: subsets.map((subset) => [
      baseline.bySubset.get(subset) ?? NO_TASKS,
      candidate.bySubset.get(subset) ?? NO_TASKS,
    ]),
    nameOf(pair, task) {
      const name = store.tasks.key(task);
      return several ? `${nameOrNull(store.subsets, subsets[pair] as number) ?? "no subset"}: ${name}` : name;
    },
  };
}

/** The system with a role; undefined where it was not named. */
export function systemWith<T>(
  systems: readonly RobustnessSystem[],
  values: readonly T[],
  role: RobustnessSystem["role"],
): T | undefined {
  const index = systems.findIndex((system) => system.role === role);
  return index < 0 ? undefined : values[index];
}
