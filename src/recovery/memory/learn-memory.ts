import { BayesianToolMemory } from "./bayesian-tool-memory.ts";
import type { EpisodeOutcome } from "./episode-outcome.ts";
import type { MemoryOptions } from "./memory-options.ts";
import { readMemory } from "./read-memory.ts";

/**
 * A memory of finished episodes, in their order. They count also where `update` is `fixed`: the memory is fixed afterwards.
 *
 * @param episodes - outcomes, or what `readEpisode` gives; none = the initial beliefs
 * @throws CalibrantError `option` for an option that cannot be, `data` for a malformed outcome.
 *
 * @example
 * ```ts
 * import { learnMemory } from "calibrant/recovery";
 * const faults = [{ tool: "get_order", fault: "timeout" }] as const;
 * const training = learnMemory([
 *   { faults, switches: [{ source: "get_order", target: "list_orders" }], recovered: true },
 *   { faults, switches: [], recovered: false },
 * ]);
 * console.log(training.recovery("get_order", "timeout").mean); // 0.5
 * console.log(training.switching("get_order", "list_orders").mean.toFixed(3)); // 0.667
 * ```
 */
export function learnMemory(
  episodes: Iterable<EpisodeOutcome>,
  options: MemoryOptions = {},
): BayesianToolMemory {
  const { update } = new BayesianToolMemory(options);
  const memory = new BayesianToolMemory({ ...options, update: "online" });
  for (const episode of episodes) memory.observe(episode);
  return update === "online" ? memory : readMemory(memory.toJSON(), { update });
}
