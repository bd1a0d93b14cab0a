import type { Rate } from "../../metrics/rate.ts";
import type { ReplayResult } from "../../recovery/world/replay-retail.ts";
import type { ReplayNumbers } from "./replay-result.ts";

/** The result of a replay as plain data for JSON. */
export function replayJson(
  { world, severity, seeds, memory, update }: ReplayResult,
  numbers: ReplayNumbers,
): object {
  return {
    seed: world.seed,
    seeds,
    tasks: world.tasks.length,
    held_out: world.tasks.filter(({ split }) => split === "heldout").length,
    p_clean: severity.noise.clean,
    budget: severity.budget,
    k_max: severity.maxConsecutive,
    rates: numbers.rates.map(({ policy, condition, rate }) => ({
      policy,
      condition,
      ...rateJson(rate),
      tasks: rate.tasks,
      interval: rate.interval,
    })),
    differences: numbers.differences.map(({ policy, baseline, condition, delta }) => ({
      policy,
      baseline: baseline ?? "clean",
      condition,
      value: delta.value,
      low: delta.low,
      high: delta.high,
      paired_tasks: delta.pairedTasks,
      beyond_noise: delta.beyondNoise,
    })),
    ends: numbers.ends,
    by_fault: numbers.byFault,
    update,
    memory_episodes: memory.episodes,
  };
}

function rateJson({ value, low, high, numerator, denominator }: Rate): object {
  return { value, low, high, passed: numerator, episodes: denominator };
}
