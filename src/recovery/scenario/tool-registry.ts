import type { ScenarioTask } from "./scenario.ts";

/** What can stand in for a tool: one tool, or several that are used together. */
export interface ToolAlternative {
  readonly tools: readonly string[];
  /** What the alternative gives compared with the tool: its key, its granularity, what has to be done besides. */
  readonly note: string;
}

/**
 * The stand-ins of one tool. Directional: that a detail can replace a summary does not say that the summary can replace
 * the detail; where both hold, both tools have an entry.
 */
export interface ToolEquivalence {
  readonly tool: string;
  readonly alternatives: readonly ToolAlternative[];
}

/** What a domain's tools are and which can replace which. */
export interface ToolRegistry {
  /** The domain's name, for messages. */
  readonly name: string;
  /** Every tool, the added ones too. */
  readonly tools: readonly string[];
  /**
   * Tools that a benchmark does not have by itself and that were added as alternatives (Table 8). An alternative that uses
   * one counts only `withAlternatives`. Default: none.
   */
  readonly addedTools?: readonly string[];
  /** At most one entry a tool. */
  readonly equivalences: readonly ToolEquivalence[];
  /** Tools that hand the task to a human. They are never blocked, in no scenario. */
  readonly escalationTools: readonly string[];
  /** Tasks with their paths, where the registry knows them. */
  readonly tasks?: readonly ScenarioTask[];
}
