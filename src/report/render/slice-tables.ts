import type { Estimate, Evaluation, EvaluationSlice } from "../evaluation.ts";
import { formatCount, formatInterval, formatNumber } from "../format-number.ts";
import { METRICS, type MetricName } from "../metric-info.ts";
import { METRIC_GROUPS } from "./metric-groups.ts";
import { NULLS } from "./null-info.ts";
import { excludedText, reasonText } from "./reason-text.ts";

/** One cell of a table of numbers. */
export interface Cell {
  /** The rounded number, or a text. */
  readonly text: string;
  /** The interval, or what else belongs in small print; empty = nothing. */
  readonly detail: string;
  /** The number to sort by in full precision; null = sort by the text. */
  readonly sort: number | null;
  /** Why there is no number; null when there is one. */
  readonly missing: string | null;
}

/** One column of a table of slices. */
export interface Column {
  readonly title: string;
  /** What it is, in a sentence. */
  readonly meaning: string;
  readonly kind: "number" | "text";
  readonly cell: (slice: EvaluationSlice) => Cell;
}

/** A table with a row for every slice. */
export interface SliceTable {
  readonly id: string;
  readonly title: string;
  /** Empty when no slice has a number in any of them. */
  readonly columns: readonly Column[];
  /** Columns that are left out because no slice has a value, with the reason. */
  readonly omitted: readonly string[];
}

/**
 * The tables of a report, one row a slice, in groups that fit a page: rows, separation, ranking, calibration, levels.
 * A metric without a number in any slice for one common reason is left out and named.
 */
export function sliceTables(evaluation: Evaluation): SliceTable[] {
  const table = (id: string, title: string, names: readonly ColumnName[]): SliceTable => {
    const left = names.filter((name) => isLeftOut(evaluation, name));
    const columns = names.filter((name) => !left.includes(name)).map((name) => columnOf(name, evaluation));
    const omitted = left
      .filter((name) => name in METRICS)
      .map((name) => `${columnOf(name, evaluation).title} (${leftOutReason(evaluation, name)})`);
    return { id, title, columns, omitted };
  };
  return [
    table("rows", "Rows", ["used", "correct", "wrong", "clusters", "excluded", "flags"]),
    ...METRIC_GROUPS.map(({ id, title, names }) => table(id, title, names)),
  ];
}

/** The few columns that answer the question, for the top of a report. */
export function summaryColumns(evaluation: Evaluation): Column[] {
  const names: readonly ColumnName[] = [
    "iou",
    "iou_null",
    "auroc",
    "accuracy",
    "reward",
    "ece",
    "ece_null",
    "used",
  ];
  return names.filter((name) => !isLeftOut(evaluation, name)).map((name) => columnOf(name, evaluation));
}

const OTHERS = {
  used: column("Rows used", "rows that the numbers rest on", ({ correct, wrong }) =>
    countCell(correct + wrong),
  ),
  correct: column("Correct", "rows that are correct", ({ correct }) => countCell(correct)),
  wrong: column("Wrong", "rows that are wrong", ({ wrong }) => countCell(wrong)),
  clusters: column("Prompts", "prompts, which are resampled as a whole", ({ clusters }) =>
    countCell(clusters),
  ),
  excluded: column("Excluded", "rows that are not used, with the reason", excludedCell),
  flags: column(
    "Flags",
    "remarks; explained below the tables",
    ({ flags }) => textCell(flags.map(({ code }) => code).join(", ")),
    "text",
  ),
  iou_null: nullColumn("iou_null", "iou", ({ iouNull }) => iouNull.mean),
  iou_p: nullColumn("iou_p", "iou", ({ iouNull }) => iouNull.pValue),
  ece_null: nullColumn("ece_null", "ece", ({ reliability }) => reliability.nullMean),
} as const;

type ColumnName = MetricName | keyof typeof OTHERS;

function columnOf(name: ColumnName, evaluation: Evaluation): Column {
  if (name === "clusters" && evaluation.columns.cluster === null) {
    return { ...OTHERS.clusters, title: "Units", meaning: "rows, which are resampled one by one" };
  }
  if (name in OTHERS) return OTHERS[name as keyof typeof OTHERS];
  const { title, meaning, unit } = METRICS[name as MetricName];
  return column(title, meaning, (slice) => estimateCell(slice, slice.metrics[name as MetricName], unit));
}

function column(
  title: string,
  meaning: string,
  cell: Column["cell"],
  kind: Column["kind"] = "number",
): Column {
  return { title, meaning, kind, cell };
}

function nullColumn(
  name: keyof typeof NULLS,
  metric: MetricName,
  read: (slice: EvaluationSlice) => number,
): Column {
  const { title, meaning } = NULLS[name];
  return column(title, meaning, (slice) => numberCell(read(slice), slice.metrics[metric].reason, slice));
}

/** Whether no slice has a number, for one common reason. */
function isLeftOut(evaluation: Evaluation, name: ColumnName): boolean {
  const slices = allSlices(evaluation);
  if (name in NULLS) {
    const { cell } = columnOf(name, evaluation);
    return slices.every((slice) => cell(slice).missing !== null);
  }
  if (!(name in METRICS)) return false;
  const estimates = slices.map(({ metrics }) => metrics[name as MetricName]);
  const reason = estimates[0]?.reason;
  return estimates.every((estimate) => Number.isNaN(estimate.value) && estimate.reason === reason);
}

function leftOutReason(evaluation: Evaluation, name: ColumnName): string {
  return reasonText(evaluation.overall.metrics[name as MetricName].reason, evaluation.overall);
}

function allSlices({ overall, slices }: Evaluation): EvaluationSlice[] {
  return [overall, ...slices];
}

function estimateCell(slice: EvaluationSlice, { value, low, high, reason }: Estimate, unit: string): Cell {
  const missing = Number.isNaN(value) ? reasonText(reason, slice) : null;
  return { text: formatNumber(value, unit), detail: formatInterval(low, high, unit), sort: value, missing };
}

function numberCell(value: number, reason: string | null, slice: EvaluationSlice): Cell {
  const missing = Number.isNaN(value) ? reasonText(reason, slice) : null;
  return { text: formatNumber(value), detail: "", sort: value, missing };
}

function countCell(value: number): Cell {
  return { text: formatCount(value), detail: "", sort: value, missing: null };
}

function textCell(text: string): Cell {
  return { text, detail: "", sort: null, missing: null };
}

/** Rows without uncertainty or correctness; rows that lack something else are used where they can be, and only named. */
function excludedCell({ rows, correct, wrong, excluded }: EvaluationSlice): Cell {
  const unused = rows - correct - wrong;
  const reasons = excludedText(excluded);
  return {
    text: formatCount(unused),
    detail: reasons === "" ? "" : `(${reasons})`,
    sort: unused,
    missing: null,
  };
}
