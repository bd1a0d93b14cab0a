import { checkOptionNames } from "../../data/check-option-names.ts";
import { CalibrantError } from "../../errors.ts";
import type { CurriculumDiagnostics } from "./curriculum-diagnostics.ts";
import {
  type CurriculumOptions,
  type CurriculumThresholds,
  checkCurriculumOptions,
} from "./curriculum-options.ts";
import type { CurriculumState } from "./curriculum-state.ts";

/** The diagnostics that decide about a phase; the others inform. */
export type DecidingName =
  | "mean_reward"
  | "switch_rate"
  | "pass_rate"
  | "s3_escalation_rate"
  | "mean_turns"
  | "pass_rate_s1"
  | "pass_rate_s2"
  | "solvable_escalation_rate";

/** Diagnostics as {@link nextPhase} takes them: null, NaN and absent = missing, which meets no condition. */
export type DecidingDiagnostics = { readonly [name in DecidingName]?: number | null } & Partial<
  Omit<CurriculumDiagnostics, DecidingName>
>;

/** A condition of a phase, with what was seen of it. Plain data. */
export interface CurriculumCondition {
  readonly diagnostic: DecidingName;
  readonly relation: ">" | "<" | ">=";
  /** null where nothing is known to compare with. */
  readonly threshold: number | null;
  /** null = missing. */
  readonly value: number | null;
  readonly met: boolean;
  /** In how many iterations in a row it has to be met. */
  readonly iterations: number;
}

/**
 * The conditions under which an iteration with these diagnostics leaves the phase of the state: in phases 1 to 4 for the
 * next phase, in phase 5 to stop. All of them have to be met. None where the curriculum has stopped.
 *
 * @throws CalibrantError `option` and `data` as {@link nextPhase}.
 *
 * @example
 * ```ts
 * import { curriculumConditions, initialCurriculum } from "calibrant/recovery";
 * const [first] = curriculumConditions(initialCurriculum(), { mean_reward: 0.3 });
 * console.log(first?.diagnostic, first?.relation, first?.threshold, first?.met); // mean_reward > 0.25 true
 * ```
 */
export function curriculumConditions(
  state: CurriculumState,
  diagnostics: DecidingDiagnostics,
  options: CurriculumOptions = {},
): readonly CurriculumCondition[] {
  const thresholds = checkCurriculumOptions(options);
  const values = checkDiagnostics(diagnostics);
  if (state.stopped) return [];
  return conditionsOf(state, thresholds).map(({ diagnostic, relation, threshold, iterations = 1 }) => {
    const value = values[diagnostic];
    const met = value !== null && threshold !== null && holds(value, relation, threshold);
    return { diagnostic, relation, threshold, value, met, iterations };
  });
}

interface Condition extends Pick<CurriculumCondition, "diagnostic" | "relation" | "threshold"> {
  readonly iterations?: number;
}

function conditionsOf(
  { phase, baseline }: CurriculumState,
  limits: CurriculumThresholds,
): readonly Condition[] {
  const above = (diagnostic: DecidingName, threshold: number, iterations = 1): Condition => ({
    diagnostic,
    relation: ">",
    threshold,
    iterations,
  });
  const notBelow = (diagnostic: "pass_rate_s1" | "pass_rate_s2"): Condition => {
    const entry = baseline[diagnostic];
    return { diagnostic, relation: ">=", threshold: entry === null ? null : entry - limits.regression };
  };
  switch (phase) {
    case 1:
      return [above("mean_reward", limits.reward, limits.rewardIterations)];
    case 2:
    case 3:
      return [above("switch_rate", limits.switchRate), above("pass_rate", limits.passRate)];
    case 4:
      return [
        above("s3_escalation_rate", limits.s3Escalation),
        { diagnostic: "mean_turns", relation: "<", threshold: limits.turns },
        notBelow("pass_rate_s1"),
        notBelow("pass_rate_s2"),
      ];
    case 5:
      return [above("solvable_escalation_rate", limits.overEscalation, limits.overEscalationIterations)];
  }
}

function holds(value: number, relation: CurriculumCondition["relation"], threshold: number): boolean {
  if (relation === ">=") return value >= threshold - ROUNDING;
  return relation === ">" ? value > threshold : value < threshold;
}

/** A rate that lies below its entry by the tolerance exactly is no regression, although 0.5 − 0.05 is above 0.45 in binary. */
const ROUNDING = 1e-12;

const DECIDING: readonly DecidingName[] = [
  "mean_reward",
  "switch_rate",
  "pass_rate",
  "s3_escalation_rate",
  "mean_turns",
  "pass_rate_s1",
  "pass_rate_s2",
  "solvable_escalation_rate",
];

/** Everything that {@link CurriculumDiagnostics} has: a misspelt name must not pass for a missing number. */
const KNOWN: readonly string[] = [
  ...DECIDING,
  "escalation_rate",
  "repetition_rate",
  "pass_rate_s3",
  "episodes",
  "unreadable",
  "missing",
  ...[...DECIDING, "escalation_rate", "repetition_rate", "pass_rate_s3"].map((name) => `${name}_n`),
];

/**
 * The deciding diagnostics, null where they are missing.
 *
 * @throws CalibrantError `data` for a number that cannot be: a rate in percent, say.
 */
export function checkDiagnostics(diagnostics: DecidingDiagnostics): Record<DecidingName, number | null> {
  checkOptionNames(diagnostics, KNOWN, "the diagnostics");
  const entries = DECIDING.map((name) => {
    const value: unknown = diagnostics[name] ?? null;
    if (value === null || Number.isNaN(value)) return [name, null];
    if (typeof value === "number" && isPossible(name, value)) return [name, value];
    const words = name === "mean_reward" ? "finite" : name === "mean_turns" ? "0 or more" : "in [0, 1]";
    throw new CalibrantError(
      "data",
      `the diagnostics: ${name} must be a number ${words}, or null where it is missing, got ${String(value)}`,
      { name, value },
    );
  });
  return Object.fromEntries(entries) as Record<DecidingName, number | null>;
}

function isPossible(name: DecidingName, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  return name === "mean_reward" || (value >= 0 && (name === "mean_turns" || value <= 1));
}
