import type { ResultColumn } from "../data/columns.ts";
import { type AdvantageOptions, type AdvantageStats, createAdvantageStats } from "./advantage.ts";
import type { CompiledExpression } from "./expression.ts";
import type { FinishedRows, GroupState, RewardJob, RowParts } from "./reward-job.ts";
import { rewardVariable } from "./reward-variable.ts";
import { statusText } from "./status-text.ts";

/** A reward column and where its advantage and status go. */
export interface PlanTarget {
  readonly prefix: string;
  /** Index of the job, or -1 for the expression. */
  readonly job: number;
  readonly advantage: boolean;
}

/** The kept parts of all jobs, one after the other, then the columns of the expression; passing parts by job. */
export interface PlanParts {
  readonly kept: readonly Float64Array[];
  readonly passing: readonly (readonly Float64Array[])[];
}

/** The state of a run of a plan. Call order: `add` for rows, then `addRewards` once their groups are complete, then `results`. */
export interface PlanState {
  /** Adds rows in row order; `groups[i]` is the group of row i, from 0, -1 = no group. */
  add(parts: PlanParts, groups: Int32Array): void;
  /** Adds the rewards of rows whose groups are complete to the statistics of the advantages, in row order. */
  addRewards(kept: readonly Float64Array[], groups: Int32Array): void;
  /** The result columns of rows whose groups are complete and whose rewards were added. */
  results(kept: readonly Float64Array[], groups: Int32Array): ResultColumn[];
}

/** What a plan is made of. */
export interface PlanContents {
  readonly jobs: readonly RewardJob[];
  readonly expression: CompiledExpression | null;
  readonly columns: readonly string[];
  readonly targets: readonly PlanTarget[];
  readonly starts: readonly number[];
  readonly advantage: AdvantageOptions;
}

/** The words of an expression's status. */
const EXPRESSION_STATUS = ["null_term"] as const;

/** Starts the state of a run. */
export function createPlanState(plan: PlanContents): PlanState {
  const states = plan.jobs.map((job) => job.createGroups());
  const stats = plan.targets.map((target) =>
    target.advantage ? createAdvantageStats(plan.advantage) : null,
  );
  return {
    add(parts, groups) {
      states.forEach((state, job) => {
        const kept = jobKept(plan, parts.kept, job);
        state.add({ kept, passing: parts.passing[job] ?? [] } satisfies RowParts, groups);
      });
    },
    addRewards(kept, groups) {
      const finished = finishAll(plan, states, kept, groups);
      finished.forEach((rows, target) => {
        stats[target]?.add(rewardOf(rows), groups);
      });
    },
    results(kept, groups) {
      const finished = finishAll(plan, states, kept, groups);
      return plan.targets.flatMap((target, index) =>
        targetResults(plan, target, finished[index] as FinishedRows, stats[index] ?? null, groups),
      );
    },
  };
}

function jobKept(plan: PlanContents, kept: readonly Float64Array[], job: number): readonly Float64Array[] {
  return kept.slice(plan.starts[job], plan.starts[job + 1]);
}

/** Finished rows of every target: the jobs', then the expression's, which reads the jobs' results. */
function finishAll(
  plan: PlanContents,
  states: readonly GroupState[],
  kept: readonly Float64Array[],
  groups: Int32Array,
): FinishedRows[] {
  const finished = states.map((state, job) => state.finish(jobKept(plan, kept, job), groups));
  if (plan.expression === null) return finished;
  const values: Record<string, Float64Array> = {};
  plan.jobs.forEach((job, index) => {
    const variable = rewardVariable(job.name);
    for (const column of (finished[index] as FinishedRows).columns)
      values[`${variable}_${column.name}`] = column.values;
    values[variable] = rewardOf(finished[index] as FinishedRows);
  });
  const first = plan.starts[plan.jobs.length] as number;
  plan.columns.forEach((name, index) => {
    values[name] = kept[first + index] as Float64Array;
  });
  return [...finished, expressionRows(plan.expression.evaluate(values, groups.length))];
}

function expressionRows(reward: Float64Array): FinishedRows {
  const status = new Uint32Array(reward.length);
  for (let row = 0; row < reward.length; row += 1) status[row] = Number.isNaN(reward[row]) ? 1 : 0;
  return { columns: [{ name: "reward", values: reward }], status };
}

function rewardOf(rows: FinishedRows): Float64Array {
  return (rows.columns[rows.columns.length - 1] as { values: Float64Array }).values;
}

function targetResults(
  plan: PlanContents,
  target: PlanTarget,
  rows: FinishedRows,
  stats: AdvantageStats | null,
  groups: Int32Array,
): ResultColumn[] {
  const words = target.job < 0 ? EXPRESSION_STATUS : (plan.jobs[target.job] as RewardJob).statusNames;
  const numbers = rows.columns.map(
    (column): ResultColumn => ({
      name: `${target.prefix}${column.name}`,
      type: "float64",
      values: column.values,
    }),
  );
  const all = [...words];
  const masks = rows.status;
  if (stats !== null) {
    const { advantage, filtered } = stats.apply(rewardOf(rows), groups);
    numbers.push({ name: `${target.prefix}advantage`, type: "float64", values: advantage });
    markRows(masks, bitOf(all, "filtered"), (row) => filtered[row] === 1);
    markRows(masks, bitOf(all, "no_group"), (row) => (groups[row] as number) < 0);
  }
  return [...numbers, statusText(`${target.prefix}status`, masks, all)];
}

/** The bit of a status word, which is added to `words` when it is new. */
function bitOf(words: string[], word: string): number {
  if (!words.includes(word)) words.push(word);
  return 1 << words.indexOf(word);
}

function markRows(masks: Uint32Array, bit: number, holds: (row: number) => boolean): void {
  for (let row = 0; row < masks.length; row += 1) if (holds(row)) masks[row] = (masks[row] as number) | bit;
}
