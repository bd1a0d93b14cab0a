import { checkDiagnostics, curriculumConditions, type DecidingDiagnostics } from "./curriculum-conditions.ts";
import type { CurriculumOptions } from "./curriculum-options.ts";
import type { PhaseNumber } from "./curriculum-phases.ts";
import { type CurriculumState, checkCurriculumState } from "./curriculum-state.ts";

/**
 * The state of the curriculum after an iteration (Bench2Robust, Table 9). Pure; call it once an iteration, with the
 * diagnostics of the episodes that were played in the state's phase.
 *
 * 1. to phase 2: mean reward > 0.25 in 3 iterations in a row.
 * 2. to phase 3, and 3. to phase 4: switch rate > 0.25 and pass rate > 0.25, in one iteration.
 * 4. to phase 5: S3 escalation rate > 0.5, mean turns < 15, and the pass rates of S1 and S2 not more than 0.05 below those of the
 *    iteration that led into phase 4. Where that one had no S1 or no S2 episode, the first iteration in the phase that has one sets the value, and
 *    does not advance.
 * 5. stops when more than half of the solvable episodes (S1, S2) escalate in 3 iterations in a row.
 *
 * A phase is never skipped and never left backwards. A missing number meets no condition and ends a run of iterations in a row like any other miss.
 * Once stopped, the state stays as it is.
 *
 * @param diagnostics - what {@link curriculumDiagnostics} gives, or only the numbers that the phase needs.
 * @param options - other thresholds; `batch` makes a step that is run twice count once.
 * @returns the new state; `state` itself when it has stopped or this batch was counted last.
 * @throws CalibrantError `data` for a state or a number that cannot be, `option` for an option that cannot be.
 *
 * @example
 * ```ts
 * import { initialCurriculum, nextPhase } from "calibrant/recovery";
 * let state = initialCurriculum();
 * for (const mean_reward of [0.3, 0.2, 0.3, 0.31, 0.4]) state = nextPhase(state, { mean_reward });
 * console.log(state.phase, state.iteration); // 2 5
 * ```
 */
export function nextPhase(
  state: CurriculumState,
  diagnostics: DecidingDiagnostics,
  options: CurriculumOptions = {},
): CurriculumState {
  checkCurriculumState(state);
  const conditions = curriculumConditions(state, diagnostics, options);
  const { batch = null } = options;
  if (state.stopped || (batch !== null && batch === state.batch)) return state;
  const met = conditions.every((condition) => condition.met);
  const needed = Math.max(...conditions.map(({ iterations }) => iterations));
  const streak = met ? state.streak + 1 : 0;
  const counted = {
    ...state,
    iteration: state.iteration + 1,
    phase_iteration: state.phase_iteration + 1,
    batch,
  };
  const leaves = streak >= needed;
  if (state.phase === 5 && leaves) return { ...counted, streak, stopped: true, reason: "over_escalation" };
  const values = checkDiagnostics(diagnostics);
  const baseline =
    state.phase === 4 || (state.phase === 3 && leaves)
      ? {
          pass_rate_s1: state.baseline.pass_rate_s1 ?? values.pass_rate_s1,
          pass_rate_s2: state.baseline.pass_rate_s2 ?? values.pass_rate_s2,
        }
      : state.baseline;
  if (!leaves) return { ...counted, baseline, streak: state.phase === 1 || state.phase === 5 ? streak : 0 };
  const phase = (state.phase + 1) as PhaseNumber;
  return { ...counted, phase, phase_iteration: 0, streak: 0, baseline };
}
