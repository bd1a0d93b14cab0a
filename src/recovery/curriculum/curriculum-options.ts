import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";

/** The thresholds of the curriculum. All comparisons are strict. */
export interface CurriculumThresholds {
  /** Phase 1: the mean reward is above this … Default 0.25 (Table 9). */
  readonly reward: number;
  /** … in so many iterations in a row. Default 3 (Table 9). */
  readonly rewardIterations: number;
  /** Phases 2 and 3: the switch rate is above this. Default 0.25 (Table 9). */
  readonly switchRate: number;
  /** Phases 2 and 3: the pass rate is above this. Default 0.25 (Table 9). */
  readonly passRate: number;
  /** Phase 4: the escalation rate of S3 episodes is above this. Default 0.5 (Table 9). */
  readonly s3Escalation: number;
  /** Phase 4: the mean number of turns is below this. Default 15 (Table 9). */
  readonly turns: number;
  /**
   * Phase 4: how far the pass rates of S1 and S2 may lie below those on entry. Default 0.05, ours: the paper names no
   * number, and on the 100 S1 episodes of a batch of 256 the standard error is up to 0.05.
   */
  readonly regression: number;
  /** Phase 5: the escalation rate of solvable episodes (S1, S2) is above this … Default 0.5, ours: as often as S3 asks for it. */
  readonly overEscalation: number;
  /** … in so many iterations in a row. Default 3, ours, as in phase 1. */
  readonly overEscalationIterations: number;
}

/** The thresholds of Table 9, and ours where it names none. */
export const DEFAULT_THRESHOLDS: CurriculumThresholds = {
  reward: 0.25,
  rewardIterations: 3,
  switchRate: 0.25,
  passRate: 0.25,
  s3Escalation: 0.5,
  turns: 15,
  regression: 0.05,
  overEscalation: 0.5,
  overEscalationIterations: 3,
};

/** Options of {@link nextPhase}: other thresholds, and what tells a batch of episodes from others. */
export interface CurriculumOptions extends Partial<CurriculumThresholds> {
  /**
   * Identifies the episodes behind the diagnostics: a hash of them, or the number of the iteration. Where the state says that
   * this batch was counted last, it is returned as it is: a step that is run again counts once. Default: null, always counted.
   */
  readonly batch?: string | null;
}

/** The names of {@link CurriculumThresholds}. */
const THRESHOLD_NAMES: readonly (keyof CurriculumThresholds)[] = Object.keys(
  DEFAULT_THRESHOLDS,
) as (keyof CurriculumThresholds)[];

/**
 * The thresholds with what was left out.
 *
 * @throws CalibrantError `option` for an unknown name, or a threshold that is no number or cannot be.
 */
export function checkCurriculumOptions(options: CurriculumOptions): CurriculumThresholds {
  checkOptionNames(options, [...THRESHOLD_NAMES, "batch"], "nextPhase");
  const { batch = null } = options;
  if (batch !== null && typeof batch !== "string")
    throw new CalibrantError("option", `nextPhase: batch must be text, got ${String(batch)}`, { batch });
  const entries = THRESHOLD_NAMES.map((name) => [name, options[name] ?? DEFAULT_THRESHOLDS[name]] as const);
  for (const [name, value] of entries) {
    const [legal, words] = RANGES[name] ?? [(x) => x >= 0 && x <= 1, "a number in [0, 1]"];
    if (!(typeof value === "number" && legal(value)))
      throw new CalibrantError("option", `nextPhase: ${name} must be ${words}, got ${String(value)}`, {
        value,
      });
  }
  return Object.fromEntries(entries) as unknown as CurriculumThresholds;
}

/** What a threshold may be; the others are rates. */
const RANGES: { readonly [name in keyof CurriculumThresholds]?: readonly [(x: number) => boolean, string] } =
  {
    reward: [Number.isFinite, "a finite number"],
    turns: [(x) => x > 0, "a positive number"],
    rewardIterations: [(x) => Number.isInteger(x) && x > 0, "a whole number from 1 on"],
    overEscalationIterations: [(x) => Number.isInteger(x) && x > 0, "a whole number from 1 on"],
  };
