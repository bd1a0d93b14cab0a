import { FEWEST_UNITS } from "../../math/beyond-noise.ts";
import type { Comparison } from "../evaluation.ts";
import { formatCount, formatPercent } from "../format-number.ts";
import type { MetricName } from "../metric-info.ts";
import { METRIC_GROUPS } from "./metric-groups.ts";
import { plural } from "./sentence.ts";

/** What a verdict means, and how many to expect by chance. */
export function comparisonGuide(comparisons: readonly Comparison[], level: number): string {
  const verdicts = comparisons.reduce((sum, { deltas }) => sum + Object.keys(deltas).length, 0);
  const byChance = Math.round(verdicts * (1 - level));
  const many = `With ${formatCount(verdicts)} verdicts, about ${formatCount(byChance)} would be beyond noise even if nothing differed.`;
  return [
    `A difference is beyond noise when its ${formatPercent(level)} interval leaves out 0.`,
    pairingText(comparisons),
    ...(byChance === 0 ? [] : [many]),
  ].join(" ");
}

function pairingText(comparisons: readonly Comparison[]): string {
  if (comparisons.every(({ paired }) => paired)) {
    return "The same prompts were resampled on both sides, so what a prompt adds to both cancels.";
  }
  const sides = comparisons.some(({ paired }) => paired)
    ? "Where the sides are not paired, they"
    : "The sides";
  return `${sides} were resampled apart, which makes the intervals wider than those of paired prompts.`;
}

/** How many prompts a comparison rests on. */
export function promptsText({ prompts, paired }: Comparison): string {
  if (!paired) return "Not paired by prompt.";
  const { shared, baselineOnly, candidateOnly } = prompts;
  const alone = [
    [baselineOnly, "only in the baseline"],
    [candidateOnly, "only in the candidate"],
  ] as const;
  const rest = alone.filter(([count]) => count > 0).map(([count, where]) => `${formatCount(count)} ${where}`);
  const others = rest.length === 0 ? "" : `; ${rest.join(", ")}, not used here`;
  const few = shared < FEWEST_UNITS ? ` Too few for verdicts: these need ${FEWEST_UNITS}.` : "";
  return `${plural(formatCount(shared), "shared prompt")}${others}.${few}`;
}

/** The metrics that any of the comparisons has, in the groups of the tables. */
export function comparedGroups(comparisons: readonly Comparison[]): ComparedGroup[] {
  const isCompared = (name: string): name is MetricName =>
    comparisons.some(({ deltas }) => deltas[name as MetricName] !== undefined);
  return METRIC_GROUPS.map(({ id, title, names }) => ({ id, title, names: names.filter(isCompared) })).filter(
    ({ names }) => names.length > 0,
  );
}

/** Metrics that stand in one table of comparisons. */
export interface ComparedGroup {
  readonly id: string;
  readonly title: string;
  readonly names: readonly MetricName[];
}
