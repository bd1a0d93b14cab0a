import { toolResultFault } from "../episodes/tool-result-fault.ts";
import type { BayesianToolMemory } from "../memory/bayesian-tool-memory.ts";
import { DEFAULT_CONSTRAINTS } from "../memory/memory-options.ts";
import type { RecoveryPolicy, VisibleFailure } from "./recovery-policy.ts";

/** Below this share of recovered episodes, a failure or a switch is not worth another call. */
const WORTH_A_CALL = 0.1;
/** Retries of a failure that is worth them. */
const RETRIES = 2;

const [RETRY_RULE, VERIFY_RULE] = DEFAULT_CONSTRAINTS as readonly [string, string];

/**
 * A policy that knows of recovery only what a memory says. With an empty memory (no counts, alternatives and rules) it does what the
 * naive policy does.
 *
 * - A failure whose (tool, kind) the memory has met is repeated up to two times if at least a tenth of these episodes recovered; one that it has
 *   not met, once, if the memory holds the default rule to retry.
 * - Then it switches: to the alternatives of the memory and to the targets of switches that it has seen, those with the higher
 *   believed recovery first; not to targets whose share of recovered episodes is below a tenth.
 * - It reads what decides twice if the memory holds the default rule to verify.
 *
 * The beliefs are looked up at each failure, so that a memory may be updated between episodes.
 */
export function memoryPolicy(memory: BayesianToolMemory): RecoveryPolicy {
  const { constraints, fallbacks } = memory;
  const known = new Map<string, readonly string[]>();
  return {
    verifies: constraints.includes(VERIFY_RULE),
    knowsAll: false,
    afterFailure: (failure) => {
      if (failure.attempts <= retries(memory, failure, constraints.includes(RETRY_RULE)))
        return { do: "retry" };
      const declared = (fallbacks[failure.tool] ?? []).map(({ tool }) => tool);
      const to = known.get(failure.tool) ?? targets(memory, failure.tool, declared);
      if (memory.update === "fixed") known.set(failure.tool, to);
      return to.length === 0 ? { do: "escalate" } : { do: "switch", to };
    },
  };
}

function retries(memory: BayesianToolMemory, { tool, text }: VisibleFailure, isRule: boolean): number {
  const fault = toolResultFault({ text, tool });
  if (fault !== null) {
    const { mean, recovered, failed } = memory.recovery(tool, fault);
    if (recovered + failed > 0) return mean >= WORTH_A_CALL ? RETRIES : 0;
  }
  return isRule ? 1 : 0;
}

function targets(memory: BayesianToolMemory, source: string, declared: readonly string[]): string[] {
  const seen = memory.toJSON().switching.filter((pair) => pair.source === source);
  const names = [...new Set([...declared, ...seen.map(({ target }) => target)])];
  const means = new Map(names.map((name) => [name, memory.switching(source, name).mean]));
  const mean = (name: string): number => means.get(name) ?? 0;
  return names.filter((name) => mean(name) >= WORTH_A_CALL).sort((a, b) => mean(b) - mean(a));
}
