import type { MetricName } from "../metric-info.ts";
import type { NULLS } from "./null-info.ts";

/** Metrics that stand in one table, with the numbers to hold them against. */
export interface MetricGroup {
  readonly id: string;
  readonly title: string;
  readonly names: readonly (MetricName | keyof typeof NULLS)[];
}

/** All metrics in groups of a width that fits a page. */
export const METRIC_GROUPS: readonly MetricGroup[] = [
  {
    id: "separation",
    title: "Separation of correct and wrong rows",
    names: ["iou", "iou_null", "iou_p", "overlap", "auroc", "ap"],
  },
  {
    id: "ranking",
    title: "Selective answering, and wrong at low uncertainty",
    names: ["aurc", "eaurc", "wrong_low_of_wrong", "wrong_low_of_all", "wrong_low_of_low"],
  },
  {
    id: "calibration",
    title: "Calibration of the confidence",
    names: ["ece", "ece_null", "smooth_ece", "brier", "nll"],
  },
  {
    id: "levels",
    title: "Accuracy, reward and uncertainty",
    names: ["accuracy", "reward", "certainty", "margin", "ppl_correct", "ppl_wrong"],
  },
];
