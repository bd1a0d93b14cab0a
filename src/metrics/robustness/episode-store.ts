import { createGroupIndex, type GroupIndex } from "../../data/keys/group-index.ts";
import { grown } from "../../math/growable.ts";
import { type CellIndex, createCellIndex } from "./cell-index.ts";
import { createFaultSets, type FaultSets } from "./fault-sets.ts";
import { createMeanSums, type MeanSums } from "./mean-sums.ts";
import { createSettingIndex, type SettingIndex } from "./setting-index.ts";

/** What `passed` is for an episode without a result. */
export const UNSCORED = 2;

/** All episodes as columns, `(rows)`; the arrays may be longer. */
export interface EpisodeColumns {
  rows: number;
  cell: Int32Array;
  task: Int32Array;
  /** -1 without a seed. */
  seed: Int32Array;
  /** 1, 0 or {@link UNSCORED}. */
  passed: Uint8Array;
  /** A number of a fault set, -1 for none; null as long as no row has had one. */
  faultSet: Int32Array | null;
}

/** All that was read. */
export interface EpisodeStore {
  readonly columns: EpisodeColumns;
  readonly models: GroupIndex;
  readonly subsets: GroupIndex;
  readonly tasks: GroupIndex;
  readonly seeds: GroupIndex;
  readonly settings: SettingIndex;
  readonly cells: CellIndex;
  readonly faults: FaultSets;
  readonly turns: MeanSums;
  readonly tokens: MeanSums;
  /** Where the rows of each source begin. */
  readonly sources: { readonly name: string; readonly firstRow: number }[];
}

/** Creates an empty {@link EpisodeStore}. */
export function createEpisodeStore(): EpisodeStore {
  return {
    columns: {
      rows: 0,
      cell: new Int32Array(0),
      task: new Int32Array(0),
      seed: new Int32Array(0),
      passed: new Uint8Array(0),
      faultSet: null,
    },
    models: createGroupIndex(),
    subsets: createGroupIndex(),
    tasks: createGroupIndex(),
    seeds: createGroupIndex(),
    settings: createSettingIndex(),
    cells: createCellIndex(),
    faults: createFaultSets(),
    turns: createMeanSums(),
    tokens: createMeanSums(),
    sources: [],
  };
}

/** Makes room for more rows; their fault sets are -1. */
export function growColumns(columns: EpisodeColumns, rows: number): void {
  const total = columns.rows + rows;
  columns.cell = grown(columns.cell, total);
  columns.task = grown(columns.task, total);
  columns.seed = grown(columns.seed, total);
  columns.passed = grown(columns.passed, total);
  if (columns.faultSet !== null) columns.faultSet = grown(columns.faultSet, total, -1);
}

/** Where a row of the store stands, for messages: rows are counted from 0 in each source. */
export function storedPlace({ sources }: Pick<EpisodeStore, "sources">, row: number): string {
  const source = sources.findLast(({ firstRow }) => firstRow <= row);
  return source === undefined ? `row ${row}` : `${source.name}: row ${row - source.firstRow}`;
}
