import type { ColumnNeeds, RolloutBatch } from "../data/columns.ts";

/** The parts that rows have before their group is complete. */
export interface RowParts {
  /** One array per name of {@link RewardJob.kept}, length = rows: kept until the groups are complete. */
  readonly kept: readonly Float64Array[];
  /** Further arrays that only {@link GroupState.add} reads; dropped after it. */
  readonly passing: readonly Float64Array[];
}

/** What is known of each group; grows with the number of groups, never with the number of rows. */
export interface GroupState {
  /** Adds rows in row order; `groups[i]` is the group of row i, from 0, -1 = no group. */
  add(parts: RowParts, groups: Int32Array): void;
  /** The result columns of rows whose groups are complete. The last one named `reward` is the reward. */
  finish(kept: readonly Float64Array[], groups: Int32Array): FinishedRows;
}

/** Result columns without advantage and status text; `status` holds one bit mask a row. */
export interface FinishedRows {
  readonly columns: readonly { readonly name: string; readonly values: Float64Array }[];
  readonly status: Uint32Array;
}

/**
 * One reward as the three ways in run it: rows first (any thread, any order), then groups (in row order), then
 * results. Plain rollouts, Arrow tables and files all go through the same job, so their numbers are identical.
 */
export interface RewardJob {
  readonly name: string;
  readonly needs: ColumnNeeds;
  readonly kept: readonly string[];
  /** Names of the result columns, in order, `reward` last; advantage and status are added by the caller. */
  readonly results: readonly string[];
  /** `statusNames[b]` is the word for bit b of the status masks. */
  readonly statusNames: readonly string[];
  /** The options in force, defaults filled in: every output states them. */
  readonly choices: Readonly<Record<string, unknown>>;
  /** Results that only repeat an input column of the same name unless another column is there: result → that column. */
  readonly echoes?: Readonly<Record<string, string>>;
  /** What rows have by themselves; in any thread, batches in any order. */
  scoreRows(batch: RolloutBatch): RowParts;
  /** Starts the state of the groups of a run. */
  createGroups(): GroupState;
}
