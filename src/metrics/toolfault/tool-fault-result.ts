import type { Rate } from "../rate.ts";
import type { FaultType } from "./labels.ts";

/** The metrics of ToolFault-Bench, in the order of its card's table. */
export const TOOLFAULT_METRICS = [
  "joint_accuracy",
  "fault_accuracy",
  "fault_macro_f1",
  "action_accuracy",
  "critical_error_rate",
  "false_alarm_rate",
  "missed_fault_rate",
] as const;

/** The name of a metric of ToolFault-Bench. */
export type ToolFaultMetricName = (typeof TOOLFAULT_METRICS)[number];

/** Wilson's interval of the rows, or a bootstrap over items, which are resampled with all their repeats. */
export type ShareInterval = "wilson" | "bootstrap";

/** Some items and what a run made of them. */
export interface ToolFaultSlice {
  /** The slicing columns, and their values here; both empty for all items. */
  readonly columns: readonly string[];
  readonly values: readonly string[];
  /** Items of the dataset in the slice. */
  readonly items: number;
  /** Items times repeats: what `joint_accuracy` is a share of. */
  readonly rows: number;
  /** Rows whose answer could not be read: no label, or an unknown one. Wrong everywhere. */
  readonly unparsed: number;
  /** Rows without any prediction. Wrong everywhere. */
  readonly missing: number;
  readonly metrics: Readonly<Record<ToolFaultMetricName, Rate>>;
}

/** How well one fault type is recognised. */
export interface ToolFaultClass {
  readonly faultType: FaultType;
  /** Rows of that type. */
  readonly support: number;
  /** Rows for which it was predicted. */
  readonly predicted: number;
  /** Null when it was never predicted. */
  readonly precision: number | null;
  /** Null without rows. */
  readonly recall: number | null;
  /** 0 for a type without rows or right predictions, as in the macro average. */
  readonly f1: number;
}

/** What one run scored. */
export interface ToolFaultRun {
  /** The values of the run columns; `["all"]` without them. */
  readonly name: readonly string[];
  /** Times that each item was asked. */
  readonly repeats: number;
  /** How the intervals of shares were made; that of macro-F1 always comes from the bootstrap. */
  readonly interval: ShareInterval;
  readonly overall: ToolFaultSlice;
  readonly slices: readonly ToolFaultSlice[];
  readonly classes: readonly ToolFaultClass[];
  /** Rows by true fault type, in the order of `FAULT_TYPES`; predicted ones likewise, then a count of answers without labels. */
  readonly confusion: readonly (readonly number[])[];
  /** Labels that no one knows, and how often they were predicted, most frequent first, at most ten. */
  readonly unknownLabels: readonly (readonly [label: string, count: number])[];
  /** Hashes of the prompts that were asked, where the predictions state them. */
  readonly promptHashes: readonly string[];
}

/** The difference of two runs over the same items. */
export interface ToolFaultDifference {
  /** Candidate − baseline; null where either has no value. */
  readonly value: number | null;
  /** Percentile interval of the paired bootstrap over items (of macro-F1 moved to be centred on the value); null without one. */
  readonly low: number | null;
  readonly high: number | null;
  /** Whether the interval leaves out 0; null where nothing can be said (fewer than 10 items, no interval). */
  readonly beyondNoise: boolean | null;
}

/** One run against the baseline. */
export interface ToolFaultComparison {
  readonly baseline: readonly string[];
  readonly candidate: readonly string[];
  readonly metrics: Readonly<Record<ToolFaultMetricName, ToolFaultDifference>>;
  /** Items that only one of the two got right (fault and action), and the exact McNemar p-value; null with repeats. */
  readonly joint: {
    readonly onlyBaseline: number;
    readonly onlyCandidate: number;
    readonly pValue: number;
  } | null;
}

/** What {@link toolFaultMetrics} returns. */
export interface ToolFaultResult {
  readonly benchmark: "toolfault";
  /** Version of this format. */
  readonly format: 1;
  readonly items: number;
  readonly hardNegatives: number;
  /** SHA-256 of the gold labels, which tells datasets apart: the command line's; null from library functions. */
  readonly itemsHash: string | null;
  /** Columns whose values name the runs. */
  readonly runColumns: readonly string[];
  readonly runs: readonly ToolFaultRun[];
  readonly comparisons: readonly ToolFaultComparison[];
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}
