import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError, CalibrantRangeError } from "../../errors.ts";
import { deriveSeed } from "../../math/derive-seed.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { type AssignOptions, assignScenario } from "./assign-scenario.ts";
import { DRAW_OPTIONS, drawScenario, type ScenarioMix, scenarioShares } from "./draw-scenario.ts";
import type { Scenario, ScenarioTask } from "./scenario.ts";

/** Options of {@link planEpisodes}. */
export interface PlanOptions extends AssignOptions {
  /** Fixes everything that is drawn; a safe integer. */
  readonly seed: number;
  /** The shares of the scenarios among the injected rollouts, such as a phase of Table 9. */
  readonly mix: ScenarioMix;
  /** The number of the training iteration, from 0: each has draws and ids of its own. Default: none. */
  readonly iteration?: number;
  /** Rollouts without faults, which come first. Default 8. */
  readonly clean?: number;
  /** Rollouts with faults, each with a scenario of its own. Default 8. */
  readonly injected?: number;
  /** What to do with a task that does not support a scenario of the mix; see {@link DrawOptions}. Default `error`. */
  readonly singlePath?: "error" | "redraw";
  /** The condition of the injected rollouts: with the benchmark's tools, or with added alternatives. Default `injected`. */
  readonly condition?: "injected" | "injected_alt";
}

/** One rollout to make. */
export interface PlannedEpisode {
  /** `taskId#rollout`, or `taskId@iteration#rollout`. */
  readonly episodeId: string;
  /** The group whose rewards are normalised together, clean and injected: `taskId`, or `taskId@iteration`. */
  readonly groupId: string;
  readonly taskId: string;
  readonly iteration: number | null;
  /** The number of the rollout in its group, from 0; the clean ones come first. */
  readonly rollout: number;
  readonly condition: "clean" | "injected" | "injected_alt";
  /** Null for a clean rollout, which has no scenario. */
  readonly scenario: Scenario | null;
  /** The seed of the episode's faults, an integer in [0, 2^32). */
  readonly seed: number;
  /** The tools that are blocked for the whole episode, sorted. */
  readonly blocked: readonly string[];
  readonly blockedPath: string | null;
  readonly openPath: string | null;
  /** Whether the scenario was drawn from a mix that had to be scaled to what the task supports. */
  readonly redrawn: boolean;
}

const PLAN_OPTIONS = [...DRAW_OPTIONS, "seed", "mix", "iteration", "clean", "injected", "condition"];

/**
 * Plans hybrid batches (Bench2Robust, section 3.3 and Table 10: 16 rollouts a prompt, the first 8 clean, the last 8 with
 * faults, normalised together). Every injected rollout draws a scenario of its own and what it blocks.
 *
 * Each rollout's draws come from (seed, iteration, task id, rollout) alone: the plan of a task depends neither on other
 * tasks nor on their order, and more rollouts leave the first ones as they were. The seed of the faults is
 * `deriveSeed(seed, iteration, taskId, rollout)`; the scenario is drawn from a stream of its own, with `"scenario"` as a
 * further part. The iteration is the empty text where there is none.
 *
 * @returns one entry a rollout, tasks in the order given; no entries for no tasks.
 * @throws CalibrantError naming the task: an id that occurs twice, or a scenario of the mix that it does not support
 * (known before anything is drawn, so it does not depend on the seed); `option` for impossible options.
 *
 * @example
 * ```ts
 * import { planEpisodes } from "calibrant/recovery";
 * const task = { taskId: "t1", paths: [{ tools: ["find_by_email"] }, { tools: ["find_by_name"] }] };
 * const plan = planEpisodes([task], { seed: 7, mix: { S1: 0, S2: 1, S3: 0 } });
 * console.log(plan.length, plan[7]?.condition, plan[8]?.scenario, plan[8]?.episodeId); // 16 clean S2 t1#8
 * ```
 */
export function planEpisodes(tasks: readonly ScenarioTask[], options: PlanOptions): PlannedEpisode[] {
  checkPlanOptions(options);
  const seen = new Set<string>();
  const plan: PlannedEpisode[] = [];
  for (const task of tasks) {
    if (seen.has(task.taskId)) throw new CalibrantError("data", `two tasks have the id ${task.taskId}`);
    seen.add(task.taskId);
    plan.push(...planTask(task, options));
  }
  return plan;
}

function planTask(task: ScenarioTask, options: PlanOptions): PlannedEpisode[] {
  const {
    seed,
    mix,
    iteration,
    clean = 8,
    injected = 8,
    singlePath = "error",
    condition = "injected",
  } = options;
  const assign: AssignOptions = {
    ...(options.escalationTools !== undefined && { escalationTools: options.escalationTools }),
    ...(options.block !== undefined && { block: options.block }),
  };
  const { shares, redrawn } = scenarioShares(mix, { ...assign, ...(injected > 0 && { task }), singlePath });
  const groupId = iteration === undefined ? task.taskId : `${task.taskId}@${iteration}`;
  return Array.from({ length: clean + injected }, (_, rollout) => {
    const parts = [seed, iteration ?? "", task.taskId, rollout];
    const common = {
      episodeId: `${groupId}#${rollout}`,
      groupId,
      taskId: task.taskId,
      iteration: iteration ?? null,
      rollout,
      seed: deriveSeed(...parts),
    };
    if (rollout < clean) return { ...common, condition: "clean", ...CLEAN };
    const random = seededRandom(deriveSeed(...parts, "scenario"));
    const scenario = drawScenario(shares, random);
    return { ...common, condition, ...assignScenario(task, scenario, random, assign), redrawn };
  });
}

const CLEAN = { scenario: null, blocked: [], blockedPath: null, openPath: null, redrawn: false } as const;

function checkPlanOptions(options: PlanOptions): void {
  checkOptionNames(options, PLAN_OPTIONS, "planEpisodes");
  const { seed, iteration = 0, clean = 8, injected = 8, condition = "injected" } = options;
  if (!Number.isSafeInteger(seed))
    throw new CalibrantRangeError("option", `seed must be a whole number, got ${String(seed)}`, { seed });
  for (const [name, count] of Object.entries({ iteration, clean, injected }))
    if (!(Number.isSafeInteger(count) && count >= 0))
      throw new CalibrantRangeError("option", `${name} must be a whole number from 0, got ${String(count)}`);
  if (condition !== "injected" && condition !== "injected_alt")
    throw new CalibrantError(
      "option",
      `condition must be injected or injected_alt, got ${String(condition)}`,
    );
}

/**
 * A planned episode as a row with the columns that trajectories and their injection logs use: `episode_id`, `group_id`,
 * `task_id`, `iteration`, `rollout`, `condition`, `scenario`, `seed`, `blocked` (list), `blocked_path`, `open_path`,
 * `redrawn`.
 */
export function plannedEpisodeRow(episode: PlannedEpisode): Record<string, unknown> {
  return {
    episode_id: episode.episodeId,
    group_id: episode.groupId,
    task_id: episode.taskId,
    iteration: episode.iteration,
    rollout: episode.rollout,
    condition: episode.condition,
    scenario: episode.scenario,
    seed: episode.seed,
    blocked: [...episode.blocked],
    blocked_path: episode.blockedPath,
    open_path: episode.openPath,
    redrawn: episode.redrawn,
  };
}
