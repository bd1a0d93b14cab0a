import { CalibrantError } from "../../errors.ts";
import { checkFault } from "./check-memory-data.ts";
import type { EpisodeOutcome } from "./episode-outcome.ts";
import { shownValue } from "./shown-value.ts";

/**
 * Checks an outcome, so that it is counted in whole or not at all.
 *
 * @throws CalibrantError `data` naming the field that is malformed.
 */
export function checkOutcome(outcome: EpisodeOutcome): void {
  if (outcome === null || typeof outcome !== "object")
    throw bad("outcome", "an object with faults, switches and recovered", outcome);
  const { faults, switches, recovered } = outcome;
  if (!Array.isArray(faults)) throw bad("outcome.faults", "a list of { tool, fault }", faults);
  if (!Array.isArray(switches)) throw bad("outcome.switches", "a list of { source, target }", switches);
  if (recovered !== null && typeof recovered !== "boolean")
    throw bad("outcome.recovered", "true, false or null", recovered);
  for (const { tool, fault } of faults) {
    checkName(tool, "outcome.faults: tool");
    checkFault(fault, "outcome.faults: fault");
  }
  for (const { source, target } of switches) {
    checkName(source, "outcome.switches: source");
    checkName(target, "outcome.switches: target");
  }
}

/**
 * Checks the name of a tool, which may be any text.
 *
 * @throws CalibrantError `data` for anything else.
 */
export function checkName(value: unknown, name: string): void {
  if (typeof value !== "string") throw bad(name, "text", value);
}

function bad(name: string, expected: string, value: unknown): CalibrantError {
  return new CalibrantError("data", `${name} must be ${expected}, got ${shownValue(value)}`);
}
