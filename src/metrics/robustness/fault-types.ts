/** The kinds of injected faults by how an agent can see them (Bench2Robust, Table 4). */
export type FaultGroup = "service" | "auth-schema" | "silent" | "other";

/** The nine injected faults and their groups, in the order of Bench2Robust's Table 4. */
export const INJECTED_FAULTS: readonly (readonly [name: string, group: FaultGroup])[] = [
  ["timeout", "service"],
  ["rate_limit", "service"],
  ["server_error", "service"],
  ["malformed_response", "service"],
  ["auth_error", "auth-schema"],
  ["schema_drift", "auth-schema"],
  ["partial", "silent"],
  ["stale", "silent"],
  ["factual_error", "silent"],
];

const GROUPS: ReadonlyMap<string, FaultGroup> = new Map(INJECTED_FAULTS);
/** What rows say of an episode without a fault. */
const NO_FAULT: ReadonlySet<string> = new Set(["", "none", "clean"]);

/** The group of a fault type; `other` for one that is not among the nine. */
export function faultGroup(faultType: string): FaultGroup {
  return GROUPS.get(faultType) ?? "other";
}

/**
 * The name under which a fault type is counted: one of the nine also where it is written `Rate limit` or `rate-limit`, any
 * other as it stands; null for none (empty, `none`, `clean`).
 */
export function faultName(text: string): string | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (NO_FAULT.has(plain)) return null;
  return GROUPS.has(plain) ? plain : text;
}
