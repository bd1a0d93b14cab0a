import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import type { MetFault } from "../../types.ts";
import { readEpisode } from "../episodes/read-episode.ts";
import { hadEffect } from "../had-effect.ts";
import type { BayesianToolMemory } from "../memory/bayesian-tool-memory.ts";
import type { MemoryUpdate } from "../memory/memory-data.ts";
import { noiseProfile } from "../noise-profile.ts";
import { SCENARIOS, type Scenario } from "../scenario/scenario.ts";
import { type RetailWorld, retailWorld } from "./build-retail-tasks.ts";
import { EPISODE_READING, learnRetailMemory } from "./learn-retail-memory.ts";
import {
  REPLAY_POLICIES,
  type ReplayPolicy,
  type ReplayPolicyName,
  replayPolicy,
} from "./replay-policies.ts";
import { episodeRows } from "./replay-row.ts";
import {
  type InjectionSeverity,
  type PlannedRetailEpisode,
  planRetailEpisode,
  retailInjector,
} from "./retail-conditions.ts";
import type { RetailTaskKind } from "./retail-task.ts";
import { runRetailEpisode } from "./run-retail-episode.ts";

/** Options of {@link replayRetail}. */
export interface ReplayOptions {
  /** Seed of the world and the first seed of the faults, an integer in [0, 2^32). Default 0. */
  readonly seed?: number;
  /** Tasks of the world, about 30 % of them held out. Default 300. */
  readonly tasks?: number;
  /** Evaluation seeds: `seed`, `seed` + 1, … Default 3. */
  readonly seeds?: number;
  /** Default: all of {@link REPLAY_POLICIES}. */
  readonly policies?: readonly ReplayPolicyName[];
  /** A memory instead of the one that is learned on the training tasks. */
  readonly memory?: BayesianToolMemory;
  /** `online`: learned beliefs are updated after each evaluation episode, and begin anew in each run. Default `fixed`. */
  readonly update?: MemoryUpdate;
  /** Probability that a call is left alone. Default 0.6. */
  readonly pClean?: number;
  /** Most injected faults an episode. Default 5. */
  readonly budget?: number;
  /** Most faults in a row on one tool. Default 2. */
  readonly maxConsecutive?: number;
  /** Is given every evaluation episode as a row for files, as plain data. Default: rows are not made. */
  readonly onRow?: (row: Readonly<Record<string, unknown>>) => void;
}

/** What remains of an evaluation episode. */
export interface ReplayOutcome {
  readonly policy: ReplayPolicyName;
  readonly task: string;
  readonly kind: RetailTaskKind;
  /** null = clean. */
  readonly scenario: Scenario | null;
  readonly seed: number;
  readonly completed: boolean;
  readonly escalated: boolean;
  /** Whether a tool of the path that the request suggests was blocked. */
  readonly ownPathBlocked: boolean;
  /** The distinct faults that the episode met; silent ones that found nothing to change are not met. */
  readonly faults: readonly MetFault[];
  readonly turns: number;
}

/** A replay: what every policy did on the same held-out tasks under the same faults. */
export interface ReplayResult {
  readonly world: RetailWorld;
  readonly severity: InjectionSeverity;
  readonly seeds: readonly number[];
  /** What the simple policies were given all, some or nothing of, as it was before the evaluation. */
  readonly memory: BayesianToolMemory;
  /** Whether learned beliefs changed during the evaluation. */
  readonly update: MemoryUpdate;
  readonly outcomes: readonly ReplayOutcome[];
}

const OPTIONS = [
  "seed",
  "tasks",
  "seeds",
  "policies",
  "memory",
  "update",
  "pClean",
  "budget",
  "maxConsecutive",
  "onRow",
];

