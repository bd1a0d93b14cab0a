/** What a reader must know of a metric. */
export interface MetricInfo {
  /** Short name for a table's head. */
  readonly title: string;
  /** What it is, in a sentence. */
  readonly meaning: string;
  /** The unit in words: `fraction`, `nats`, `perplexity`, `reward`. */
  readonly unit: string;
  /** Which direction is good; null when neither is. */
  readonly better: "higher" | "lower" | null;
}

/** The metrics of a report, in the order of its tables: the names that the JSON and `--fail-if` use. */
export const METRIC_NAMES = [
  "accuracy",
  "iou",
  "overlap",
  "auroc",
  "ap",
  "aurc",
  "eaurc",
  "ece",
  "smooth_ece",
  "brier",
  "nll",
  "wrong_low_of_wrong",
  "wrong_low_of_all",
  "wrong_low_of_low",
  "ppl_correct",
  "ppl_wrong",
  "reward",
  "certainty",
  "margin",
] as const;

/** The name of a metric of a report. */
export type MetricName = (typeof METRIC_NAMES)[number];

/** What a reader must know of every metric, by the name that the JSON and `--fail-if` use, in the order of the tables. */
export const METRICS: Readonly<Record<MetricName, MetricInfo>> = {
  accuracy: { title: "Accuracy", meaning: "share of correct rows", unit: "fraction", better: "higher" },
  iou: {
    title: "Calibration IoU",
    meaning:
      "intersection over union of the uncertainty distributions of correct and wrong rows (TRUST Eq. 10): separation, not calibration in the ECE sense",
    unit: "fraction",
    better: "lower",
  },
  overlap: {
    title: "Overlap",
    meaning: "common area of the two distributions; IoU = overlap / (2 - overlap)",
    unit: "fraction",
    better: "lower",
  },
  auroc: {
    title: "AUROC",
    meaning: "chance that a wrong row is less certain than a correct one, ties counted half",
    unit: "fraction",
    better: "higher",
  },
  ap: {
    title: "Average precision",
    meaning:
      "average precision of finding wrong rows by their uncertainty; its chance level is the error rate, so it compares only runs of equal accuracy",
    unit: "fraction",
    better: null,
  },
  aurc: {
    title: "AURC",
    meaning: "mean error rate over all coverages when the least certain rows are dropped first",
    unit: "fraction",
    better: "lower",
  },
  eaurc: {
    title: "E-AURC",
    meaning: "AURC above that of a perfect ranking at the same accuracy",
    unit: "fraction",
    better: "lower",
  },
  ece: {
    title: "ECE",
    meaning: "mean distance of confidence and accuracy over uniform bins",
    unit: "fraction",
    better: "lower",
  },
  smooth_ece: {
    title: "Smooth ECE",
    meaning: "calibration error without bins, by a reflected kernel",
    unit: "fraction",
    better: "lower",
  },
  brier: {
    title: "Brier",
    meaning: "mean squared distance of confidence and correctness",
    unit: "fraction",
    better: "lower",
  },
  nll: {
    title: "NLL",
    meaning: "mean negative log-likelihood of correctness under the confidence",
    unit: "nats",
    better: "lower",
  },
  wrong_low_of_wrong: {
    title: "Wrong but low, of wrong",
    meaning: "share of wrong rows whose uncertainty is at or below the median of the correct ones",
    unit: "fraction",
    better: "lower",
  },
  wrong_low_of_all: {
    title: "Wrong but low, of all",
    meaning: "share of all rows that are wrong at low uncertainty",
    unit: "fraction",
    better: "lower",
  },
  wrong_low_of_low: {
    title: "Wrong, of low",
    meaning: "share of wrong rows among those of low uncertainty",
    unit: "fraction",
    better: "lower",
  },
  ppl_correct: {
    title: "Uncertainty, correct",
    meaning: "median uncertainty (perplexity) of correct rows",
    unit: "perplexity",
    better: null,
  },
  ppl_wrong: {
    title: "Uncertainty, wrong",
    meaning: "median uncertainty (perplexity) of wrong rows",
    unit: "perplexity",
    better: null,
  },
  reward: { title: "Mean reward", meaning: "mean of the reward column", unit: "reward", better: "higher" },
  certainty: {
    title: "Mean certainty",
    meaning: "mean of the certainty column (TRUST Eq. 5)",
    unit: "fraction",
    better: null,
  },
  margin: {
    title: "Mean margin",
    meaning: "mean of the margin column (TRUST Eq. 4)",
    unit: "perplexity",
    better: null,
  },
};
