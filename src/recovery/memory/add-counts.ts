import type { CountsApart, EpisodeCounts, MemoryData, OutcomeCounts } from "./memory-data.ts";

/** The sum of two counts. */
export function addOutcomes(a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts {
  return { recovered: a.recovered + b.recovered, failed: a.failed + b.failed };
}

/** The sum of two counts of episodes, in the order of the data. */
export function addEpisodes(a: EpisodeCounts, b: EpisodeCounts): EpisodeCounts {
  return { clean: a.clean + b.clean, ...addOutcomes(a, b), skipped: a.skipped + b.skipped };
}

/** The data of a memory with everything observed counted into the initial beliefs. */
export function foldObserved(data: MemoryData): MemoryData {
  const none: OutcomeCounts = { recovered: 0, failed: 0 };
  const fold = <T extends CountsApart<OutcomeCounts>>(pair: T): T => ({
    ...pair,
    initial: addOutcomes(pair.initial, pair.observed),
    observed: none,
  });
  return {
    ...data,
    episodes: {
      initial: addEpisodes(data.episodes.initial, data.episodes.observed),
      observed: { clean: 0, ...none, skipped: 0 },
    },
    recovery: data.recovery.map(fold),
    switching: data.switching.map(fold),
  };
}
