/** A call that visibly failed. */
export interface VisibleFailure {
  readonly tool: string;
  /** What it answered. */
  readonly text: string;
  /** How often this tool failed in this step, this time included. */
  readonly attempts: number;
}

/** What a policy does about a failure. A switch goes to the first tool of the list that was not tried in the step. */
export type Reaction =
  | { readonly do: "retry" }
  | { readonly do: "switch"; readonly to: readonly string[] }
  | { readonly do: "escalate" };

/**
 * How an agent recovers. All agents take the same steps with the same decisions; they differ in this alone.
 */
export interface RecoveryPolicy {
  /** Whether what decides is read until two readings agree, before an irreversible operation and before an answer. */
  readonly verifies: boolean;
  /** Whether it is told what is blocked and what every call really returned. */
  readonly knowsAll: boolean;
  afterFailure(failure: VisibleFailure): Reaction;
}

/** Two retries outlast two consecutive failures of one tool, the paper's K_max. */
const RETRIES = 2;

/** Believes every result; at the first visible failure it hands over to a person. */
export const NAIVE_POLICY: RecoveryPolicy = {
  verifies: false,
  knowsAll: false,
  afterFailure: () => ({ do: "escalate" }),
};

/** Repeats a failed call up to two times, believes every result, and never uses another tool. */
export const RETRY_POLICY: RecoveryPolicy = {
  verifies: false,
  knowsAll: false,
  afterFailure: ({ attempts }) => ({ do: attempts <= RETRIES ? "retry" : "escalate" }),
};

/**
 * Repeats a failed call up to two times, then goes on to the tools that can stand in for it; reads what decides until two
 * readings agree.
 */
export function switchPolicy(alternatives: ReadonlyMap<string, readonly string[]>): RecoveryPolicy {
  return {
    verifies: true,
    knowsAll: false,
    afterFailure: ({ tool, attempts }) =>
      attempts <= RETRIES ? { do: "retry" } : { do: "switch", to: alternatives.get(tool) ?? [] },
  };
}

/**
 * The ceiling: begins with a tool that is not blocked, repeats what failed, and reads every result as it really was. Hands over where all
 * tools of a step are blocked.
 */
export const ORACLE_POLICY: RecoveryPolicy = {
  verifies: false,
  knowsAll: true,
  afterFailure: ({ attempts }) => ({ do: attempts <= ORACLE_RETRIES ? "retry" : "escalate" }),
};

/** More than any budget of transient faults that makes sense. */
const ORACLE_RETRIES = 20;

/** How often {@link explorationPolicy} retries, and switches; else it hands over. */
const EXPLORATION = { retry: 1 / 2, switch: 1 / 3 };

/** Does anything: half of the times it retries, a third of the times it switches, else it hands over. For learning what helps. */
export function explorationPolicy(
  alternatives: ReadonlyMap<string, readonly string[]>,
  random: () => number,
): RecoveryPolicy {
  return {
    verifies: false,
    knowsAll: false,
    afterFailure: ({ tool }) => {
      const u = random();
      if (u < EXPLORATION.retry) return { do: "retry" };
      if (u >= EXPLORATION.retry + EXPLORATION.switch) return { do: "escalate" };
      const to = [...(alternatives.get(tool) ?? [])];
      const first = Math.floor(random() * to.length);
      return { do: "switch", to: [...to.slice(first), ...to.slice(0, first)] };
    },
  };
}
