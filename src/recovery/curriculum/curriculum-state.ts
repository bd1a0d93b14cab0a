import { CalibrantError } from "../../errors.ts";
import type { PhaseNumber } from "./curriculum-phases.ts";

/** Where a curriculum stands. Plain data for JSON, named as on the wire. */
export interface CurriculumState {
  readonly version: 1;
  /** The phase of the next iteration. */
  readonly phase: PhaseNumber;
  /** Iterations counted so far, over all phases. */
  readonly iteration: number;
  /** Of these, the ones in this phase. */
  readonly phase_iteration: number;
  /**
   * Iterations in a row, up to the last, that met what the phase counts: a mean reward above the threshold in phase 1,
   * over-escalation in phase 5; 0 in the others.
   */
  readonly streak: number;
  /** The pass rates with which phase 4 was entered, against which it measures a regression; null = not known yet. */
  readonly baseline: { readonly pass_rate_s1: number | null; readonly pass_rate_s2: number | null };
  /** Whether training is to stop; then nothing changes any more. */
  readonly stopped: boolean;
  /** Why; null while it goes on. */
  readonly reason: "over_escalation" | null;
  /** The batch that was counted last; null = none, or it had no name. */
  readonly batch: string | null;
}

/**
 * The state before the first iteration: phase 1.
 *
 * @example
 * ```ts
 * import { initialCurriculum } from "calibrant/recovery";
 * console.log(initialCurriculum().phase, initialCurriculum().iteration); // 1 0
 * ```
 */
export function initialCurriculum(): CurriculumState {
  return {
    version: 1,
    phase: 1,
    iteration: 0,
    phase_iteration: 0,
    streak: 0,
    baseline: { pass_rate_s1: null, pass_rate_s2: null },
    stopped: false,
    reason: null,
    batch: null,
  };
}

/**
 * Reads the JSON of a state, nothing assumed of it.
 *
 * @param name - what to call it in messages, as the name of its file. Default `state`.
 * @throws CalibrantError `data` for a field that is missing, unknown or cannot be, and another version.
 *
 * @example
 * ```ts
 * import { checkCurriculumState, initialCurriculum } from "calibrant/recovery";
 * const text = JSON.stringify(initialCurriculum());
 * console.log(checkCurriculumState(JSON.parse(text)).phase); // 1
 * ```
 */
export function checkCurriculumState(value: unknown, name: string = "state"): CurriculumState {
  const known = initialCurriculum();
  const state = fieldsOf(value, Object.keys(known), name);
  const refuse = (field: string, expected: string): never => {
    const shown = JSON.stringify(state[field]) ?? String(state[field]);
    throw new CalibrantError("data", `${name}: ${field} must be ${expected}, got ${shown}`, { field });
  };
  if (state.version !== 1) refuse("version", "1 (another version of Calibrant may have written it)");
  if (![1, 2, 3, 4, 5].includes(state.phase as number)) refuse("phase", "1, 2, 3, 4 or 5");
  for (const field of ["iteration", "phase_iteration", "streak"]) {
    if (!(Number.isSafeInteger(state[field]) && (state[field] as number) >= 0))
      refuse(field, "a whole number from 0 on");
  }
  if ((state.phase_iteration as number) > (state.iteration as number))
    refuse("phase_iteration", `at most iteration, ${state.iteration}`);
  if ((state.streak as number) > (state.phase_iteration as number))
    refuse("streak", `at most phase_iteration, ${state.phase_iteration}`);
  const baseline = fieldsOf(state.baseline, Object.keys(known.baseline), `${name}: baseline`);
  if (!Object.values(baseline).every(isRateOrNull)) refuse("baseline", "rates in [0, 1] or null");
  if (typeof state.stopped !== "boolean") refuse("stopped", "true or false");
  if (state.reason !== (state.stopped ? "over_escalation" : null))
    refuse("reason", state.stopped ? "over_escalation where stopped is true" : "null where stopped is false");
  if (state.batch !== null && typeof state.batch !== "string") refuse("batch", "text or null");
  return value as CurriculumState;
}

function fieldsOf(
  value: unknown,
  names: readonly string[],
  owner: string,
): Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new CalibrantError(
      "data",
      `${owner} must be an object with ${names.join(", ")}, got ${String(value)}`,
    );
  const fields = value as Readonly<Record<string, unknown>>;
  const missing = names.filter((name) => !Object.hasOwn(fields, name));
  const unknown = Object.keys(fields).filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new CalibrantError("data", `${owner} is no state of a curriculum: it lacks ${missing.join(", ")}`);
  if (unknown.length > 0)
    throw new CalibrantError("data", `${owner} is no state of a curriculum: it has ${unknown.join(", ")}`);
  return fields;
}

function isRateOrNull(value: unknown): boolean {
  return value === null || (typeof value === "number" && value >= 0 && value <= 1);
}
