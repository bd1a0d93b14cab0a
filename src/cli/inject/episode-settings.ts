import { CalibrantError } from "../../errors.ts";
import { deriveSeed } from "../../math/derive-seed.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import { readCorruptionRules } from "../../recovery/corrupt/corruption-rules.ts";
import { FaultInjector, type FaultInjectorOptions } from "../../recovery/fault-injector.ts";
import { type NoiseOptions, type NoiseProfile, noiseProfile } from "../../recovery/noise-profile.ts";
import { assignScenario } from "../../recovery/scenario/assign-scenario.ts";
import type { ScenarioTask } from "../../recovery/scenario/scenario.ts";
import { taskPaths } from "../../recovery/scenario/task-paths.ts";
import type { ToolRegistry } from "../../recovery/scenario/tool-registry.ts";
import { namedRegistry } from "../named-registry.ts";
import { readJsonFile, readJsonLinesFile } from "../read-json-file.ts";
import type { EpisodePlan } from "./episode-recorder.ts";
import type { InjectFlags } from "./inject-flags.ts";

/** The limits of Table 7, which the injector uses when none are given. */
const BUDGET = 5;
const MAX_CONSECUTIVE = 2;

/**
 * Reads what the options name and returns what makes an episode out of its id. What an S2 episode blocks is drawn from the seed and
 * the id, like its faults, from a stream of its own.
 *
 * @throws CalibrantError `usage` for options that do not go together, `io` or `data` for files, `option` or `data` for what they hold.
 */
export function episodePlanner(flags: InjectFlags): (id: string) => EpisodePlan {
  checkTogether(flags);
  const noise = flags.clean ? noiseProfile({ clean: 1 }) : noiseOf(flags);
  const { seed, budget = BUDGET, maxConsecutive = MAX_CONSECUTIVE, clean } = flags;
  const corruption = flags.rules === undefined ? {} : readCorruptionRules(readJsonFile(flags.rules));
  const gold = goldOf(flags);
  const blockedOf = blocking(flags, gold);
  const planned = (id: string): EpisodePlan => {
    const blocked = clean ? [] : blockedOf(id);
    const options: FaultInjectorOptions = { seed, noise, budget, maxConsecutive, corruption };
    const header = {
      episode_id: id,
      task_id: flags.task ?? null,
      model: flags.model ?? null,
      condition: clean ? ("clean" as const) : ("injected" as const),
      scenario: flags.scenario ?? null,
      seed,
      p_clean: clean ? null : noise.clean,
      budget: clean ? null : budget,
      k_max: clean ? null : maxConsecutive,
      blocked,
      gold_actions: gold,
    };
    return { header, decider: new FaultInjector({ ...options, episode: id, blocked }) };
  };
  // What cannot be is to be known before a client connects.
  planned(flags.episode ?? "episode-1");
  return planned;
}

function checkTogether(flags: InjectFlags): void {
  const { clean, noise, pClean, block, scenario, registry, task, gold } = flags;
  const wrong = (message: string): CalibrantError => new CalibrantError("usage", message);
  if (clean && (noise ?? pClean ?? block) !== undefined)
    throw wrong("--clean injects nothing: leave out --noise, --p-clean and --block");
  if (noise !== undefined && pClean !== undefined)
    throw wrong(
      "--noise and --p-clean both give the probabilities: leave one out, or write --noise clean=0.8",
    );
  if (scenario !== undefined && scenario !== "S1" && (registry === undefined || task === undefined))
    throw wrong(`--scenario ${scenario} needs --registry and --task, which say what is to be blocked`);
  if (registry !== undefined && scenario === undefined)
    throw wrong("--registry needs --scenario, which says what of it is to be blocked");
  if (gold !== undefined && task === undefined) throw wrong("--gold needs --task, whose actions it looks up");
}

function noiseOf({ noise, pClean }: InjectFlags): NoiseProfile {
  if (pClean !== undefined) return noiseProfile({ clean: pClean });
  const given = typeof noise === "string" ? readJsonFile(noise) : (noise ?? {});
  return noiseProfile(given as NoiseOptions);
}

/** The gold actions of the task; null without any. */
function goldOf({ gold, task }: InjectFlags): unknown {
  if (gold === undefined) return null;
  for (const row of readJsonLinesFile(gold)) {
    const { task_id, gold_actions } = (row ?? {}) as Readonly<Record<string, unknown>>;
    if (String(task_id) === task && gold_actions !== undefined) return gold_actions;
  }
  throw new CalibrantError("data", `${gold} has no row with gold_actions of the task ${task}`, {
    gold,
    task,
  });
}

/** What an episode blocks: the tools that are named, and those of its scenario. */
function blocking(flags: InjectFlags, gold: unknown): (id: string) => readonly string[] {
  const { block = [], scenario, seed } = flags;
  if (scenario === undefined || flags.registry === undefined) return () => block;
  const registry = namedRegistry(flags.registry);
  const task = taskOf(flags, registry, gold);
  return (id) => {
    const random = seededRandom(deriveSeed(seed, id, "scenario"));
    const { escalationTools } = registry;
    const { blocked } = assignScenario(task, scenario, random, { escalationTools });
    return [...new Set([...block, ...blocked])].sort();
  };
}

/** The task as the registry knows it, else with the paths that its gold actions leave. */
function taskOf({ task = "" }: InjectFlags, registry: ToolRegistry, gold: unknown): ScenarioTask {
  const known = registry.tasks?.find(({ taskId }) => taskId === task);
  if (known !== undefined) return known;
  const names = Array.isArray(gold) ? gold.map((action) => String((action as { name?: unknown })?.name)) : [];
  const required = [...new Set(names.filter((name) => registry.tools.includes(name)))];
  if (required.length > 0) return { taskId: task, paths: taskPaths(required, registry) };
  const message = `--task ${task}: the registry ${registry.name} has no such task, and --gold has no action of it with one of the registry's tools`;
  throw new CalibrantError("usage", message, { task });
}
