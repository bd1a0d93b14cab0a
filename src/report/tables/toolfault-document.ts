import { FAULT_TYPES } from "../../metrics/toolfault/labels.ts";
import {
  TOOLFAULT_METRICS,
  type ToolFaultComparison,
  type ToolFaultMetricName,
  type ToolFaultResult,
  type ToolFaultRun,
  type ToolFaultSlice,
} from "../../metrics/toolfault/tool-fault-result.ts";
import { formatCount, formatPercent } from "../format-number.ts";
import { countCell, missingCell, pointsCell, shareCell, textCell } from "./cells.ts";
import { formatShare } from "./format-share.ts";
import type { DocumentTable, TableCell, TableColumn, TableDocument, TableRow } from "./table-document.ts";

/** Head and meaning of each metric, as the card prints them. */
const COLUMNS: Readonly<
  Record<ToolFaultMetricName, readonly [title: string, meaning: string, empty: string]>
> = {
  joint_accuracy: ["joint", "fault type right and action acceptable, % of all", "no items"],
  fault_accuracy: ["fault acc", "fault type right, % of all", "no items"],
  fault_macro_f1: ["fault macro-F1", "mean F1 over the 13 fault types in %, absent ones as 0", "no items"],
  action_accuracy: ["action acc", "action acceptable, % of all", "no items"],
  critical_error_rate: [
    "critical err ↓",
    "action in the critical set, % of the items that have one; lower is better",
    "no item has a critical set",
  ],
  false_alarm_rate: [
    "false alarm ↓",
    "answers other than none, % of the hard negatives; lower is better",
    "no hard negatives",
  ],
  missed_fault_rate: [
    "missed fault ↓",
    "answered none, % of the faulty items; lower is better",
    "no faulty items",
  ],
};

/** Pairs of fault types that a report lists. */
const MOST_CONFUSIONS = 10;

/** What the tables of a result show. */
export interface ToolFaultDocumentOptions {
  /** Only the table of runs, with the columns of the card, and differences where a baseline was named. Default false. */
  readonly brief?: boolean;
  /** Names and values to state besides the conventions, as the command. */
  readonly facts?: TableDocument["facts"];
}

/** The tables of a result of ToolFault-Bench: runs in the columns and order of its card, differences, slices, fault types. */
export function toolFaultDocument(
  result: ToolFaultResult,
  { brief = false, facts = [] }: ToolFaultDocumentOptions = {},
): TableDocument {
  const details = brief
    ? []
    : [...sliceTables(result), ...result.runs.flatMap((run) => classTables(result, run))];
  return {
    title: "ToolFault-Bench",
    headline: headline(result),
    warnings: result.runs.flatMap((run) => runWarnings(result, run)).concat(promptWarnings(result)),
    tables: [runTable(result), ...comparisonTables(result), ...details],
    facts: [...conventions(result), ...facts],
  };
}

/** The name of a run as a reader sees it. */
function nameOf(run: Pick<ToolFaultRun, "name">): string {
  return run.name.join(" / ");
}

function headline({ runs }: ToolFaultResult): string {
  const [run] = runs;
  if (run === undefined || runs.length > 1) return "";
  const { numerator, denominator } = run.overall.metrics.joint_accuracy;
  if (numerator === null) return "";
  return `Fault and action right for ${formatCount(numerator)} of ${formatCount(denominator)} (${formatShare(numerator, denominator)}%).`;
}

function runTable({ runs, runColumns }: ToolFaultResult): DocumentTable {
  return {
    id: "runs",
    title: "Results",
    rowTitle: runColumns.length === 0 ? "run" : runColumns.join(" / "),
    columns: [
      ...metricColumns(),
      column("unparsed", "rows whose answer could not be read; wrong everywhere"),
      column("missing", "rows without a prediction; wrong everywhere"),
    ],
    rows: runs.map((run) => ({
      label: run.repeats === 1 ? nameOf(run) : `${nameOf(run)} (${formatCount(run.repeats)} repeats)`,
      cells: [...metricCells(run.overall), countCell(run.overall.unparsed), countCell(run.overall.missing)],
    })),
    notes: ["Percentages; intervals in brackets."],
  };
}

function metricColumns(): TableColumn[] {
  return TOOLFAULT_METRICS.map((metric) => column(COLUMNS[metric][0], COLUMNS[metric][1]));
}

function column(title: string, meaning: string): TableColumn {
  return { title, meaning, kind: "number" };
}

function metricCells({ metrics }: Pick<ToolFaultSlice, "metrics">): TableCell[] {
  return TOOLFAULT_METRICS.map((metric) => shareCell(metrics[metric], COLUMNS[metric][2]));
}

function comparisonTables({ comparisons, level }: ToolFaultResult): DocumentTable[] {
  const [first] = comparisons;
  if (first === undefined) return [];
  return [
    {
      id: "differences",
      title: `Differences to ${first.baseline.join(" / ")}`,
      rowTitle: "run",
      columns: [
        ...metricColumns(),
        column("joint p", "exact McNemar test of fault and action right on the same items"),
      ],
      rows: comparisons.map(comparisonRow),
      notes: [
        `Percentage points with ${formatPercent(level)} intervals of a paired bootstrap over items; * where the interval leaves out 0.`,
      ],
    },
  ];
}

function comparisonRow({ candidate, metrics, joint }: ToolFaultComparison): TableRow {
  const cells = TOOLFAULT_METRICS.map((metric) => {
    const { beyondNoise, ...difference } = metrics[metric];
    const cell = pointsCell(
      { ...difference, reason: difference.value === null ? "empty" : null },
      COLUMNS[metric][2],
    );
    return beyondNoise === true ? { ...cell, text: `${cell.text}*` } : cell;
  });
  const p = joint === null ? missingCell("items were repeated") : pValueCell(joint.pValue);
  return { label: candidate.join(" / "), cells: [...cells, p] };
}

