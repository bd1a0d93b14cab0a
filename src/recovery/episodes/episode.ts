import type { MetFault } from "../../types.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** A tool and a kind of failure that an episode met there. */
export interface EpisodeFault {
  readonly tool: string;
  readonly fault: MetFault;
  /** The first call that met it: its number among all tool calls of the episode, from 0. */
  readonly call: number;
}

/** A step from a tool that failed to another one. */
export interface ToolSwitch {
  readonly source: string;
  readonly target: string;
}

/** What recovery statistics need of one episode. Plain data. */
export interface Episode {
  /** The distinct (tool, fault) pairs that were met, in the order of their first call; empty when nothing failed. */
  readonly faults: readonly EpisodeFault[];
  /** The distinct switches, in order. */
  readonly switches: readonly ToolSwitch[];
  /** Whether the episode ended well; null when that is not known. */
  readonly recovered: boolean | null;
  /** Whether the agent handed the task over to a person. */
  readonly escalated: boolean;
  /** `num_turns` of the row, else the number of assistant messages. */
  readonly turns: number;
  /** The number of tool calls. */
  readonly calls: number;
  /** The largest number of times one identical call occurs; 0 without calls. */
  readonly repetition: number;
  /** The benchmark's outcome; null = missing. */
  readonly completed: boolean | null;
  /** The reward of the row; null = missing. */
  readonly reward: number | null;
  /** null = missing. */
  readonly scenario: Scenario | null;
  /** The condition of the row, as it stands: `clean`, `injected`, `injected_alt`; null = missing. */
  readonly condition: string | null;
}

/** An episode as a row of JSON has it, named as the columns are; null and absent = missing. */
export interface EpisodeRow {
  /** The conversation in OpenAI's chat format. */
  readonly messages: unknown;
  /** The injection log: a list of `InjectionRecord`; where there is one, it alone says what was met. */
  readonly injections?: unknown;
  /** 1 or 0. */
  readonly completed?: number | boolean | null;
  readonly num_turns?: number | null;
  readonly reward?: number | null;
  readonly scenario?: string | null;
  readonly condition?: string | null;
}

/** Where the word on recovery comes from: the benchmark's outcome, or the calls after the last failure. */
export type RecoveryOutcome = "completed" | "calls";

/** How an episode is read. */
export interface EpisodeOptions {
  /**
   * The declared alternatives of each tool, as `fallbackMap` gives them: only calls of these are switches. Without it, a
   * switch is the next call of any other tool before the failed one is called again.
   */
  readonly fallbacks?: Readonly<Record<string, readonly { readonly tool: string }[]>>;
  /** The names of the tools that hand the task over to a person; default {@link ESCALATION_TOOLS}. */
  readonly escalationTools?: readonly string[];
  /**
   * `completed` (default): an episode recovered when it completed. `calls`, for runs without a benchmark: when every tool
   * with a visible failure came back later, or one that stands in for it did.
   */
  readonly outcome?: RecoveryOutcome;
}

/** What tools that hand a task over to a person are called in the benchmarks (tau-bench, tau2) and elsewhere. */
export const ESCALATION_TOOLS: readonly string[] = [
  "transfer_to_human_agents",
  "transfer_to_human_agent",
  "transfer_to_human",
  "escalate_to_human",
  "escalate_to_human_agent",
  "handoff_to_human",
];
