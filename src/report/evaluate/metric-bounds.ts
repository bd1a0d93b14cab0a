import type { Interval } from "../../types.ts";
import { METRICS, type MetricName } from "../metric-info.ts";

const UNBOUNDED: Interval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** What a metric can be, so that its interval does not leave it. */
export function metricBounds(name: MetricName, logAxis: boolean): Interval {
  if (name === "nll") return { low: 0, high: Number.POSITIVE_INFINITY };
  if (name === "ppl_correct" || name === "ppl_wrong") {
    return logAxis ? { low: 1, high: Number.POSITIVE_INFINITY } : UNBOUNDED;
  }
  return METRICS[name].unit === "fraction" ? { low: 0, high: 1 } : UNBOUNDED;
}
