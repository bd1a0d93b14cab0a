import type { MetFault } from "../../types.ts";

/** The parameters of a Beta distribution, both > 0. */
export interface BetaPrior {
  readonly alpha: number;
  readonly beta: number;
}

/** Whether a memory changes with the episodes that it observes. */
export type MemoryUpdate = "online" | "fixed";

/** A tool that can stand in for another. */
export interface FallbackTool {
  readonly tool: string;
  /** How it differs: what it asks for, how much it returns. */
  readonly note?: string;
}

/** Tools and what can stand in for each, the preferred one first. */
export type FallbackMap = Readonly<Record<string, readonly FallbackTool[]>>;

/** Episodes that ended recovered, and episodes that did not. */
export interface OutcomeCounts {
  readonly recovered: number;
  readonly failed: number;
}

/** Finished episodes by what they told; each is in one of the four. */
export interface EpisodeCounts extends OutcomeCounts {
  /** Met no failure and made no switch: no belief changed. */
  readonly clean: number;
  /** Met a failure or made a switch and has no known outcome: no belief changed. */
  readonly skipped: number;
}

/** Counts behind the initial beliefs, and counts since. */
export interface CountsApart<T> {
  readonly initial: T;
  readonly observed: T;
}

/** The counts of a failure of a tool. */
export interface RecoveryCounts extends CountsApart<OutcomeCounts> {
  readonly tool: string;
  readonly fault: MetFault;
}

/** The counts of a switch from one tool to another. */
export interface SwitchCounts extends CountsApart<OutcomeCounts> {
  readonly source: string;
  readonly target: string;
}

/**
 * A memory as plain data for JSON, always in the same order: tools by UTF-16 code units, failures as in Table 7 with
 * `blocked` last. Pairs without counts are not there.
 */
export interface MemoryData {
  readonly version: 1;
  readonly update: MemoryUpdate;
  readonly prior: BetaPrior;
  readonly episodes: CountsApart<EpisodeCounts>;
  readonly recovery: readonly RecoveryCounts[];
  readonly switching: readonly SwitchCounts[];
  readonly fallbacks: FallbackMap;
  readonly constraints: readonly string[];
}

/** A memory, or the data of one. */
export type MemorySource = MemoryData | SerialisableMemory;

/** What can be written as the data of a memory, such as a `BayesianToolMemory`. */
export interface SerialisableMemory {
  /** The data, in a fixed order. */
  toJSON(): MemoryData;
}
