import type { MetFault } from "../../types.ts";

/**
 * What a memory learns from: a finished episode, which failures it met, between which tools it switched, and how it ended.
 * Pairs may be there several times; they count once.
 */
export interface EpisodeOutcome {
  readonly faults: readonly { readonly tool: string; readonly fault: MetFault }[];
  readonly switches: readonly { readonly source: string; readonly target: string }[];
  /** Whether the episode ended recovered; null = its outcome is not known. */
  readonly recovered: boolean | null;
}
