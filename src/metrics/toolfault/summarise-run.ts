import { centredInterval } from "../../math/centred-interval.ts";
import { percentileInterval } from "../../math/percentile-interval.ts";
import { emptyRate, type Rate, rateOf, withInterval } from "../rate.ts";
import type { CompiledGold, ItemSlice } from "./compile-gold.ts";
import { FAULT_TYPES } from "./labels.ts";
import { faultConfusion, SUM } from "./metric-sums.ts";
import { f1Of, metricShare, metricValues } from "./metric-values.ts";
import type { RunAnswers } from "./run-answers.ts";
import {
  type ShareInterval,
  TOOLFAULT_METRICS,
  type ToolFaultClass,
  type ToolFaultMetricName,
  type ToolFaultRun,
  type ToolFaultSlice,
} from "./tool-fault-result.ts";
import { resampledMetrics, totalSums, unitSums } from "./unit-sums.ts";

/** How intervals are made. */
export interface IntervalSettings {
  readonly interval: ShareInterval;
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}

/** The numbers of a run that come from its answers alone. */
export type RunNumbers = Pick<ToolFaultRun, "overall" | "slices" | "classes" | "confusion">;

/** Everything about the answers of a run: overall, by slice and by fault type. */
export function summariseRun(
  gold: CompiledGold,
  answers: RunAnswers,
  slices: readonly ItemSlice[],
  settings: IntervalSettings,
): RunNumbers {
  const all = { columns: [], values: [], items: Int32Array.from(gold.ids, (_, i) => i) };
  const confusion = faultConfusion(gold, answers);
  const width = FAULT_TYPES.length + 1;
  return {
    overall: summariseSlice(gold, answers, all, settings),
    slices: slices.map((slice) => summariseSlice(gold, answers, slice, settings)),
    classes: classesOf(confusion),
    confusion: FAULT_TYPES.map((_, row) => [...confusion.subarray(row * width, (row + 1) * width)]),
  };
}

function summariseSlice(
  gold: CompiledGold,
  answers: RunAnswers,
  { columns, values, items }: ItemSlice,
  settings: IntervalSettings,
): ToolFaultSlice {
  const units = unitSums(gold, answers, items, settings.seed);
  const sums = totalSums(units);
  const [replicates = []] = resampledMetrics([units], settings.resamples, settings.seed);
  const estimates = metricValues(sums);
  const rates = TOOLFAULT_METRICS.map((metric, index): [ToolFaultMetricName, Rate] => [
    metric,
    rateOfMetric(metric, sums, estimates[index] as number, replicates[index] as Float64Array, settings),
  ]);
  return {
    columns,
    values,
    items: items.length,
    rows: sums[SUM.rows] as number,
    unparsed: sums[SUM.unparsed] as number,
    missing: sums[SUM.missing] as number,
    metrics: Object.fromEntries(rates) as Record<ToolFaultMetricName, Rate>,
  };
}

function rateOfMetric(
  metric: ToolFaultMetricName,
  sums: Float64Array,
  value: number,
  replicates: Float64Array,
  { interval, level }: IntervalSettings,
): Rate {
  const share = metricShare(metric, sums);
  if (share === null) {
    if (Number.isNaN(value)) return emptyRate("empty");
    const rate = {
      value,
      low: null,
      high: null,
      numerator: null,
      denominator: sums[SUM.rows] as number,
      reason: null,
    };
    // Resamples lack classes and so have a lower macro-F1 than the items themselves: the interval is moved back.
    return withInterval(
      rate,
      centredInterval(value, replicates, level, { low: 0, high: highestMacroF1(sums) }),
    );
  }
  const rate = rateOf(share.numerator, share.denominator, level);
  if (interval === "wilson" || rate.value === null) return rate;
  return withInterval(rate, percentileInterval(replicates, level));
}

/** What a perfect run would have: types without rows count 0. */
function highestMacroF1(sums: Float64Array): number {
  const present = FAULT_TYPES.filter((_, fault) => sums[SUM.support + fault] !== 0);
  return present.length / FAULT_TYPES.length;
}

function classesOf(confusion: Float64Array): ToolFaultClass[] {
  const width = FAULT_TYPES.length + 1;
  const count = (truth: number, answer: number): number => confusion[truth * width + answer] as number;
  return FAULT_TYPES.map((faultType, fault) => {
    const hits = count(fault, fault);
    const support = confusion
      .subarray(fault * width, (fault + 1) * width)
      .reduce((sum, rows) => sum + rows, 0);
    const predicted = FAULT_TYPES.reduce((sum, _, truth) => sum + count(truth, fault), 0);
    return {
      faultType,
      support,
      predicted,
      precision: predicted === 0 ? null : hits / predicted,
      recall: support === 0 ? null : hits / support,
      f1: f1Of(hits, support, predicted),
    };
  });
}
