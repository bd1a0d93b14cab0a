import { isBeyondNoise } from "../../math/beyond-noise.ts";
import { centredInterval } from "../../math/centred-interval.ts";
import { percentileInterval } from "../../math/percentile-interval.ts";
import { mcnemarExact } from "../mcnemar.ts";
import type { CompiledGold } from "./compile-gold.ts";
import { metricValues } from "./metric-values.ts";
import { rightAction, rightFault } from "./right-answer.ts";
import type { PredictedRun } from "./run-store.ts";
import type { IntervalSettings } from "./summarise-run.ts";
import {
  TOOLFAULT_METRICS,
  type ToolFaultComparison,
  type ToolFaultDifference,
  type ToolFaultMetricName,
} from "./tool-fault-result.ts";
import { resampledMetrics, totalSums, unitSums } from "./unit-sums.ts";

/** Differences of a run to the baseline over the same items: both take every resample of items together. */
export function compareRuns(
  gold: CompiledGold,
  baseline: PredictedRun,
  candidate: PredictedRun,
  { level, resamples, seed }: IntervalSettings,
): ToolFaultComparison {
  const all = Int32Array.from(gold.ids, (_, i) => i);
  const sides = [baseline, candidate].map((run) => unitSums(gold, run, all, seed));
  const [before = [], after = []] = sides.map((side) => metricValues(totalSums(side)));
  const [drawnBefore = [], drawnAfter = []] = resampledMetrics(sides, resamples, seed);
  const differences = TOOLFAULT_METRICS.map((metric, index): [ToolFaultMetricName, ToolFaultDifference] => {
    const was = drawnBefore[index] as Float64Array;
    const replicates = (drawnAfter[index] as Float64Array).map((value, i) => value - (was[i] as number));
    const pair = { baseline: before[index] as number, candidate: after[index] as number };
    // Resamples lack fault types, which lowers macro-F1, and the better run's by more: the interval is moved back.
    const interval =
      metric === "fault_macro_f1"
        ? centredInterval(pair.candidate - pair.baseline, replicates, level, { low: -1, high: 1 })
        : percentileInterval(replicates, level);
    return [metric, difference(pair, interval, all.length)];
  });
  return {
    baseline: baseline.name,
    candidate: candidate.name,
    metrics: Object.fromEntries(differences) as Record<ToolFaultMetricName, ToolFaultDifference>,
    joint: baseline.repeats === 1 && candidate.repeats === 1 ? jointTest(gold, baseline, candidate) : null,
  };
}

function difference(
  pair: { readonly baseline: number; readonly candidate: number },
  { low, high }: { readonly low: number; readonly high: number },
  units: number,
): ToolFaultDifference {
  const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
  return {
    value: orNull(pair.candidate - pair.baseline),
    low: orNull(low),
    high: orNull(high),
    beyondNoise: isBeyondNoise({ ...pair, low, high, units }),
  };
}

function jointTest(
  gold: CompiledGold,
  baseline: PredictedRun,
  candidate: PredictedRun,
): ToolFaultComparison["joint"] {
  let onlyBaseline = 0;
  let onlyCandidate = 0;
  for (let item = 0; item < gold.ids.length; item++) {
    const before = isRight(gold, item, baseline.codes[item] as number);
    const after = isRight(gold, item, candidate.codes[item] as number);
    if (before && !after) onlyBaseline += 1;
    if (after && !before) onlyCandidate += 1;
  }
  return { onlyBaseline, onlyCandidate, pValue: mcnemarExact(onlyBaseline, onlyCandidate) };
}

function isRight(gold: CompiledGold, item: number, code: number): boolean {
  return rightFault(gold, item, code) && rightAction(gold, item, code);
}
