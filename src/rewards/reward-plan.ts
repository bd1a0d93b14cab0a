import type { ColumnNeeds, ColumnRequest, ResultColumn, RolloutBatch } from "../data/columns.ts";
import { CalibrantError } from "../errors.ts";
import { type AdvantageOptions, type AdvantageStats, createAdvantageStats } from "./advantage.ts";
import { type Bench2RobustOptions, bench2robustJob } from "./bench2robust.ts";
import { type CompiledExpression, compileExpression } from "./expression.ts";
import type { FinishedRows, GroupState, RewardJob, RowParts } from "./reward-job.ts";
import { statusText } from "./status-text.ts";
import { type TrustOptions, trustJob } from "./trust.ts";

/** The rewards that can be asked for by name. */
export const REWARD_NAMES = ["trust", "bench2robust"] as const;
export type RewardName = (typeof REWARD_NAMES)[number];

/** Plain data, so that a worker thread can build the same plan. */
export interface RewardPlanOptions {
  readonly trust?: TrustOptions;
  readonly bench2robust?: Bench2RobustOptions;
  readonly advantage?: AdvantageOptions;
  /** Put before the name of every added column. */
  readonly prefix?: string;
}

/** A reward column and where its advantage and status go. */
interface Target {
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
  add(parts: PlanParts, groups: Int32Array): void;
  addRewards(kept: readonly Float64Array[], groups: Int32Array): void;
  results(kept: readonly Float64Array[], groups: Int32Array): ResultColumn[];
}

/** An added column. */
export interface PlanOutput {
  readonly name: string;
  readonly type: "float64" | "utf8";
  /** The column repeats the input's own of the same name, unless this other column is there. */
  readonly echoUnless?: string;
}

/** One or more rewards, and perhaps an expression over them, as one pass over rows. */
export interface RewardPlan {
  readonly needs: ColumnNeeds;
  /** Number of kept columns. */
  readonly width: number;
  /** The added columns, in order. */
  readonly outputs: readonly PlanOutput[];
  /** The options in force, by reward, and those of the advantages. */
  readonly choices: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  scoreRows(batch: RolloutBatch): PlanParts;
  createState(): PlanState;
}

/**
 * Plans the rewards named in `rewards` (see {@link REWARD_NAMES}; any other text is an expression over their
 * results and the numeric columns of the input).
 *
 * Added columns carry the plain names (`ppl`, …, `reward`, `advantage`, `status`) when one reward is asked for;
 * with several, or with an expression over rewards, each reward's columns are prefixed by its name.
 *
 * @param numericColumns - columns of the input that an expression may name.
 * @throws CalibrantError `option` for an unknown reward, two expressions, or an expression that does not compile.
 */
export async function planRewards(
  rewards: readonly string[],
  options: RewardPlanOptions = {},
  numericColumns: readonly string[] = [],
): Promise<RewardPlan> {
  const asked = [...new Set(rewards)];
  const named = asked.filter(isRewardName);
  const texts = asked.filter((reward) => !isRewardName(reward));
  if (asked.length === 0)
    throw new CalibrantError("option", `no reward asked for; known: ${REWARD_NAMES.join(", ")}`);
  if (texts.length > 1)
    throw new CalibrantError("option", `only one expression at a time, got ${texts.join(" and ")}`);
  const owners = partOwners(options);
  const columns = numericColumns.filter((name) => name !== "group_id" && !owners.has(name));
  const expression = texts[0] === undefined ? null : await compile(texts[0], [...owners.keys()], columns);
  const used = REWARD_NAMES.filter(
    (name) => named.includes(name) || expression?.names.some((part) => owners.get(part) === name),
  );
  const jobs = used.map((name) => createJob(name, options));
  const base = options.prefix ?? "";
  const several = used.length > 1 || expression !== null;
  const targets: Target[] = used.map((name, job) => ({
    prefix: several ? `${base}${name}_` : base,
    job,
    advantage: named.includes(name),
  }));
  if (expression !== null) targets.push({ prefix: base, job: -1, advantage: true });
  const read = (expression?.names ?? []).filter((name) => !owners.has(name));
  return assemblePlan({ jobs, expression, columns: read, targets, advantage: options.advantage ?? {} });
}

function isRewardName(text: string): text is RewardName {
  return (REWARD_NAMES as readonly string[]).includes(text);
}

/** What a formula may call the results of rewards: `trust` is the reward, `trust_margin` its margin; they hide columns of that name. */
function partOwners(options: RewardPlanOptions): Map<string, RewardName> {
  return new Map(
    REWARD_NAMES.flatMap((name) => {
      const { results } = createJob(name, options);
      return [name, ...results.map((result) => `${name}_${result}`)].map((part) => [part, name] as const);
    }),
  );
}

function createJob(name: RewardName, options: RewardPlanOptions): RewardJob {
  return name === "trust" ? trustJob(options.trust) : bench2robustJob(options.bench2robust);
}

function compile(
  text: string,
  parts: readonly string[],
  columns: readonly string[],
): Promise<CompiledExpression> {
  const names = [...parts, ...columns];
  if (/^[\w-]+$/.test(text) && !isDifference(text, names)) {
    const known = `known: ${REWARD_NAMES.join(", ")}, or a formula`;
    throw new CalibrantError("option", `unknown reward; ${known}; got ${text}`, { reward: text });
  }
  return compileExpression(text, { names });
}

