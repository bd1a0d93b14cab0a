import { deriveSeed } from "../../math/derive-seed.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import type { Episode } from "../episodes/episode.ts";
import { readEpisode } from "../episodes/read-episode.ts";
import type { BayesianToolMemory } from "../memory/bayesian-tool-memory.ts";
import { learnMemory } from "../memory/learn-memory.ts";
import type { RetailWorld } from "./build-retail-tasks.ts";
import { explorationPolicy } from "./recovery-policy.ts";
import { type InjectionSeverity, planRetailEpisode, retailInjector } from "./retail-conditions.ts";
import { RETAIL_ALTERNATIVES, RETAIL_FALLBACKS } from "./retail-registry.ts";
import { TRANSFER_TOOL } from "./retail-tools.ts";
import { runRetailEpisode } from "./run-retail-episode.ts";

/** The scenarios that can be solved: in S3 nothing recovers, whatever is done. */
const TRAINING_SCENARIOS = ["S1", "S2"] as const;

/**
 * The memory of a policy that does anything: each training task once under S1 and once under S2, read by the same reader as any other
 * trajectories (their messages and injection logs). Held-out tasks are never run.
 *
 * @returns what was learned, with the registry's alternatives and the default rules.
 */
export async function learnRetailMemory(
  world: RetailWorld,
  severity: InjectionSeverity,
): Promise<BayesianToolMemory> {
  const episodes: Episode[] = [];
  // Not a seed of an evaluation.
  const seed = deriveSeed(world.seed, "retail exploration");
  for (const task of world.tasks) {
    if (task.split !== "training") continue;
    for (const scenario of TRAINING_SCENARIOS) {
      const planned = planRetailEpisode(task, scenario, seed);
      const injector = retailInjector(planned, severity);
      const random = seededRandom(deriveSeed(seed, task.taskId, scenario, "policy"));
      const policy = explorationPolicy(RETAIL_ALTERNATIVES, random);
      const { messages, completed } = await runRetailEpisode(world.database, planned, policy, injector);
      const row = { messages, completed, injections: injector.log, scenario };
      const episode = readEpisode(row, EPISODE_READING);
      if (episode !== null) episodes.push(episode);
    }
  }
  return learnMemory(episodes, { fallbacks: RETAIL_FALLBACKS });
}

/** How the world's episodes are read. */
export const EPISODE_READING: {
  readonly fallbacks: typeof RETAIL_FALLBACKS;
  readonly escalationTools: readonly string[];
} = { fallbacks: RETAIL_FALLBACKS, escalationTools: [TRANSFER_TOOL] };
