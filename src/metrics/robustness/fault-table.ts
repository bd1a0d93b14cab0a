import { modelNumber, type RobustnessAnalysis } from "./analysis.ts";
import { UNSCORED } from "./episode-store.ts";
import { faultGroup, INJECTED_FAULTS } from "./fault-types.ts";
import { compareNames } from "./name-order.ts";
import { pooledDelta } from "./pass-rate-delta.ts";
import type { FaultTypeRow, PassRateDelta, RobustnessSystem } from "./robustness-result.ts";
import { comparedSystems, type SystemCounts, systemCounts, systemWith } from "./system-rates.ts";
import { createTaskCounter, mergedCounts, type TaskCounter, type TaskCounts } from "./task-counts.ts";

/** Pass rates by fault type under injection without alternatives; empty when no such row has a fault type. */
export function faultTable(
  analysis: RobustnessAnalysis,
  systems: readonly RobustnessSystem[],
  setting: number,
): FaultTypeRow[] {
  const counts = new Map<string, ReadonlyMap<string, TaskCounts>>();
  const countsOf = (model: number, subset: number): ReadonlyMap<string, TaskCounts> => {
    const key = `${model} ${subset}`;
    const known =
      counts.get(key) ?? countsByFault(analysis, analysis.cellsOf(model, subset, "injected", setting));
    counts.set(key, known);
    return known;
  };
  const seen = new Set<string>();
  for (const { model } of systems) {
    const number = modelNumber(analysis, model);
    for (const subset of analysis.subsetsOf(number))
      for (const name of countsOf(number, subset).keys()) seen.add(name);
  }
  if (seen.size === 0) return [];
  return faultOrder(seen).map((faultType) => {
    const sides = systems.map((system) =>
      systemCounts(
        analysis,
        system,
        (model, subset) => countsOf(model, subset).get(faultType) ?? mergedCounts([]),
      ),
    );
    const [base, btm, rl] = (["base", "btm", "rl"] as const).map((role) => systemWith(systems, sides, role));
    return {
      faultType,
      group: faultGroup(faultType),
      rates: sides.map(({ rate }) => rate),
      deltaBtm: deltaOf(analysis, base, btm),
      deltaRl: deltaOf(analysis, btm, rl),
    };
  });
}

function deltaOf(
  analysis: RobustnessAnalysis,
  baseline: SystemCounts | undefined,
  candidate: SystemCounts | undefined,
): PassRateDelta | null {
  if (baseline === undefined || candidate === undefined) return null;
  return pooledDelta(comparedSystems(analysis, baseline, candidate), analysis.intervals);
}

/** The nine known fault types in their order, then the others by name. */
function faultOrder(seen: ReadonlySet<string>): string[] {
  const known = INJECTED_FAULTS.map(([name]) => name);
  const others = [...seen].filter((name) => !known.includes(name));
  return [...known, ...others.sort(compareNames)];
}

/** The tasks of each fault type of some cells; an episode counts under each of its types. */
function countsByFault(
  { store, rowsOf }: RobustnessAnalysis,
  cells: readonly number[],
): ReadonlyMap<string, TaskCounts> {
  const { task, passed, faultSet } = store.columns;
  const parts = new Map<string, TaskCounts[]>();
  for (const cell of faultSet === null ? [] : cells) {
    const counters: (TaskCounter | undefined)[] = [];
    for (const row of rowsOf(cell)) {
      const set = faultSet?.[row] ?? -1;
      if (set < 0 || passed[row] === UNSCORED) continue;
      for (const type of store.faults.sets[set] ?? []) {
        const counter = counters[type] ?? createTaskCounter();
        counters[type] = counter;
        counter.add(task[row] as number, 1, passed[row] as number);
      }
    }
    for (const [type, counter] of counters.entries()) {
      if (counter === undefined) continue;
      const name = store.faults.types[type] as string;
      parts.set(name, [...(parts.get(name) ?? []), counter.counts()]);
    }
  }
  return new Map([...parts].map(([name, list]) => [name, mergedCounts(list)]));
}
