import type { FoundColumn, KeyColumn, ResultColumn } from "../../data/columns.ts";
import { createGroupIndex, type GroupIndex } from "../../data/keys/group-index.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { type PlanOutput, pickColumns } from "../../rewards/plan-outputs.ts";
import type { PlanState } from "../../rewards/plan-state.ts";
import { planRewards, type RewardPlan } from "../../rewards/reward-plan.ts";
import type { TaskSource } from "../input/input-task.ts";
import { inspectInput } from "../input/inspect-input.ts";
import type { Progress } from "../input/progress.ts";
import { openRunInputs, type RunInput } from "../input/run-input.ts";
import type { PoolPlan } from "./ordered-pool.ts";
import type { ScoreOptions } from "./score-options.ts";
import { numericColumns, scoreSources } from "./score-sources.ts";
import { createSummary, type ScoreSummary, type SummaryCollector } from "./score-summary.ts";
import type { TaskRows } from "./task-rows.ts";

/** Everything a pass over the inputs shares. */
export interface ScoreRun {
  readonly inputs: readonly RunInput[];
  readonly sources: readonly TaskSource[];
  readonly plan: RewardPlan;
  /** The columns that the output gets; without those that would repeat a column of the input. */
  readonly outputs: readonly PlanOutput[];
  readonly poolPlan: PoolPlan;
  readonly state: PlanState;
  readonly groups: GroupIndex;
  readonly summary: SummaryCollector;
  readonly nonFinite: Record<string, number>;
  readonly options: ScoreOptions;
  readonly progress: Progress;
}

/**
 * Opens all inputs and checks their columns, before any row is scored.
 *
 * @throws CalibrantError for an input that cannot be read, missing or mistyped columns, or a name that would be written twice.
 */
export async function openScoreRun(options: ScoreOptions, progress: Progress): Promise<ScoreRun> {
  const inputs = await openRunInputs(options.files, options.from);
  const found: FoundColumn[][] = [];
  for (const input of inputs) found.push(await inspectInput(input));
  const poolPlan: PoolPlan = {
    rewards: options.rewards,
    options: options.plan,
    numericColumns: numericColumns(found, options.columns),
  };
  const plan = await planRewards(poolPlan.rewards, poolPlan.options, poolPlan.numericColumns);
  const { sources, outputs } = scoreSources(inputs, found, plan, options);
  return {
    inputs,
    sources,
    plan,
    outputs,
    poolPlan,
    state: plan.createState(),
    groups: createGroupIndex(),
    summary: createSummary(seededRandom(options.seed)),
    nonFinite: Object.create(null) as Record<string, number>,
    options,
    progress,
  };
}

/** Adds scored rows to the groups, in row order; returns the group of each row. */
export function addRows(run: ScoreRun, rows: TaskRows): Int32Array {
  const keys: KeyColumn | undefined =
    rows.codes === null ? undefined : { kind: "key", codes: rows.codes, keys: rows.keys };
  const groups = run.groups.add(keys, rows.rows);
  run.state.add({ kept: rows.kept, passing: rows.passing }, groups);
  for (const [column, count] of Object.entries(rows.nonFinite)) {
    run.nonFinite[column] = (run.nonFinite[column] ?? 0) + count;
  }
  run.progress.add(rows.rows);
  return groups;
}

/** The added columns of rows whose groups are complete, counted in the summary. */
export function finishRows(run: ScoreRun, kept: readonly Float64Array[], groups: Int32Array): ResultColumn[] {
  const columns = run.state.results(kept, groups);
  run.summary.add(columns, groups.length);
  return pickColumns(columns, run.outputs);
}

/** The summary once every row is finished. */
export function summaryOf(run: ScoreRun): ScoreSummary {
  return run.summary.finish(run.groups.size, run.nonFinite);
}
