import type { MetricInfo } from "../metric-info.ts";

/** What a number of the tables is that is no metric itself, but what a metric would be by chance. */
export interface NullInfo extends MetricInfo {
  /** Where it is in the JSON, below a slice. */
  readonly path: string;
}

/** The numbers to hold the metrics against. */
export const NULLS: Readonly<Record<"iou_null" | "iou_p" | "ece_null", NullInfo>> = {
  iou_null: {
    path: "iouNull.mean",
    title: "IoU if identical",
    meaning: "mean IoU over permuted labels: what identical distributions would show at these counts",
    unit: "fraction",
    better: null,
  },
  iou_p: {
    path: "iouNull.pValue",
    title: "p (IoU)",
    meaning: "share of label permutations with an IoU at or below the observed one; small = separated",
    unit: "fraction",
    better: null,
  },
  ece_null: {
    path: "reliability.nullMean",
    title: "ECE if exact",
    meaning: "mean ECE that exact confidences would show at these counts",
    unit: "fraction",
    better: null,
  },
};
