/** The number of a phase of the curriculum. */
export type PhaseNumber = 1 | 2 | 3 | 4 | 5;

/** A phase of the curriculum: a row of Table 9. Plain data. */
export interface CurriculumPhase {
  readonly phase: PhaseNumber;
  /** What is learned in it, in the words of the paper. */
  readonly focus: string;
  /** Shares of the scenarios among the tasks of an iteration; they sum to 1. */
  readonly mix: { readonly S1: number; readonly S2: number; readonly S3: number };
  /** The budget of injected faults an episode. */
  readonly max_injections: number;
}

/** The five phases of Bench2Robust, Table 9. */
export const CURRICULUM_PHASES: readonly CurriculumPhase[] = [
  { phase: 1, focus: "S1: retry", mix: { S1: 1, S2: 0, S3: 0 }, max_injections: 2 },
  { phase: 2, focus: "Discover alternatives", mix: { S1: 0.8, S2: 0.2, S3: 0 }, max_injections: 2 },
  { phase: 3, focus: "S2: switch", mix: { S1: 0.6, S2: 0.4, S3: 0 }, max_injections: 5 },
  { phase: 4, focus: "S3: no viable path", mix: { S1: 0.4, S2: 0.5, S3: 0.1 }, max_injections: 5 },
  { phase: 5, focus: "Mixed", mix: { S1: 0.3, S2: 0.45, S3: 0.25 }, max_injections: 5 },
];

/** The row of a phase. */
export function phaseRow(phase: PhaseNumber): CurriculumPhase {
  return CURRICULUM_PHASES[phase - 1] as CurriculumPhase;
}
