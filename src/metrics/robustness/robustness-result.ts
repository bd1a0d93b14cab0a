import type { Rate } from "../rate.ts";
import type { FaultGroup } from "./fault-types.ts";

/** The three settings of an evaluation: without faults, with faults, and with faults and alternative tools. */
export type RobustnessCondition = "clean" | "injected" | "injectedAlt";

/** How strongly faults are injected; null where the rows do not say. */
export interface InjectionSetting {
  /** Probability that a call is left alone. */
  readonly pClean: number | null;
  /** Most injected faults an episode (B). */
  readonly budget: number | null;
  /** Most faults in a row on one tool (K_max). */
  readonly kMax: number | null;
}

/** How the interval of a pass rate was made. */
export type PassRateInterval =
  /** Wilson's, over episodes: every task has one. */
  | "wilson"
  /** Percentile bootstrap over tasks: episodes of one task are drawn together. */
  | "task-bootstrap"
  /** Wilson's with the tasks as trials: tasks have several episodes, but are too few or too alike to be resampled. */
  | "task-wilson";

/** A share of episodes that completed their task; `denominator` counts episodes. */
export interface PassRate extends Rate {
  /** Different tasks among the episodes. */
  readonly tasks: number;
  /** null without an interval. */
  readonly interval: PassRateInterval | null;
}

/** Tasks that only one side of a comparison has. */
export interface UnpairedTasks {
  readonly count: number;
  /** The first 20 by name. */
  readonly names: readonly string[];
}

/** The exact McNemar test of two conditions with one episode a task each. */
export interface McNemarTest {
  /** Two-sided p-value. */
  readonly pValue: number;
  /** Tasks that only the baseline passed. */
  readonly onlyBaseline: number;
  /** Tasks that only the candidate passed. */
  readonly onlyCandidate: number;
}

/** A difference of pass rates, candidate − baseline, as a fraction: −0.404 is −40.4 percentage points. */
export interface PassRateDelta {
  /** null where there is nothing to compare. */
  readonly value: number | null;
  /** Percentile bootstrap over tasks; null without one. */
  readonly low: number | null;
  readonly high: number | null;
  /** The difference of the two pass rates over all their episodes, paired or not; null where one is missing. */
  readonly ofRates: number | null;
  /** Tasks that both sides have. */
  readonly pairedTasks: number;
  readonly onlyBaseline: UnpairedTasks;
  readonly onlyCandidate: UnpairedTasks;
  /** Whether the interval leaves out 0; null without an interval and with fewer than 10 tasks on a side. */
  readonly beyondNoise: boolean | null;
  /** null where a task has several episodes on one side, and for differences over all episodes. */
  readonly mcnemar: McNemarTest | null;
  /** Why there is no value, as `no paired tasks`; null when there is one. */
  readonly reason: string | null;
}

/** Pass rates of one model on one subset. */
export interface GapRow {
  readonly model: string;
  /** null without a subset. */
  readonly subset: string | null;
  readonly clean: PassRate;
  readonly injected: PassRate;
  readonly injectedAlt: PassRate;
  /** injected − clean. */
  readonly delta: PassRateDelta;
  /** injectedAlt − clean. */
  readonly deltaAlt: PassRateDelta;
}

/** One cell of a table of differences. */
export interface NamedDelta {
  readonly model: string;
  readonly subset: string | null;
  readonly delta: number;
}

/** How many (model, subset) pairs lose pass rate under injection without alternatives. */
export interface DegradedPairs {
  /** Pairs with a difference. */
  readonly pairs: number;
  /** Pairs whose difference is negative. */
  readonly degraded: number;
  /** Of these, those whose interval leaves out 0. */
  readonly beyondNoise: number;
  /** The most negative difference; null when none is negative. */
  readonly largest: NamedDelta | null;
}

/** The spread of a pass rate over evaluation seeds. */
export interface SeedRow {
  readonly model: string;
  readonly subset: string | null;
  readonly condition: RobustnessCondition;
  readonly seeds: number;
  /** Mean of the pass rates of the seeds, each counted once. */
  readonly mean: number;
  /** Sample standard deviation (n − 1) over the seeds; null with one. */
  readonly std: number | null;
  readonly perSeed: readonly { readonly seed: string | null; readonly rate: Rate }[];
}

/** A column of the tables by system. */
export interface RobustnessSystem {
  /** What the system is, where it was named; else null. */
  readonly role: "base" | "btm" | "rl" | null;
  readonly model: string;
}

/** Pass rates of the episodes with one fault type, over all subsets, under injection without alternatives. */
export interface FaultTypeRow {
  readonly faultType: string;
  readonly group: FaultGroup;
  /** In the order of `systems`. */
  readonly rates: readonly PassRate[];
  /** btm − base: the difference of the two rates of this row; its bootstrap draws the tasks of both together. */
  readonly deltaBtm: PassRateDelta | null;
  /** rl − btm. */
  readonly deltaRl: PassRateDelta | null;
}

/** Pass rates at one severity, over all subsets, under injection without alternatives. */
export interface SensitivityRow extends InjectionSetting {
  /** In the order of `systems`. */
  readonly rates: readonly PassRate[];
  /** Last system − base, over the tasks that both have; null unless both are named. */
  readonly delta: PassRateDelta | null;
}

/** What changes with the severity of the injection. */
export interface Sensitivity {
  /** The limits (B, K_max) of the main setting, P(clean) ascending. */
  readonly pClean: readonly SensitivityRow[];
  /** The P(clean) of the main setting, B and K_max ascending. */
  readonly limits: readonly SensitivityRow[];
  /** Settings that differ from the main one in both. */
  readonly other: readonly SensitivityRow[];
}

/** Mean cost of the episodes of a model under a condition, over all subsets. */
export interface CostRow {
  readonly model: string;
  readonly condition: RobustnessCondition;
  readonly episodes: number;
  /** Mean over the episodes that state it; null when none does. */
  readonly turns: number | null;
  readonly tokens: number | null;
}

/** The robustness tables of rollouts under clean and injected conditions; missing numbers are null. */
export interface RobustnessResult {
  /** Rows read. */
  readonly rows: number;
  /** Rows with a result, on which everything rests. */
  readonly episodes: number;
  readonly models: readonly string[];
  readonly subsets: readonly (string | null)[];
  readonly systems: readonly RobustnessSystem[];
  /** The severity behind all tables but `sensitivity`. */
  readonly setting: InjectionSetting;
  readonly gap: readonly GapRow[];
  readonly degraded: DegradedPairs;
  readonly seeds: readonly SeedRow[];
  /** Empty when no injected row has a fault type. */
  readonly byFaultType: readonly FaultTypeRow[];
  readonly sensitivity: Sensitivity;
  readonly cost: readonly CostRow[];
  readonly excluded: {
    /** Rows without a result: `completed` is missing. */
    readonly unscored: number;
    /** Rows whose severity is not the main one; only `sensitivity` has them. */
    readonly otherSettings: number;
  };
  readonly warnings: readonly string[];
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}
