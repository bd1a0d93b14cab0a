import { FEWEST_UNITS, isBeyondNoise, type JudgedDifference } from "../../math/beyond-noise.ts";
import { centredInterval } from "../../math/centred-interval.ts";
import { seededRandom } from "../../math/seeded-random.ts";
import type { IouEdges } from "../../uq/iou/iou-edges.ts";
import type { Comparison, Delta } from "../evaluation.ts";
import { formatInterval, formatNumber, formatSigned } from "../format-number.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "../metric-info.ts";
import { cellLayout } from "./cell-layout.ts";
import type { EvaluationSettings } from "./evaluation-settings.ts";
import { type MetricReplicates, resampleMetrics } from "./resample-metrics.ts";
import { type ResamplingUnits, unitsFor } from "./resampling-units.ts";
import { type SliceValue, sliceEstimates } from "./slice-estimates.ts";
import { pickRows, type SliceRows } from "./split-rows.ts";
import { unitSums } from "./unit-sums.ts";

/** A slice with its name and its metrics. */
export interface NamedRows {
  readonly label: string;
  readonly rows: SliceRows;
  readonly values: Readonly<Record<MetricName, SliceValue>>;
  /** Bandwidth of its smooth calibration error. */
  readonly bandwidth: number;
  /** Its own resamples. */
  readonly replicates: MetricReplicates;
}

/** What all comparisons of a report share. */
export interface CompareContext {
  readonly edges: IouEdges;
  readonly units: ResamplingUnits;
  readonly settings: EvaluationSettings;
}

/**
 * Compares a slice with the baseline. With a cluster column, only rows of clusters (prompts) that both have count, and
 * both sides are resampled with the same draws of them; without one, rows of each side are resampled apart.
 */
export function compareSlices(
  baseline: NamedRows,
  candidate: NamedRows,
  context: CompareContext,
): Comparison {
  const paired = context.settings.cluster !== null;
  const shared = paired ? sharedClusters(baseline.rows, candidate.rows, context.units.unitOf.length) : null;
  const [from, to] = [baseline, candidate].map((side) => comparedSide(side, shared, context)) as [Side, Side];
  const sides = [from, to] as const;
  const replicates = sideReplicates([baseline, candidate], sides, shared, context);
  // Without a cluster column every row is a unit.
  const units = shared?.shared ?? Math.min(baseline.rows.rows, candidate.rows.rows);
  const deltas: Partial<Record<MetricName, Delta>> = {};
  for (const [index, name] of METRIC_NAMES.entries()) {
    const [before, after] = [from.values[name].value, to.values[name].value];
    if (Number.isNaN(before) && Number.isNaN(after)) continue;
    const sides = { name, before, after, units, labels: [baseline.label, candidate.label] as const };
    deltas[name] = delta(sides, difference(replicates, index), context.settings.level);
  }
  const prompts = shared ?? { shared: 0, baselineOnly: 0, candidateOnly: 0 };
  return {
    baseline: baseline.label,
    candidate: candidate.label,
    paired,
    prompts: {
      shared: prompts.shared,
      baselineOnly: prompts.baselineOnly,
      candidateOnly: prompts.candidateOnly,
    },
    deltas,
  };
}

interface SharedClusters {
  /** 1 for a cluster that both sides have. */
  readonly both: Uint8Array;
  readonly shared: number;
  readonly baselineOnly: number;
  readonly candidateOnly: number;
  /** Every cluster is shared. */
  readonly complete: boolean;
}

function sharedClusters(baseline: SliceRows, candidate: SliceRows, clusters: number): SharedClusters {
  const seen = new Uint8Array(clusters);
  for (const cluster of baseline.cluster) seen[cluster] = 1;
  for (const cluster of candidate.cluster) seen[cluster] = (seen[cluster] as number) | 2;
  const counts = [0, 0, 0, 0];
  for (const sides of seen) counts[sides] = (counts[sides] as number) + 1;
  const [, baselineOnly = 0, candidateOnly = 0, shared = 0] = counts;
  const both = seen.map((sides) => (sides === 3 ? 1 : 0));
  return { both, shared, baselineOnly, candidateOnly, complete: baselineOnly + candidateOnly === 0 };
}

type Side = Omit<NamedRows, "label" | "replicates">;

function comparedSide(side: NamedRows, shared: SharedClusters | null, context: CompareContext): Side {
  if (shared === null || shared.complete) return side;
  const rows = pickRows(side.rows, inShared(side.rows, shared.both));
  const settings = { ...context.settings, permutations: 0 };
  const { values, bandwidth } = sliceEstimates(rows, context.edges, settings);
  return { rows, values, bandwidth };
}

