import type { ColumnNeeds, RolloutBatch } from "../../data/columns.ts";
import { addEpisodes, ROBUSTNESS_NEEDS } from "./add-episodes.ts";
import { analyseEpisodes, nameOrNull, settingOf } from "./analysis.ts";
import { costTable } from "./cost-table.ts";
import { createEpisodeStore, type EpisodeStore } from "./episode-store.ts";
import { faultTable } from "./fault-table.ts";
import { degradedPairs, gapTable } from "./gap-table.ts";
import { chooseSetting } from "./main-setting.ts";
import {
  type CheckedRobustnessOptions,
  checkRobustnessOptions,
  chooseSystems,
  type RobustnessOptions,
} from "./robustness-options.ts";
import type { RobustnessResult } from "./robustness-result.ts";
import { excludedRows, robustnessWarnings } from "./robustness-warnings.ts";
import { seedTable } from "./seed-table.ts";
import { sensitivityTable } from "./sensitivity-table.ts";

/** Gathers episodes batch by batch and makes the tables; about 20 bytes a row are kept. */
export interface RobustnessAccumulator {
  /** The columns to read. */
  readonly needs: ColumnNeeds;
  /**
   * Adds the rows of a batch.
   *
   * @param source name of the file, for messages; its rows must come in order
   * @throws CalibrantError `data` naming row and column.
   */
  add(batch: RolloutBatch, source?: string): void;
  /**
   * The tables of all rows; they depend on neither the order of rows nor the batches.
   *
   * @throws CalibrantError `data` for an episode that is there twice, `option` for a system or severity that no row has.
   */
  finish(): RobustnessResult;
}

/**
 * Creates an empty {@link RobustnessAccumulator}. `options.columns` is for rows and tables: batches have the needed names.
 *
 * @throws CalibrantError `option` for a bad option.
 *
 * @example
 * ```ts
 * import { batchFromRows } from "calibrant/data";
 * import { createRobustness } from "calibrant/metrics";
 * const tables = createRobustness();
 * const requests = [...tables.needs.required.flat(), ...tables.needs.optional];
 * for (const condition of ["clean", "injected"]) {
 *   const rows = [{ model: "m", condition, task_id: "a", completed: condition === "clean" }];
 *   tables.add(batchFromRows(rows, requests, condition));
 * }
 * console.log(tables.finish().gap[0]?.delta.value); // -1
 * ```
 */
export function createRobustness(options: RobustnessOptions = {}): RobustnessAccumulator {
  const checked = checkRobustnessOptions(options);
  const store = createEpisodeStore();
  return {
    needs: ROBUSTNESS_NEEDS,
    add(batch, source) {
      if (source !== undefined && store.sources.at(-1)?.name !== source)
        store.sources.push({ name: source, firstRow: store.columns.rows });
      addEpisodes(store, batch);
    },
    finish: () => robustnessTables(store, checked),
  };
}

function robustnessTables(store: EpisodeStore, options: CheckedRobustnessOptions): RobustnessResult {
  const { level, resamples, seed, named } = options;
  const analysis = analyseEpisodes(store, named, { level, resamples, seed });
  const models = analysis.models.map((model) => store.models.key(model));
  const systems = chooseSystems(named, models);
  const setting = chooseSetting(store, options.setting);
  const gap = gapTable(analysis, setting.main);
  const excluded = excludedRows(analysis, setting);
  return {
    rows: store.columns.rows,
    episodes: store.columns.rows - excluded.unscored,
    models,
    subsets: analysis.subsets.map((subset) => nameOrNull(store.subsets, subset)),
    systems,
    setting: settingOf(store, setting.main),
    gap,
    degraded: degradedPairs(gap),
    seeds: seedTable(analysis, setting.main),
    byFaultType: faultTable(analysis, systems, setting.main),
    sensitivity: sensitivityTable(analysis, systems, setting),
    cost: costTable(analysis, setting.main),
    excluded,
    warnings: robustnessWarnings(analysis, setting, gap, excluded),
    level,
    resamples,
    seed,
  };
}
