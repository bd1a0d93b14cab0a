import type { GroupIndex } from "../../data/keys/group-index.ts";
import { checkRepeated } from "./check-repeated.ts";
import { STORED_CONDITIONS } from "./conditions.ts";
import type { EpisodeStore } from "./episode-store.ts";
import { compareNames } from "./name-order.ts";
import { type OrderedEpisodes, orderEpisodes } from "./order-episodes.ts";
import { passRate } from "./pass-rate.ts";
import type {
  InjectionSetting,
  PassRate,
  RobustnessCondition,
  RobustnessSystem,
} from "./robustness-result.ts";
import type { IntervalSettings } from "./task-bootstrap.ts";
import { countTasks, mergedCounts, type TaskCounts } from "./task-counts.ts";

/** All episodes, ready to be counted by cell. */
export interface RobustnessAnalysis {
  readonly store: EpisodeStore;
  readonly intervals: IntervalSettings;
  /** Numbers of the models and subsets (-1: none) in the order of the tables. */
  readonly models: readonly number[];
  readonly subsets: readonly number[];
  /** The subsets that a model has. */
  subsetsOf(model: number): readonly number[];
  /** The cells of a model on a subset under a condition; a severity counts for injected ones only. */
  cellsOf(model: number, subset: number, condition: RobustnessCondition, setting: number): readonly number[];
  /** Rows of a cell, by task. */
  rowsOf(cell: number): Int32Array;
  /** The tasks of some cells together. */
  countsOf(cells: readonly number[]): TaskCounts;
  rateOf(parts: readonly TaskCounts[]): PassRate;
}

/** The severity that no row states. */
export const UNSTATED: InjectionSetting = { pClean: null, budget: null, kMax: null };

/** A severity by its number; -1 is {@link UNSTATED}. */
export function settingOf({ settings }: Pick<EpisodeStore, "settings">, number: number): InjectionSetting {
  return settings.settings[number] ?? UNSTATED;
}

/** The name of a number; null for -1. */
export function nameOrNull(index: GroupIndex, number: number): string | null {
  return number < 0 ? null : index.key(number);
}

/** The number of a model that has rows. */
export function modelNumber({ store, models }: RobustnessAnalysis, name: string): number {
  return models.find((model) => store.models.key(model) === name) ?? -1;
}

/**
 * Orders and checks all episodes.
 *
 * @param systems come first, in their order; the other models follow by name
 * @throws CalibrantError `data` for an episode that is there twice.
 */
export function analyseEpisodes(
  store: EpisodeStore,
  systems: readonly RobustnessSystem[],
  intervals: IntervalSettings,
): RobustnessAnalysis {
  const { cells } = store.cells;
  const ordered = orderEpisodes(store.columns, store.tasks.size, cells.length);
  checkRepeated(store, ordered);
  const byPair = cellsByPair(store);
  const counted = new Map<number, TaskCounts>();
  const rowsOf = (cell: number): Int32Array => rowsOfCell(ordered, cell);
  const countsOf = (cell: number): TaskCounts => {
    const counts = counted.get(cell) ?? countTasks(store.columns, rowsOf(cell));
    counted.set(cell, counts);
    return counts;
  };
  const models = orderedModels(store, systems);
  const subsets = [...new Set(cells.map(({ subset }) => subset))].sort((a, b) =>
    compareNames(nameOrNull(store.subsets, a), nameOrNull(store.subsets, b)),
  );
  return {
    store,
    intervals,
    models,
    subsets,
    subsetsOf: (model) => subsets.filter((subset) => byPair.has(pairKey(model, subset))),
    cellsOf(model, subset, condition, setting) {
      const kinds = STORED_CONDITIONS[condition];
      return (byPair.get(pairKey(model, subset)) ?? []).filter((number) => {
        const cell = cells[number];
        if (cell === undefined || !kinds.includes(cell.condition)) return false;
        return condition === "clean" || cell.setting === setting;
      });
    },
    rowsOf,
    countsOf: (numbers) => mergedCounts(numbers.map(countsOf)),
    rateOf: (parts) => passRate(parts, intervals),
  };
}

function rowsOfCell({ order, offsets }: OrderedEpisodes, cell: number): Int32Array {
  return order.subarray(offsets[cell], offsets[cell + 1]);
}

function pairKey(model: number, subset: number): string {
  return `${model} ${subset}`;
}

function cellsByPair({ cells }: EpisodeStore): ReadonlyMap<string, readonly number[]> {
  const byPair = new Map<string, number[]>();
  for (const [number, { model, subset }] of cells.cells.entries()) {
    const key = pairKey(model, subset);
    const list = byPair.get(key) ?? [];
    byPair.set(key, list);
    list.push(number);
  }
  return byPair;
}

function orderedModels({ models }: EpisodeStore, systems: readonly RobustnessSystem[]): number[] {
  const first = systems.map(({ model }) => model);
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return Array.from({ length: models.size }, (_, number) => number).sort((a, b) => {
    const [left, right] = [models.key(a), models.key(b)];
    return rank(left) - rank(right) || compareNames(left, right);
  });
}