/**
 * Replays scripted policies in the retail world: every policy on the same held-out tasks, clean and in S1, S2 and S3, under the same faults.
 * A simulation for demonstration and regression: its policies are no language models.
 *
 * @throws CalibrantError `option` for an option that cannot be.
 *
 * @example
 * ```ts
 * import { replayRetail } from "calibrant/recovery";
 * const { outcomes } = await replayRetail({ tasks: 50, seeds: 1, policies: ["oracle"] });
 * const passed = (scenario: string | null) => outcomes.filter((one) => one.scenario === scenario).every((one) => one.completed);
 * console.log(passed(null), passed("S1"), passed("S2"), passed("S3")); // true true true false
 * ```
 */
export async function replayRetail(options: ReplayOptions = {}): Promise<ReplayResult> {
  checkOptionNames(options, OPTIONS, "replayRetail");
  const { seed = 0, tasks = 300, policies = REPLAY_POLICIES, update = "fixed" } = options;
  const seeds = seedsOf(seed, options.seeds ?? 3);
  const unknown = policies.find((name) => !REPLAY_POLICIES.includes(name));
  if (unknown !== undefined)
    throw new CalibrantError("option", `policies must be of ${REPLAY_POLICIES.join(", ")}, got ${unknown}`);
  const severity: InjectionSeverity = {
    noise: noiseProfile({ clean: options.pClean ?? 0.6 }),
    budget: options.budget ?? 5,
    maxConsecutive: options.maxConsecutive ?? 2,
  };
  const world = retailWorld({ seed, tasks });
  const memory = options.memory ?? (await learnRetailMemory(world, severity));
  const outcomes: ReplayOutcome[] = [];
  const runs = planRuns(world, seeds);
  for (const name of new Set(policies)) {
    const policy = replayPolicy(name, memory, update);
    for (const run of runs) {
      policy.memory?.reset();
      for (const planned of run)
        outcomes.push(await replayEpisode({ world, severity, policy, onRow: options.onRow }, planned));
    }
  }
  return { world, severity, seeds, memory, update, outcomes };
}

function seedsOf(first: number, count: number): number[] {
  const isCount = Number.isInteger(count) && count >= 1 && count <= 1000;
  if (!isCount)
    throw new CalibrantError("option", `seeds must be a whole number from 1 to 1000, got ${count}`);
  return Array.from({ length: count }, (_, k) => (first + k) % 2 ** 32);
}

/**
 * The held-out tasks under every scenario and seed, a list for each. Clean episodes hold no chance, so one of each task is all there is
 * to know.
 */
function planRuns({ tasks }: RetailWorld, seeds: readonly number[]): PlannedRetailEpisode[][] {
  const heldOut = tasks.filter(({ split }) => split === "heldout");
  return [null, ...SCENARIOS].flatMap((scenario) =>
    (scenario === null ? seeds.slice(0, 1) : seeds).map((seed) =>
      heldOut.map((task) => planRetailEpisode(task, scenario, seed)),
    ),
  );
}

interface PolicyRun {
  readonly world: RetailWorld;
  readonly severity: InjectionSeverity;
  readonly policy: ReplayPolicy;
  readonly onRow: ReplayOptions["onRow"];
}

async function replayEpisode(
  { world, severity, policy: { name, policy, memory }, onRow }: PolicyRun,
  planned: PlannedRetailEpisode,
): Promise<ReplayOutcome> {
  const injector = retailInjector(planned, severity);
  const episode = await runRetailEpisode(world.database, planned, policy, injector);
  const { messages, completed, escalated, turns } = episode;
  const faults = [...new Set(injector.log.filter(hadEffect).map(({ fault }) => fault))];
  if (onRow !== undefined) {
    const rows = episodeRows({ policy: name, planned, severity, injections: injector.log, episode, faults });
    for (const row of rows) onRow(row);
  }
  if (memory?.update === "online") {
    // What an agent can know by itself: its own messages and how it ended, not the injection log.
    const seen = readEpisode({ messages, completed }, EPISODE_READING);
    if (seen !== null) memory.observe(seen);
  }
  const { task, scenario, seed, ownPathBlocked } = planned;
  const { taskId, kind } = task;
  return {
    policy: name,
    task: taskId,
    kind,
    scenario,
    seed,
    completed,
    escalated,
    ownPathBlocked,
    faults,
    turns,
  };
}
