import { checkOptionNames } from "../../data/check-option-names.ts";
import type { ColumnNeeds, RolloutBatch } from "../../data/columns.ts";
import type { EpisodeOptions } from "../episodes/episode.ts";
import { EPISODE_NEEDS, episodeReader } from "../episodes/read-episode.ts";
import { BayesianToolMemory } from "./bayesian-tool-memory.ts";
import { MEMORY_OPTIONS, type MemoryOptions } from "./memory-options.ts";
import { readMemory } from "./read-memory.ts";

/** How to learn a memory from rows of trajectories. `fallbacks` also say what counts as a switch. */
export interface LearnMemoryOptions
  extends MemoryOptions,
    Pick<EpisodeOptions, "outcome" | "escalationTools"> {}

/** A memory, and the rows that it could not use. */
export interface LearnedMemory {
  readonly memory: BayesianToolMemory;
  readonly rows: number;
  /** Rows without a conversation that can be read. */
  readonly unreadable: number;
}

/** Gathers episodes batch by batch; only the memory is kept. */
export interface MemoryLearner {
  /** The columns to read. */
  readonly needs: ColumnNeeds;
  /** Adds the rows of a batch, in order. */
  add(batch: RolloutBatch): void;
  /** The memory of all rows so far. */
  finish(): LearnedMemory;
}

/**
 * Creates an empty {@link MemoryLearner}. Episodes count also where `update` is `fixed`: the memory is fixed afterwards.
 *
 * @throws CalibrantError `option` for an option that cannot be, `data` for malformed data in `initial`.
 *
 * @example
 * ```ts
 * import { batchFromRows } from "calibrant/data";
 * import { createMemoryLearner } from "calibrant/recovery";
 * const learner = createMemoryLearner();
 * const call = { id: "1", type: "function", function: { name: "get_order", arguments: "{}" } };
 * const messages = [
 *   { role: "assistant", tool_calls: [call] },
 *   { role: "tool", tool_call_id: "1", content: "Error: request timed out after 30s" },
 *   { role: "assistant", tool_calls: [{ ...call, id: "2" }] },
 *   { role: "tool", tool_call_id: "2", content: '{"status":"pending"}' },
 * ];
 * const requests = [...learner.needs.required.flat(), ...learner.needs.optional];
 * learner.add(batchFromRows([{ messages, completed: 1 }], requests, "rows"));
 * console.log(learner.finish().memory.recovery("get_order", "timeout").alpha); // 2
 * ```
 */
export function createMemoryLearner(options: LearnMemoryOptions = {}): MemoryLearner {
  checkOptionNames(options, [...MEMORY_OPTIONS, "outcome", "escalationTools"], "learnMemory");
  const { outcome, escalationTools, ...memoryOptions } = options;
  const { update, fallbacks } = new BayesianToolMemory(memoryOptions);
  const memory = new BayesianToolMemory({ ...memoryOptions, update: "online" });
  const reading: EpisodeOptions = {
    ...(Object.keys(fallbacks).length > 0 && { fallbacks }),
    ...(outcome !== undefined && { outcome }),
    ...(escalationTools !== undefined && { escalationTools }),
  };
  let rows = 0;
  let unreadable = 0;
  return {
    needs: EPISODE_NEEDS,
    add(batch) {
      const episodeOf = episodeReader(batch, reading);
      for (let row = 0; row < batch.rows; row++) {
        const episode = episodeOf(row);
        if (episode === null) unreadable += 1;
        else memory.observe(episode);
      }
      rows += batch.rows;
    },
    finish: () => ({ memory: readMemory(memory.toJSON(), { update }), rows, unreadable }),
  };
}
