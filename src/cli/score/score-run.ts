import { type ColumnRenames, checkColumns } from "../../data/check-columns.ts";
import type { FoundColumn, KeyColumn, ResultColumn } from "../../data/columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError } from "../../errors.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { createGroupIndex, type GroupIndex } from "../../rewards/group-index.ts";
import {
  newOutputs,
  type PlanOutput,
  type PlanState,
  pickColumns,
  planRewards,
  type RewardPlan,
} from "../../rewards/reward-plan.ts";
import { inspectInput } from "./inspect-input.ts";
import type { PoolPlan } from "./ordered-pool.ts";
import type { Progress } from "./progress.ts";
import { openScoreInput, type ScoreInput } from "./score-input.ts";
import type { ScoreOptions } from "./score-options.ts";
import { createSummary, type ScoreSummary, type SummaryCollector } from "./score-summary.ts";
import type { TaskRows, TaskSource } from "./score-task.ts";

/** Everything a pass over the inputs shares. */
export interface ScoreRun {
  readonly inputs: readonly ScoreInput[];
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
  const files = await expandInputs(options.files);
  if (files.filter((file) => file === "-").length > 1)
    throw new CalibrantError("usage", "standard input (-) can be given once");
  const inputs: ScoreInput[] = [];
  for (const file of files) inputs.push(await openScoreInput(file, options.from));
  const found: FoundColumn[][] = [];
  for (const input of inputs) found.push(await inspectInput(input));
  const poolPlan: PoolPlan = {
    rewards: options.rewards,
    options: options.plan,
    numericColumns: numericColumns(found, options.columns),
  };
  const plan = await planRewards(poolPlan.rewards, poolPlan.options, poolPlan.numericColumns);
  const sources = inputs.map((input, index) =>
    taskSource(input, found[index] as FoundColumn[], plan, options),
  );
  return {
    inputs,
    sources,
    plan,
    outputs: options.output === null ? plan.outputs : addedOutputs(plan, sources, found),
    poolPlan,
    state: plan.createState(),
    groups: createGroupIndex(),
    summary: createSummary(seededRandom(options.seed)),
    nonFinite: {},
    options,
    progress,
  };
}

/** What a formula may name: numeric columns that every input has, under their own names and those of `--columns`. */
function numericColumns(found: readonly (readonly FoundColumn[])[], renames: ColumnRenames): string[] {
  const numeric = found.map((columns) =>
    columns.filter((c) => c.kinds.includes("number")).map((c) => c.name),
  );
  const [first = [], ...rest] = numeric;
  const shared = first.filter((name) => rest.every((names) => names.includes(name)));
  const renamed = [...renames].filter(([, source]) => shared.includes(source)).map(([name]) => name);
  return [...new Set([...shared, ...renamed])];
}

function taskSource(
  input: ScoreInput,
  found: readonly FoundColumn[],
  plan: RewardPlan,
  options: ScoreOptions,
): TaskSource {
  const requests = checkColumns(found, plan.needs, input.name, options.columns);
  const renames = [...options.columns].filter(([name, source]) => source !== "" && source !== name);
  return { name: input.name, requests, renames };
}

/** The columns that the output gets: the same for every input. */
function addedOutputs(
  plan: RewardPlan,
  sources: readonly TaskSource[],
  found: readonly FoundColumn[][],
): PlanOutput[] {
  const [first, ...others] = sources.map((source, index) => {
    const names = new Set((found[index] as FoundColumn[]).map((column) => column.name));
    // A column that is read under another name is not the one of an output's name.
    const read = source.requests.filter((request) => !source.renames.some(([name]) => name === request.name));
    return { source, outputs: newOutputs(plan, names, read, source.name) };
  });
  if (first === undefined) return [...plan.outputs];
  for (const { source, outputs } of others) {
    if (outputs.length === first.outputs.length) continue;
    const only = plan.outputs.find((output) => outputs.includes(output) !== first.outputs.includes(output));
    throw new CalibrantError(
      "schema",
      `one of ${first.source.name} and ${source.name} has the column ${only?.name}: name the added columns apart with --prefix, for example --prefix new_`,
    );
  }
  return first.outputs;
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