function inShared(rows: SliceRows, both: Uint8Array): Uint8Array {
  const keep = new Uint8Array(rows.rows);
  for (let row = 0; row < rows.rows; row += 1) keep[row] = both[rows.cluster[row] as number] as number;
  return keep;
}

/** The resamples of both sides: those that the slices have where they drew the same clusters, else new ones. */
function sideReplicates(
  slices: readonly [NamedRows, NamedRows],
  sides: readonly [Side, Side],
  shared: SharedClusters | null,
  context: CompareContext,
): readonly MetricReplicates[] {
  if (context.settings.resamples === 0) return [];
  if (shared === null) return apartReplicates(sides, context);
  if (shared.complete) return slices.map((slice) => slice.replicates);
  return pairedReplicates(sides, { ...context, units: unitsFor(shared.shared, context.units) });
}

/** The same draws of the same clusters for both sides: units that neither side has are left out. */
function pairedReplicates(
  sides: readonly [Side, Side],
  { edges, units, settings }: CompareContext,
): readonly MetricReplicates[] {
  const present = new Int32Array(units.units).fill(-1);
  for (const { rows } of sides) {
    for (const cluster of rows.cluster) present[units.unitOf[cluster] as number] = 0;
  }
  let count = 0;
  for (let unit = 0; unit < present.length; unit += 1) if (present[unit] === 0) present[unit] = count++;
  const unitOf = units.unitOf.map((unit) => present[unit] as number);
  const sums = sides.map((side) =>
    unitSums(side.rows, layoutOf(side, edges, settings), unitOf, count, "all"),
  );
  return resampleMetrics(sums, settings.resamples, settings.seed);
}

function apartReplicates(
  sides: readonly [Side, Side],
  { edges, units, settings }: CompareContext,
): readonly MetricReplicates[] {
  const seeds = seededRandom(settings.seed);
  return sides.flatMap((side) => {
    const sums = unitSums(side.rows, layoutOf(side, edges, settings), units.unitOf, units.units, "present");
    return resampleMetrics([sums], settings.resamples, Math.floor(seeds() * 2 ** 32));
  });
}

function layoutOf(
  { rows, bandwidth }: Side,
  edges: IouEdges,
  settings: EvaluationSettings,
): ReturnType<typeof cellLayout> {
  const { eceBins, normalize, scale } = settings;
  return cellLayout(rows, edges.edges, { eceBins, normalize, logAxis: scale === "log", bandwidth });
}

function difference([baseline, candidate]: readonly MetricReplicates[], index: number): Float64Array {
  const from = baseline?.[index] ?? new Float64Array(0);
  const to = candidate?.[index] ?? new Float64Array(0);
  return to.map((value, i) => value - (from[i] as number));
}

const ANYTHING = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

interface DeltaSides {
  readonly name: MetricName;
  readonly before: number;
  readonly after: number;
  /** Independent units behind the interval. */
  readonly units: number;
  /** Names of the baseline and of the candidate. */
  readonly labels: readonly [string, string];
}

function delta(sides: DeltaSides, replicates: Float64Array, level: number): Delta {
  const { before: baseline, after: candidate, units } = sides;
  const value = candidate - baseline;
  const { low, high } = centredInterval(value, replicates, level, ANYTHING);
  const whole = {
    baseline,
    candidate,
    value,
    low,
    high,
    verdict: verdictOf({ baseline, candidate, low, high, units }),
  };
  return { ...whole, sentence: deltaSentence(sides, whole) };
}

function verdictOf(difference: JudgedDifference): Delta["verdict"] {
  const beyond = isBeyondNoise(difference);
  if (beyond === null) return "undetermined";
  return beyond ? "beyond noise" : "not beyond noise";
}

function deltaSentence(
  { name, units, labels: [from, to] }: DeltaSides,
  delta: Omit<Delta, "sentence">,
): string {
  const { title, better, unit } = METRICS[name];
  const values = `${formatNumber(delta.baseline, unit)} to ${formatNumber(delta.candidate, unit)}`;
  const change = `${title} of ${to} against ${from}: ${values}`;
  if (Number.isNaN(delta.low)) return `${change}; no interval, so nothing can be said.`;
  const interval = `Δ ${formatSigned(delta.value, unit)} ${formatInterval(delta.low, delta.high, unit)}`;
  if (delta.verdict === "undetermined") {
    return `${change}, ${interval}: no verdict from ${units} independent ${units === 1 ? "unit" : "units"}, fewer than ${FEWEST_UNITS}.`;
  }
  if (delta.verdict === "not beyond noise") return `${change}, ${interval}: not beyond noise.`;
  const improved = better !== null && (better === "higher") === delta.value > 0;
  const direction = better === null ? "" : improved ? ", better" : ", worse";
  return `${change}, ${interval}: beyond noise${direction}.`;
}
