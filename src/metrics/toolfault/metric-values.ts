import { FAULT_TYPES } from "./labels.ts";
import { SUM } from "./metric-sums.ts";
import { TOOLFAULT_METRICS, type ToolFaultMetricName } from "./tool-fault-result.ts";

const CLASSES = FAULT_TYPES.length;

/** A share as counts. */
export interface Share {
  readonly numerator: number;
  readonly denominator: number;
}

/** The counts behind a metric; null for macro-F1, which is no share. */
export function metricShare(metric: ToolFaultMetricName, sums: Float64Array): Share | null {
  const share = (numerator: number, denominator: number): Share => ({
    numerator: sums[numerator] as number,
    denominator: sums[denominator] as number,
  });
  switch (metric) {
    case "joint_accuracy":
      return share(SUM.joint, SUM.rows);
    case "fault_accuracy":
      return { numerator: rightFaults(sums), denominator: sums[SUM.rows] as number };
    case "fault_macro_f1":
      return null;
    case "action_accuracy":
      return share(SUM.action, SUM.rows);
    case "critical_error_rate":
      return share(SUM.critical, SUM.withCritical);
    case "false_alarm_rate":
      return share(SUM.falseAlarm, SUM.hard);
    case "missed_fault_rate":
      return share(SUM.missed, SUM.faulty);
  }
}

/** The metrics in order; NaN without a denominator. */
export function metricValues(sums: Float64Array): number[] {
  return TOOLFAULT_METRICS.map((metric) => {
    const share = metricShare(metric, sums);
    return share === null ? macroF1(sums) : share.numerator / share.denominator;
  });
}

/** F1 of a fault type: 2·hits / (support + predicted), 0 for one that neither occurs nor is predicted. */
export function f1Of(hits: number, support: number, predicted: number): number {
  return support + predicted === 0 ? 0 : (2 * hits) / (support + predicted);
}

/** Mean F1 over all 13 fault types, absent ones as 0; NaN without rows. */
function macroF1(sums: Float64Array): number {
  if (sums[SUM.rows] === 0) return Number.NaN;
  let total = 0;
  for (let fault = 0; fault < CLASSES; fault++) {
    const [hits, support, predicted] = [SUM.hits, SUM.support, SUM.predicted].map(
      (at) => sums[at + fault] as number,
    ) as [number, number, number];
    total += f1Of(hits, support, predicted);
  }
  return total / CLASSES;
}

function rightFaults(sums: Float64Array): number {
  let right = 0;
  for (let fault = 0; fault < CLASSES; fault++) right += sums[SUM.hits + fault] as number;
  return right;
}
