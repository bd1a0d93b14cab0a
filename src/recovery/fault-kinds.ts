import { FAULT_KINDS, type FaultKind, type MetFault } from "../types.ts";

/** A failure that is visible: the call is not executed, an error comes back. */
export type ExplicitFault = Exclude<FaultKind, SilentFault>;

/** A failure that is not visible: the call is executed, its result is changed. */
export type SilentFault = "partial" | "stale" | "factual_error";

/** The silent kinds, in the order of Table 7. */
export const SILENT_FAULTS: readonly SilentFault[] = ["partial", "stale", "factual_error"];

/** The explicit kinds, in the order of Table 7. */
export const EXPLICIT_FAULTS: readonly ExplicitFault[] = FAULT_KINDS.filter(
  (kind): kind is ExplicitFault => !isSilentFault(kind),
);

/** What a call can meet, in the order of Table 7; `blocked` comes last. */
export const MET_FAULTS: readonly MetFault[] = [...FAULT_KINDS, "blocked"];

/** Whether a call that meets this is executed and only its result is changed. */
export function isSilentFault(fault: MetFault): fault is SilentFault {
  return fault === "partial" || fault === "stale" || fault === "factual_error";
}
