import { isBeyondNoise } from "../../math/beyond-noise.ts";
import { mcnemarExact } from "../mcnemar.ts";
import { compareNames } from "./name-order.ts";
import { type PairedTasks, pairTasks } from "./paired-tasks.ts";
import type { McNemarTest, PassRate, PassRateDelta, UnpairedTasks } from "./robustness-result.ts";
import {
  type CategoryStatistic,
  type IntervalSettings,
  meanTaskDifference,
  rateDifference,
  taskBootstrap,
} from "./task-bootstrap.ts";
import type { TaskCategories } from "./task-categories.ts";
import type { TaskCounts } from "./task-counts.ts";

/** What is compared. */
export interface ComparedRates {
  readonly baseline: PassRate;
  readonly candidate: PassRate;
  /** The two sides on each subset. */
  readonly pairs: readonly (readonly [baseline: TaskCounts, candidate: TaskCounts])[];
  /** The name of a task of a pair. */
  readonly nameOf: (pair: number, task: number) => string;
}

/** Unpaired tasks that are named. */
const NAMED = 20;

/**
 * candidate - baseline over the tasks that both have: the mean over tasks of the difference of a task's two pass rates, its
 * seeds averaged first. The interval draws these tasks.
 */
export function pairedDelta(compared: ComparedRates, settings: IntervalSettings): PassRateDelta {
  const paired = pairTasks(compared.pairs, compared.nameOf);
  const delta = deltaOf(compared, paired, paired.both, meanTaskDifference(paired.both), settings);
  return { ...delta, mcnemar: mcnemarOf(paired.both) };
}

/**
 * candidate - baseline as the difference of the two pass rates over all their episodes. The interval draws the tasks of
 * either side, each with its episodes on both: for episodes that chance picked (by the fault they met), whose tasks
 * overlap only in part.
 */
export function pooledDelta(compared: ComparedRates, settings: IntervalSettings): PassRateDelta {
  const paired = pairTasks(compared.pairs, compared.nameOf);
  return deltaOf(compared, paired, paired.either, rateDifference(paired.either), settings);
}

function deltaOf(
  { baseline, candidate }: ComparedRates,
  paired: PairedTasks,
  categories: TaskCategories,
  statistic: CategoryStatistic,
  settings: IntervalSettings,
): PassRateDelta {
  const raw = statistic(categories.counts);
  const value = Number.isNaN(raw) ? null : raw;
  const interval = value === null ? null : taskBootstrap(categories, statistic, settings);
  const bothRates = baseline.value !== null && candidate.value !== null;
  return {
    value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    ofRates: bothRates ? (candidate.value as number) - (baseline.value as number) : null,
    pairedTasks: paired.both.tasks,
    onlyBaseline: unpaired(paired.onlyBaseline),
    onlyCandidate: unpaired(paired.onlyCandidate),
    beyondNoise:
      interval === null
        ? null
        : isBeyondNoise({
            ...interval,
            baseline: baseline.value ?? Number.NaN,
            candidate: candidate.value ?? Number.NaN,
            units: Math.min(categories.tasks, baseline.tasks, candidate.tasks),
          }),
    mcnemar: null,
    reason: value === null ? missingReason(baseline, candidate) : null,
  };
}

function missingReason(baseline: PassRate, candidate: PassRate): string {
  if (baseline.value === null)
    return candidate.value === null ? "no episodes" : "no episodes to compare with";
  return candidate.value === null ? "no episodes" : "no task on both sides";
}

function unpaired(names: readonly string[]): UnpairedTasks {
  const first: string[] = [];
  for (const name of names) {
    if (first.length === NAMED && compareNames(name, first[NAMED - 1] as string) >= 0) continue;
    const at = first.findIndex((other) => compareNames(name, other) < 0);
    first.splice(at < 0 ? first.length : at, 0, name);
    first.length = Math.min(first.length, NAMED);
  }
  return { count: names.length, names: first };
}

/** null unless every paired task has one episode on each side. */
function mcnemarOf({ tasks, counts, baseN, basePassed, n, passed }: TaskCategories): McNemarTest | null {
  let [onlyBaseline, onlyCandidate] = [0, 0];
  for (let k = 0; k < counts.length; k++) {
    if (baseN[k] !== 1 || n[k] !== 1) return null;
    const gain = (passed[k] as number) - (basePassed[k] as number);
    if (gain < 0) onlyBaseline += counts[k] as number;
    if (gain > 0) onlyCandidate += counts[k] as number;
  }
  if (tasks === 0) return null;
  return { pValue: mcnemarExact(onlyBaseline, onlyCandidate), onlyBaseline, onlyCandidate };
}
