import { BayesianToolMemory } from "../memory/bayesian-tool-memory.ts";
import type { MemoryUpdate } from "../memory/memory-data.ts";
import { memoryPolicy } from "./memory-policy.ts";
import {
  NAIVE_POLICY,
  ORACLE_POLICY,
  RETRY_POLICY,
  type RecoveryPolicy,
  switchPolicy,
} from "./recovery-policy.ts";
import { RETAIL_ALTERNATIVES } from "./retail-registry.ts";

/** The policies of a replay, in the order of its tables. `simple` knows of recovery only what its memory says. */
export const REPLAY_POLICIES = [
  "naive",
  "retry",
  "switch",
  "oracle",
  "simple",
  "simple+static",
  "simple+learned",
  "simple+memory",
] as const;

/** A policy of a replay. */
export type ReplayPolicyName = (typeof REPLAY_POLICIES)[number];

/** A policy, and its memory if it has one. */
export interface ReplayPolicy {
  readonly name: ReplayPolicyName;
  readonly policy: RecoveryPolicy;
  readonly memory: BayesianToolMemory | null;
}

/** Which parts of the memory the simple policy is given. */
const PARTS: Readonly<
  Partial<Record<ReplayPolicyName, { readonly static: boolean; readonly learned: boolean }>>
> = {
  simple: { static: false, learned: false },
  "simple+static": { static: true, learned: false },
  "simple+learned": { static: false, learned: true },
  "simple+memory": { static: true, learned: true },
};

const PLAIN: Readonly<Partial<Record<ReplayPolicyName, RecoveryPolicy>>> = {
  naive: NAIVE_POLICY,
  retry: RETRY_POLICY,
  switch: switchPolicy(RETAIL_ALTERNATIVES),
  oracle: ORACLE_POLICY,
};

/**
 * A policy by its name.
 *
 * @param memory - what the simple policies are given all, some or nothing of; static = alternatives and rules, learned = counts.
 */
export function replayPolicy(
  name: ReplayPolicyName,
  memory: BayesianToolMemory,
  update: MemoryUpdate,
): ReplayPolicy {
  const parts = PARTS[name];
  if (parts === undefined) return { name, policy: PLAIN[name] ?? NAIVE_POLICY, memory: null };
  const { fallbacks, constraints } = parts.static ? memory : { fallbacks: {}, constraints: [] };
  const given = new BayesianToolMemory({
    ...(parts.learned && { initial: memory }),
    // A policy without learned beliefs stays without them.
    update: parts.learned ? update : "fixed",
    fallbacks,
    constraints,
  });
  return { name, policy: memoryPolicy(given), memory: given };
}
