import type { ColumnNeeds, ColumnRequest, RolloutBatch } from "../data/columns.ts";
import { CalibrantError } from "../errors.ts";
import type { AdvantageOptions } from "./advantage.ts";
import { type Bench2RobustOptions, bench2robustJob } from "./bench2robust.ts";
import { type CompiledExpression, compileExpression } from "./expression.ts";
import type { PlanOutput } from "./plan-outputs.ts";
import {
  createPlanState,
  type PlanContents,
  type PlanParts,
  type PlanState,
  type PlanTarget,
} from "./plan-state.ts";
import type { RewardJob } from "./reward-job.ts";
import { rewardVariable } from "./reward-variable.ts";
import { type TrustOptions, trustJob } from "./trust.ts";
import { type TrustReleasedOptions, trustReleasedJob } from "./trust-released.ts";

/** The rewards that can be asked for by name. */
export const REWARD_NAMES = ["trust", "trust-released", "bench2robust"] as const;
/** A reward that can be asked for by name. */
export type RewardName = (typeof REWARD_NAMES)[number];

/** Plain data, so that a worker thread can build the same plan. */
export interface RewardPlanOptions {
  readonly trust?: TrustOptions;
  readonly trustReleased?: TrustReleasedOptions;
  readonly bench2robust?: Bench2RobustOptions;
  readonly advantage?: AdvantageOptions;
  /** Put before the name of every added column. */
  readonly prefix?: string;
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
  /** What rows have by themselves, for every job; in any thread. */
  scoreRows(batch: RolloutBatch): PlanParts;
  /** Starts the state of a run. */
  createState(): PlanState;
}

/**
 * Plans the rewards named in `rewards` (see {@link REWARD_NAMES}; any other text is an expression over their
 * results and the numeric columns of the input).
 *
 * Added columns carry the plain names (`ppl`, …, `reward`, `advantage`, `status`) when one reward is asked for;
 * with several, or with an expression over rewards, each reward's columns are prefixed by its name (`trust_released_`
 * for `trust-released`, which is its name in formulas too).
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
  const targets: PlanTarget[] = used.map((name, job) => ({
    prefix: several ? `${base}${rewardVariable(name)}_` : base,
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
      const variable = rewardVariable(name);
      const parts = [variable, ...results.map((result) => `${variable}_${result}`)];
      return parts.map((part) => [part, name] as const);
    }),
  );
}

function createJob(name: RewardName, options: RewardPlanOptions): RewardJob {
  if (name === "trust") return trustJob(options.trust);
  return name === "trust-released"
    ? trustReleasedJob(options.trustReleased)
    : bench2robustJob(options.bench2robust);
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

function targetOutputs(target: PlanTarget, jobs: readonly RewardJob[]): PlanOutput[] {
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
