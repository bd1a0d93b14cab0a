import { deriveSeed } from "../../math/derive-seed.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import type { CorruptionRules } from "../corrupt/corruption-rules.ts";
import { FaultInjector } from "../fault-injector.ts";
import type { NoiseProfile } from "../noise-profile.ts";
import { noiseProfile } from "../noise-profile.ts";
import { assignScenario } from "../scenario/assign-scenario.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { RETAIL_REGISTRY } from "./retail-registry.ts";
import type { RetailTask } from "./retail-task.ts";

/** How strongly faults are injected. */
export interface InjectionSeverity {
  readonly noise: NoiseProfile;
  /** Most faults an episode. */
  readonly budget: number;
  /** Most faults in a row on one tool. */
  readonly maxConsecutive: number;
}

/**
 * What silent faults may change in this world: the fields that its tasks hang on, and the course of an order. A cancelled order has left it.
 */
const RETAIL_CORRUPTION: CorruptionRules = {
  criticalFields: [
    "orders",
    "items",
    "status",
    "price",
    "payments",
    "refunded",
    "refund",
    "variants",
    "stock",
    "balance",
    "transactions",
  ],
  lifecycles: [["pending", "processed", "shipped", "delivered"]],
};

/** What an episode is run under: the same for every policy, as it depends on the seed, the task and the scenario alone. */
export interface PlannedRetailEpisode {
  readonly task: RetailTask;
  /** null = nothing is injected. */
  readonly scenario: Scenario | null;
  readonly seed: number;
  readonly blocked: readonly string[];
  /** Whether a tool of the path that the request suggests is blocked: whoever never switches cannot pass. */
  readonly ownPathBlocked: boolean;
}

/** Draws what is blocked in an episode. */
export function planRetailEpisode(
  task: RetailTask,
  scenario: Scenario | null,
  seed: number,
): PlannedRetailEpisode {
  if (scenario === null) return { task, scenario, seed, blocked: [], ownPathBlocked: false };
  const random = seededRandom(deriveSeed(seed, task.taskId, scenario, "scenario"));
  const { escalationTools } = RETAIL_REGISTRY;
  const { blocked } = assignScenario(task, scenario, random, { escalationTools });
  const own = task.paths[0]?.tools ?? [];
  return { task, scenario, seed, blocked, ownPathBlocked: own.some((tool) => blocked.includes(tool)) };
}

/** The injector of a planned episode. */
export function retailInjector(planned: PlannedRetailEpisode, severity: InjectionSeverity): FaultInjector {
  const { task, scenario, seed, blocked } = planned;
  const episode = `${task.taskId}/${scenario ?? "clean"}`;
  if (scenario === null) return new FaultInjector({ seed, episode, noise: noiseProfile({ clean: 1 }) });
  return new FaultInjector({ seed, episode, blocked, corruption: RETAIL_CORRUPTION, ...severity });
}
