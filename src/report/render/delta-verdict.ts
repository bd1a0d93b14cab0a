import type { Delta } from "../evaluation.ts";
import { METRICS, type MetricName } from "../metric-info.ts";

/** A verdict in words, and whether it is good news. */
export interface DeltaVerdict {
  /** `better, beyond noise`, `higher, beyond noise` for a metric without a good direction, `not beyond noise`, `undetermined`. */
  readonly text: string;
  readonly tone: "better" | "worse" | "neutral";
}

/** Whether the candidate is better than the baseline in this metric, beyond noise or not. */
export function deltaVerdict(name: MetricName, delta: Delta): DeltaVerdict {
  if (delta.verdict !== "beyond noise") return { text: delta.verdict, tone: "neutral" };
  const direction = delta.value > 0 ? "higher" : "lower";
  const { better } = METRICS[name];
  if (better === null) return { text: `${direction}, beyond noise`, tone: "neutral" };
  const tone = direction === better ? "better" : "worse";
  return { text: `${tone}, beyond noise`, tone };
}
