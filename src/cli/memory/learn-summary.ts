import type { RecoveryOutcome } from "../../recovery/episodes/episode.ts";
import type { LearnedMemory } from "../../recovery/memory/create-memory-learner.ts";

/** What a run learned; all but the last two count episodes, each in one place. */
export interface LearnSummary {
  readonly rows: number;
  /** Met a failure or made a switch, and ended recovered. */
  readonly recovered: number;
  /** Met a failure or made a switch, and did not. */
  readonly failed: number;
  /** Met a failure or made a switch, and has no outcome: not learned from. */
  readonly skipped: number;
  /** Met no failure and made no switch: nothing to learn from. */
  readonly clean: number;
  /** Rows without a conversation that can be read. */
  readonly unreadable: number;
  /** (tool, failure) pairs that the memory knows, those of the initial one too. */
  readonly pairs: number;
  /** (source, target) switches that the memory knows. */
  readonly switches: number;
}

/** The summary of what was learned. */
export function learnSummary({ memory, rows, unreadable }: LearnedMemory): LearnSummary {
  const { recovered, failed, skipped, clean } = memory.episodes.observed;
  const { recovery, switching } = memory.beliefs();
  return {
    rows,
    recovered,
    failed,
    skipped,
    clean,
    unreadable,
    pairs: recovery.length,
    switches: switching.length,
  };
}

/** The summary for people. */
export function summaryText(summary: LearnSummary, outcome: RecoveryOutcome): string {
  const { rows, recovered, failed, skipped, clean, unreadable, pairs, switches } = summary;
  const n = (count: number): string => count.toLocaleString("en-US");
  const wayOut = outcome === "completed" ? " (give `completed`, or --outcome calls)" : "";
  const lines = [
    `${n(rows)} episodes: ${n(recovered + failed)} met a failure and were learned from, ${n(recovered)} of them ended recovered`,
    `not learned from: ${n(clean)} met none, ${n(skipped)} without an outcome${skipped > 0 ? wayOut : ""}, ${n(unreadable)} unreadable`,
    `the memory knows ${n(pairs)} (tool, failure) pairs and ${n(switches)} switches`,
  ];
  return `${lines.join("\n")}\n`;
}