function pValueCell(pValue: number): TableCell {
  return { text: pValue < 0.001 ? "<0.001" : pValue.toFixed(3), detail: "", sort: pValue, missing: null };
}

/** A table for each way to slice. */
function sliceTables({ runs }: ToolFaultResult): DocumentTable[] {
  const ways = [...new Set(runs[0]?.slices.map(({ columns }) => columns.join(", ")) ?? [])];
  const many = runs.length > 1;
  return ways.map((way, index) => ({
    id: `slices-${index + 1}`,
    title: `By ${way}`,
    rowTitle: many ? `run: ${way}` : way,
    columns: [column("items", "items of the dataset in the slice"), ...metricColumns()],
    rows: runs.flatMap((run) =>
      run.slices
        .filter(({ columns }) => columns.join(", ") === way)
        .map((slice) => ({
          label: `${many ? `${nameOf(run)}: ` : ""}${slice.values.join(", ")}`,
          cells: [countCell(slice.items), ...metricCells(slice)],
        })),
    ),
    notes: [
      "Fault macro-F1 counts a fault type that a slice lacks as 0: with k types in it, it is at most k/13.",
    ],
  }));
}

function classTables({ runs }: ToolFaultResult, run: ToolFaultRun): DocumentTable[] {
  const of = runs.length > 1 ? ` of ${nameOf(run)}` : "";
  const suffix = runs.length > 1 ? `-${runs.indexOf(run) + 1}` : "";
  const share = (value: number | null, empty: string): TableCell =>
    shareCell({ value, low: null, high: null, numerator: null, denominator: 0, reason: "empty" }, empty);
  const classes: DocumentTable = {
    id: `fault-types${suffix}`,
    title: `Fault types${of}`,
    rowTitle: "fault type",
    columns: [
      column("rows", "rows of that type"),
      column("predicted", "rows for which it was predicted"),
      column("precision", "right among the predicted, %"),
      column("recall", "right among the rows, %"),
      column("F1", "2 · right / (rows + predicted), %; 0 for a type that does not occur"),
    ],
    rows: run.classes.map(({ faultType, support, predicted, precision, recall, f1 }) => ({
      label: faultType,
      cells: [
        countCell(support),
        countCell(predicted),
        share(precision, "never predicted"),
        share(recall, "no rows"),
        share(f1, ""),
      ],
    })),
    notes: [],
  };
  const confusions = confusionRows(run);
  if (confusions.length === 0) return [classes];
  const confused: DocumentTable = {
    id: `confusions${suffix}`,
    title: `Most frequent confusions${of}`,
    rowTitle: "fault type",
    columns: [
      { title: "answered", meaning: "the fault type that was predicted instead", kind: "text" },
      column("rows", "how often"),
    ],
    rows: confusions,
    notes: [],
  };
  return [classes, confused];
}

function confusionRows({ confusion }: ToolFaultRun): TableRow[] {
  const answers = [...FAULT_TYPES, "(no readable answer)"];
  return FAULT_TYPES.flatMap((truth, t) =>
    answers.flatMap((answer, p) => {
      const count = confusion[t]?.[p] ?? 0;
      return t === p || count === 0 ? [] : [{ truth, answer, count }];
    }),
  )
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_CONFUSIONS)
    .map(({ truth, answer, count }) => ({ label: truth, cells: [textCell(answer), countCell(count)] }));
}

function runWarnings({ runs }: ToolFaultResult, run: ToolFaultRun): string[] {
  const { unparsed, missing, rows } = run.overall;
  const of = runs.length > 1 ? `${nameOf(run)}: ` : "";
  const warnings: string[] = [];
  if (unparsed > 0)
    warnings.push(
      `${of}${formatCount(unparsed)} of ${formatCount(rows)} answers could not be read and count as wrong.`,
    );
  if (missing > 0)
    warnings.push(
      `${of}${formatCount(missing)} of ${formatCount(rows)} rows have no prediction and count as wrong.`,
    );
  if (run.unknownLabels.length > 0) {
    const labels = run.unknownLabels.map(([label, count]) => `${label} (${formatCount(count)})`).join(", ");
    warnings.push(`${of}unknown labels were predicted: ${labels}.`);
  }
  return warnings;
}

function promptWarnings({ runs }: ToolFaultResult): string[] {
  const hashes = new Set(runs.flatMap(({ promptHashes }) => promptHashes));
  if (hashes.size < 2) return [];
  return [
    "The predictions come from different prompts, so the runs are not comparable: see their hashes below.",
  ];
}

function conventions({
  items,
  hardNegatives,
  itemsHash,
  runs,
  level,
  resamples,
  seed,
}: ToolFaultResult): TableDocument["facts"] {
  const intervals = [...new Set(runs.map(({ interval }) => interval))];
  const hashes = runs.flatMap((run) =>
    run.promptHashes.map((hash) => [`prompt of ${nameOf(run)}`, hash] as const),
  );
  return [
    ["items", formatCount(items)],
    ["hard negatives", formatCount(hardNegatives)],
    ...(itemsHash === null ? [] : [["SHA-256 of the gold labels", itemsHash] as const]),
    ["intervals of shares", `${intervals.join(", ")}, level ${formatPercent(level)}`],
    ["interval of macro-F1", `bootstrap over items, ${formatCount(resamples)} resamples, seed ${seed}`],
    ...hashes,
  ];
}