/** Whether a text such as `a-b` or `-a` subtracts names and numbers, rather than being the name of no reward. */
function isDifference(text: string, names: readonly string[]): boolean {
  const words = text.split("-").filter((word) => word !== "");
  return (
    words.some((word) => names.includes(word)) &&
    words.every((word) => names.includes(word) || /^\d+$/.test(word))
  );
}

function assemblePlan(contents: Omit<PlanContents, "starts">): RewardPlan {
  const { jobs, columns, targets, advantage } = contents;
  const starts = keptStarts(jobs);
  const width = (starts[jobs.length] as number) + columns.length;
  const outputs = targets.flatMap((target) => targetOutputs(target, jobs));
  return {
    needs: mergeNeeds(jobs, columns),
    width,
    outputs,
    choices: {
      ...Object.fromEntries(jobs.map((job) => [job.name, job.choices])),
      advantage: advantageChoices(advantage),
    },
    scoreRows(batch) {
      const parts = jobs.map((job) => job.scoreRows(batch));
      const extra = columns.map((name) => numberValues(batch, name));
      return {
        kept: [...parts.flatMap((part) => part.kept), ...extra],
        passing: parts.map((part) => part.passing),
      };
    },
    createState: () => createPlanState({ ...contents, starts }),
  };
}

function advantageChoices({
  std = "sample",
  eps = 1e-6,
  minStd = 0,
}: AdvantageOptions): Record<string, unknown> {
  return { std, eps, minStd };
}

function keptStarts(jobs: readonly RewardJob[]): number[] {
  const starts = [0];
  for (const job of jobs) starts.push((starts[starts.length - 1] as number) + job.kept.length);
  return starts;
}

function targetOutputs(target: Target, jobs: readonly RewardJob[]): PlanOutput[] {
  const job = jobs[target.job];
  const numbers = [...(job?.results ?? ["reward"]), ...(target.advantage ? ["advantage"] : [])];
  return [
    ...numbers.map((name): PlanOutput => {
      const echoUnless = target.prefix === "" ? job?.echoes?.[name] : undefined;
      return {
        name: `${target.prefix}${name}`,
        type: "float64",
        ...(echoUnless !== undefined && { echoUnless }),
      };
    }),
    { name: `${target.prefix}status`, type: "utf8" },
  ];
}

/**
 * The outputs that are to be written beside the columns of an input: those that would only repeat one are left out.
 *
 * @param names - all columns of the input.
 * @param requests - those that the plan reads.
 * @throws CalibrantError `schema` when an output has the name of a column and does not repeat it.
 */
export function newOutputs(
  plan: RewardPlan,
  names: ReadonlySet<string>,
  requests: readonly ColumnRequest[],
  inputName: string,
): PlanOutput[] {
  const read = new Set(requests.map((request) => request.name));
  const outputs = plan.outputs.filter(
    ({ name, echoUnless }) =>
      !(names.has(name) && echoUnless !== undefined && read.has(name) && !read.has(echoUnless)),
  );
  const twice = outputs.map((output) => output.name).filter((name) => names.has(name));
  if (twice.length === 0) return outputs;
  throw new CalibrantError(
    "schema",
    `${inputName} already has ${twice.join(", ")}: name the added columns apart with a prefix, for example --prefix new_`,
    { columns: twice },
  );
}

/** The result columns that are outputs, in the order of `columns`. */
export function pickColumns(
  columns: readonly ResultColumn[],
  outputs: readonly PlanOutput[],
): ResultColumn[] {
  return columns.filter((column) => outputs.some((output) => output.name === column.name));
}

function mergeNeeds(jobs: readonly RewardJob[], columns: readonly string[]): ColumnNeeds {
  const group: ColumnRequest = { name: "group_id", kind: "key" };
  const numbers = columns.map((name): ColumnRequest[] => [{ name, kind: "number" }]);
  return {
    required: [...jobs.flatMap((job) => job.needs.required), ...numbers],
    optional: [...jobs.flatMap((job) => job.needs.optional), group],
  };
}

/** A copy: a column may be a view of its whole batch, which would be kept in memory with it. */
function numberValues(batch: RolloutBatch, name: string): Float64Array {
  const column = batch.columns.get(name);
  return column?.kind === "number" ? column.values.slice() : new Float64Array(batch.rows).fill(Number.NaN);
}

interface PlanContents {
  readonly jobs: readonly RewardJob[];
  readonly expression: CompiledExpression | null;
  readonly columns: readonly string[];
  readonly targets: readonly Target[];
  readonly starts: readonly number[];
  readonly advantage: AdvantageOptions;
}

/** The words of an expression's status. */
const EXPRESSION_STATUS = ["null_term"] as const;

function createPlanState(plan: PlanContents): PlanState {
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
    for (const column of (finished[index] as FinishedRows).columns)
      values[`${job.name}_${column.name}`] = column.values;
    values[job.name] = rewardOf(finished[index] as FinishedRows);
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
  target: Target,
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
  const masks = rows.status;
  if (stats !== null) {
    const { advantage, filtered } = stats.apply(rewardOf(rows), groups);
    numbers.push({ name: `${target.prefix}advantage`, type: "float64", values: advantage });
    const bit = 1 << words.length;
    for (let row = 0; row < masks.length; row += 1)
      if (filtered[row] === 1) masks[row] = (masks[row] as number) | bit;
  }
  return [...numbers, statusText(`${target.prefix}status`, masks, [...words, "filtered"])];
}
