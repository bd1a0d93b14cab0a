import { nameOrNull, type RobustnessAnalysis } from "./analysis.ts";
import { pairedDelta } from "./pass-rate-delta.ts";
import type { DegradedPairs, GapRow, NamedDelta, RobustnessCondition } from "./robustness-result.ts";
import type { TaskCounts } from "./task-counts.ts";

/** Pass rates and differences of every model on every subset that it has, at one severity. */
export function gapTable(analysis: RobustnessAnalysis, setting: number): GapRow[] {
  return analysis.models.flatMap((model) =>
    analysis.subsetsOf(model).map((subset) => gapRow(analysis, model, subset, setting)),
  );
}

function gapRow(analysis: RobustnessAnalysis, model: number, subset: number, setting: number): GapRow {
  const { store, intervals } = analysis;
  const side = (condition: RobustnessCondition): TaskCounts =>
    analysis.countsOf(analysis.cellsOf(model, subset, condition, setting));
  const [clean, injected, injectedAlt] = [side("clean"), side("injected"), side("injectedAlt")];
  const cleanRate = analysis.rateOf([clean]);
  const injectedRate = analysis.rateOf([injected]);
  const altRate = analysis.rateOf([injectedAlt]);
  const nameOf = (_pair: number, task: number): string => store.tasks.key(task);
  const compare = (candidate: TaskCounts, rate: typeof cleanRate): GapRow["delta"] =>
    pairedDelta({ baseline: cleanRate, candidate: rate, pairs: [[clean, candidate]], nameOf }, intervals);
  return {
    model: store.models.key(model),
    subset: nameOrNull(store.subsets, subset),
    clean: cleanRate,
    injected: injectedRate,
    injectedAlt: altRate,
    delta: compare(injected, injectedRate),
    deltaAlt: compare(injectedAlt, altRate),
  };
}

/** Counts the pairs that lose pass rate under injection without alternatives. */
export function degradedPairs(gap: readonly GapRow[]): DegradedPairs {
  const known = gap.filter(({ delta }) => delta.value !== null);
  const degraded = known.filter(({ delta }) => (delta.value as number) < 0);
  return {
    pairs: known.length,
    degraded: degraded.length,
    beyondNoise: degraded.filter(({ delta }) => delta.beyondNoise === true).length,
    largest: largestDrop(
      degraded.map(({ model, subset, delta }) => ({ model, subset, delta: delta.value as number })),
    ),
  };
}

/** The most negative difference, the first of equal ones; null when none is negative. */
export function largestDrop(deltas: readonly NamedDelta[]): NamedDelta | null {
  let largest: NamedDelta | null = null;
  for (const one of deltas) if (one.delta < (largest?.delta ?? 0)) largest = one;
  return largest;
}
