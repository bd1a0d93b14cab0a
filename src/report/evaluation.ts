import type { MetricName } from "./metric-info.ts";
import type { Plot } from "./plot.ts";

/** The name and version of the schema of an {@link Evaluation}; a change that a reader would notice raises the number. */
export const EVALUATION_SCHEMA = "calibrant/evaluation@1";

/** A number with its interval; NaN where it could not be computed, with the reason. */
export interface Estimate {
  readonly value: number;
  /** Ends of the interval at the report's level; NaN where there is none. */
  readonly low: number;
  readonly high: number;
  /** Why `value` is NaN, as `empty` or `single-class`; null when it is a number. */
  readonly reason: string | null;
}

/** Rows that a number does not rest on, by reason in words. */
export type ExcludedRows = Readonly<Record<string, number>>;

/** The histogram of correct and wrong rows that the calibration IoU compares. */
export interface SliceHistogram {
  /** Rows of finite uncertainty in each bin of `iou.edges`, `(bins)`, weights included; values outside are in the end bins. */
  readonly correct: readonly number[];
  readonly wrong: readonly number[];
  /** Rows of infinite uncertainty, weights included: a cell of its own beside the bins. */
  readonly infinite: { readonly correct: number; readonly wrong: number };
}

/** The permutation null of the IoU: what identical distributions would show at these counts. */
export interface IouNull {
  readonly mean: number;
  /** Share of permutations with an IoU at or below the observed one; small = the classes are separated. */
  readonly pValue: number;
}

/** One row a bin: how often confident rows are right. */
export interface Reliability {
  /** Bin edges in [0, 1], `(bins + 1)`. */
  readonly edges: readonly number[];
  /** Per bin `(bins)`: rows, mean confidence and share of correct rows (NaN for an empty bin). */
  readonly count: readonly number[];
  readonly confidence: readonly number[];
  readonly accuracy: readonly number[];
  /** Consistency band: where the share of correct rows lies if the confidences are exact, at the report's level. */
  readonly bandLow: readonly number[];
  readonly bandHigh: readonly number[];
  /** The ECE that exact confidences would show at these counts. */
  readonly nullMean: number;
}

/** Error rate of the rows that are kept, from the most certain one on. */
export interface RiskCurve {
  /** Share of rows kept, in (0, 1], ascending; at most 200 points. */
  readonly coverage: readonly number[];
  /** Share of wrong rows among them. */
  readonly risk: readonly number[];
}

/** Rows by margin, with the certainty that the margin gives. */
export interface CertaintyMargin {
  /** Edges of margin bins in perplexity units, `(bins + 1)`; rows outside are in the end bins. */
  readonly edges: readonly number[];
  readonly correct: readonly number[];
  readonly wrong: readonly number[];
  /** Mean certainty in the bin; NaN when empty. */
  readonly certainty: readonly number[];
}

/** A remark on a slice that a reader must know, with the sentence that says it. */
export interface EvaluationFlag {
  readonly code: string;
  readonly text: string;
}

/** Everything that was computed for the rows of one combination of slicing keys. */
export interface EvaluationSlice {
  /** The values of the slicing columns, as `base / irrelevance`; `all rows` for the whole. */
  readonly label: string;
  /** Slicing column → value; empty for the whole. */
  readonly key: Readonly<Record<string, string>>;
  /** All rows of the slice, used or not. */
  readonly rows: number;
  readonly correct: number;
  readonly wrong: number;
  /** Independent units that were resampled: prompts, or rows without a cluster column. */
  readonly clusters: number;
  readonly excluded: ExcludedRows;
  readonly metrics: Readonly<Record<MetricName, Estimate>>;
  readonly histogram: SliceHistogram;
  readonly iouNull: IouNull;
  readonly reliability: Reliability;
  readonly riskCurve: RiskCurve;
  /** Null when the input has no margin or certainty. */
  readonly certaintyMargin: CertaintyMargin | null;
  readonly flags: readonly EvaluationFlag[];
}

/** A difference between two slices, with its interval. */
export interface Delta {
  readonly baseline: number;
  readonly candidate: number;
  /** candidate − baseline. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly verdict: "beyond noise" | "not beyond noise" | "undetermined";
  /** The verdict in a sentence that names the metric, the direction and the interval. */
  readonly sentence: string;
}

/** A slice compared with the baseline slice on the prompts that both have. */
export interface Comparison {
  readonly baseline: string;
  readonly candidate: string;
  /** The same prompts were resampled for both sides; without a cluster column the sides are resampled apart. */
  readonly paired: boolean;
  readonly prompts: {
    readonly shared: number;
    readonly baselineOnly: number;
    readonly candidateOnly: number;
  };
  readonly deltas: Readonly<Partial<Record<MetricName, Delta>>>;
}

/** Which columns the numbers come from, in words. */
export interface EvaluationColumns {
  /** The uncertainty and its axis, as `ppl` on the scale `log`. */
  readonly uncertainty: string;
  readonly correct: string;
  /** Where the confidence comes from, as `exp(-nll)`, or a column, or a fitted calibrator. */
  readonly confidence: string;
  /** Rows that share its value are resampled together; null = every row alone. */
  readonly cluster: string | null;
  readonly weight: string | null;
  readonly by: readonly string[];
  /** Other columns that were there: `certainty`, `margin`, `reward`. */
  readonly also: readonly string[];
}

/** How the IoU was computed, shared by all slices. */
export interface EvaluationIou {
  readonly scale: "log" | "identity";
  readonly method: "histogram" | "ks" | "kde";
  readonly normalize: "density" | "count";
  /** Shared bin edges on the axis (ln PPL in nats for `log`), `(bins + 1)`. */
  readonly edges: readonly number[];
  /** How the edges were chosen, in words. */
  readonly edgesFrom: string;
}

/**
 * A calibration report as plain data: what `calibrant report` computes, and what the renderers draw. JSON text of it
 * (`evaluationJson`) writes NaN and infinities as the strings "NaN", "Infinity", "-Infinity".
 */
export interface Evaluation {
  readonly schema: typeof EVALUATION_SCHEMA;
  /** Version of the package that computed it. */
  readonly version: string;
  readonly title: string;
  /** The command that makes this report again; null when it was made by a function call. */
  readonly command: string | null;
  readonly inputs: readonly string[];
  readonly seed: number;
  readonly resamples: number;
  readonly permutations: number;
  /** Confidence level of all intervals, as 0.95. */
  readonly level: number;
  readonly columns: EvaluationColumns;
  readonly iou: EvaluationIou;
  /** All rows together. */
  readonly overall: EvaluationSlice;
  /** One for each combination of the slicing keys, in order of first appearance (numeric keys ascending); empty without slicing. */
  readonly slices: readonly EvaluationSlice[];
  readonly comparisons: readonly Comparison[];
  /** Remarks on the whole report, in sentences. */
  readonly notes: readonly string[];
  readonly plots: readonly Plot[];
}
