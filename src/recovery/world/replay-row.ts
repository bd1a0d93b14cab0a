import type { MetFault } from "../../types.ts";
import type { InjectionRecord } from "../injection-record.ts";
import { SCENARIOS, type Scenario } from "../scenario/scenario.ts";
import type { ReplayPolicyName } from "./replay-policies.ts";
import type { InjectionSeverity, PlannedRetailEpisode } from "./retail-conditions.ts";
import type { RetailEpisode } from "./run-retail-episode.ts";

/** An episode and what it ran under. */
export interface ReplayedEpisode {
  readonly policy: ReplayPolicyName;
  readonly planned: PlannedRetailEpisode;
  readonly severity: InjectionSeverity;
  readonly injections: readonly InjectionRecord[];
  readonly episode: RetailEpisode;
  readonly faults: readonly MetFault[];
}

/**
 * An episode as rows of a trajectory file, with the columns that `score`, `robustness`, `memory` and `curriculum` read. `subset` is the
 * scenario, so that each has differences of its own; a clean episode stands beside the injected ones of every scenario, and so has three
 * rows. Only injected rows have a severity.
 */
export function episodeRows(replayed: ReplayedEpisode): Readonly<Record<string, unknown>>[] {
  const { scenario } = replayed.planned;
  return (scenario === null ? SCENARIOS : [scenario]).map((subset) => episodeRow(replayed, subset));
}

function episodeRow(replayed: ReplayedEpisode, subset: Scenario): Readonly<Record<string, unknown>> {
  const { policy, planned, severity, injections, episode, faults } = replayed;
  const { task, scenario, seed, blocked, ownPathBlocked } = planned;
  const condition = scenario === null ? "clean" : "injected";
  const isClean = scenario === null;
  return {
    episode_id: `${policy}/${task.taskId}/${subset}/${condition}/${seed}`,
    task_id: task.taskId,
    kind: task.kind,
    model: policy,
    subset,
    condition,
    scenario,
    seed,
    p_clean: isClean ? null : severity.noise.clean,
    budget: isClean ? null : severity.budget,
    k_max: isClean ? null : severity.maxConsecutive,
    blocked,
    own_path_blocked: ownPathBlocked,
    messages: episode.messages,
    num_turns: episode.turns,
    completed: episode.completed ? 1 : 0,
    gold_actions: task.goldActions,
    injections,
    fault_types: faults,
  };
}
