import type { BetaPrior, FallbackMap, MemorySource, MemoryUpdate } from "./memory-data.ts";

/** The part of a memory that episodes do not change. */
export interface MemoryStatics {
  /** Default: none. */
  readonly fallbacks?: FallbackMap;
  /** Rules for the agent, a sentence each. Default {@link DEFAULT_CONSTRAINTS}. */
  readonly constraints?: readonly string[];
}

/** How to make a memory. */
export interface MemoryOptions extends MemoryStatics {
  /** The belief in a pair that was never met: `uniform` is Beta(1, 1), the default. Not together with `initial`. */
  readonly prior?: "uniform" | BetaPrior;
  /**
   * A memory whose beliefs, its prior and all its counts, are the initial beliefs of this one. Its fallbacks and constraints
   * are taken over where no others are given.
   */
  readonly initial?: MemorySource;
  /** `online` (default): every observed episode counts. `fixed`: none does. */
  readonly update?: MemoryUpdate;
}

/** How to read a memory back. */
export interface ReadMemoryOptions extends MemoryStatics {
  /** Instead of the one in the data. */
  readonly update?: MemoryUpdate;
  /** What to call it in messages. Default `memory`. */
  readonly name?: string;
}

/** The names of {@link MemoryOptions}. */
export const MEMORY_OPTIONS: readonly string[] = ["prior", "initial", "update", "fallbacks", "constraints"];

/** The names of {@link ReadMemoryOptions}. */
export const READ_MEMORY_OPTIONS: readonly string[] = ["update", "fallbacks", "constraints", "name"];

/** The rules that a memory gives to the agent where no others are given. */
export const DEFAULT_CONSTRAINTS: readonly string[] = [
  "Retry before giving up: a call that answered with an error and was not executed is safe to repeat. If it keeps failing, use an alternative instead of repeating it.",
  "Verify every field before an irreversible operation: a result without an error can still be incomplete, outdated or wrong. Compare it with another call or with what the user said.",
  "Escalate only when every path is spent: the call was retried and every alternative was tried.",
];
