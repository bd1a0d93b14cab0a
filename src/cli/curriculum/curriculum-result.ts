import type { CurriculumCondition } from "../../recovery/curriculum/curriculum-conditions.ts";
import type { CurriculumDiagnostics } from "../../recovery/curriculum/curriculum-diagnostics.ts";
import type { CurriculumPhase, PhaseNumber } from "../../recovery/curriculum/curriculum-phases.ts";
import type { CurriculumState } from "../../recovery/curriculum/curriculum-state.ts";

/** What `calibrant curriculum --json` prints. */
export interface CurriculumResult {
  /** Iterations counted so far, this one included. */
  readonly iteration: number;
  /** The phase before this iteration was counted. */
  readonly phase: PhaseNumber;
  /** Whether this run counted an iteration: not when the curriculum had stopped, or the same episodes were counted last. */
  readonly applied: boolean;
  /** Whether it led into the next phase. */
  readonly advanced: boolean;
  readonly stopped: boolean;
  readonly reason: CurriculumState["reason"];
  readonly diagnostics: CurriculumDiagnostics;
  /** The conditions of `phase`; empty when nothing was counted. */
  readonly conditions: readonly CurriculumCondition[];
  /** The phase of the next iteration; null when the curriculum has stopped. */
  readonly next: CurriculumPhase | null;
  readonly state: CurriculumState;
}
