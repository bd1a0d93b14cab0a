import type { Evaluation } from "../evaluation.ts";
import { formatCount, formatNumber, formatPercent } from "../format-number.ts";
import { METRIC_NAMES, METRICS, type MetricInfo } from "../metric-info.ts";
import { NULLS } from "./null-info.ts";

/** The sentence that every report owes its reader. */
export const SEPARATION_NOTE: string =
  "Calibration IoU measures how well uncertainty separates correct from wrong answers. Like AUROC, it does not change when the uncertainty is put through any monotone map, so it says nothing about whether a stated confidence of 0.8 is right 80% of the time: that is what ECE, smooth ECE, Brier and NLL measure.";

/** What a number in the report rests on: a name and what it is. */
export interface MethodFact {
  readonly name: string;
  readonly value: string;
}

/** How the report was computed, in the words of its reader. */
export function methodFacts(evaluation: Evaluation): MethodFact[] {
  const { columns, iou, inputs, version, seed } = evaluation;
  const facts: readonly (readonly [string, string | null])[] = [
    ["Input", inputs.length === 0 ? null : inputs.join(", ")],
    ["Uncertainty", columns.uncertainty],
    ["Correctness", columns.correct],
    ["Confidence", `${columns.confidence} (for ECE, smooth ECE, Brier, NLL and the reliability diagram)`],
    ["Slices by", columns.by.length === 0 ? "nothing: all rows together" : columns.by.join(", ")],
    ["Other columns", columns.also.length === 0 ? null : columns.also.join(", ")],
    ["Row weights", columns.weight ?? "none: every row counts 1"],
    ["Intervals", intervalsText(evaluation)],
    ["Null of the IoU", nullText(evaluation)],
    [
      "IoU",
      `${iouMethod(evaluation)}, ${iou.normalize === "count" ? "on row counts" : "each class with an area of 1"}`,
    ],
    ["IoU bins", binsText(evaluation)],
    ["ECE bins", eceBinsText(evaluation)],
    ["Seed", String(seed)],
    ["Program", `calibrant ${version}, schema ${evaluation.schema}`],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

function intervalsText({ resamples, level, columns }: Evaluation): string {
  if (resamples === 0) return "none (0 resamples)";
  const unit = columns.cluster === null ? "rows" : `whole groups of rows with one ${columns.cluster}`;
  return `${formatPercent(level)}, from ${formatCount(resamples)} bootstrap resamples of ${unit}`;
}

function nullText({ permutations, columns }: Evaluation): string {
  const { cluster } = columns;
  const dependence =
    cluster === null
      ? ""
      : `, as if rows of one ${cluster} were independent: where they are alike, p is too small`;
  return permutations === 0
    ? "not computed (0 permutations)"
    : `${formatCount(permutations)} permutations of the labels of single rows${dependence}`;
}

function iouMethod({ iou }: Evaluation): string {
  if (iou.method === "ks") return "from the Kolmogorov–Smirnov distance (an upper bound of the overlap)";
  return iou.method === "kde" ? "kernel densities" : "histograms over shared bins";
}

function binsText({ iou }: Evaluation): string {
  const first = iou.edges[0];
  const last = iou.edges.at(-1);
  if (first === undefined || last === undefined) return iou.edgesFrom;
  const axis = iou.scale === "log" ? "ln of the uncertainty" : "uncertainty";
  return `${iou.edgesFrom}; ${axis} from ${formatNumber(first, "nats")} to ${formatNumber(last, "nats")}; infinite values are in a cell of their own`;
}

function eceBinsText({ overall }: Evaluation): string | null {
  const bins = overall.reliability.edges.length - 1;
  return bins < 1 ? null : `${bins} on [0, 1]`;
}

/** The definition of a number of the tables. */
export interface Definition extends MetricInfo {
  /** Where it is in the JSON, below a slice; the name that `--fail-if` uses for metrics. */
  readonly name: string;
}

/** All numbers of the tables; a unit of perplexity only where the uncertainty is one. */
export function definitions({ iou }: Evaluation): Definition[] {
  const metrics = METRIC_NAMES.map((name) => {
    const info = METRICS[name];
    const own = iou.scale === "identity" && (name === "ppl_correct" || name === "ppl_wrong");
    return { name, ...info, unit: own ? "that of the uncertainty" : info.unit };
  });
  return [...metrics, ...Object.values(NULLS).map(({ path, ...info }) => ({ name: path, ...info }))];
}
