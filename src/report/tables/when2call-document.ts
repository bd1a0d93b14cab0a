import type { Rate } from "../../metrics/rate.ts";
import type {
  When2CallMetrics,
  When2CallResult,
  When2CallSlice,
} from "../../metrics/when2call/when2call-result.ts";
import { ACTIONS } from "../../types.ts";
import { formatCount, formatPercent } from "../format-number.ts";
import { countCell, missingCell, shareCell, textCell } from "./cells.ts";
import { formatPercentage } from "./format-share.ts";
import type { DocumentTable, TableColumn, TableDocument, TableRow } from "./table-document.ts";

const NO_ITEMS = "no items of this kind";

type MetricColumn = TableColumn & { readonly rate: (metrics: When2CallMetrics) => Rate };

/**
 * The results of When2Call as tables: the metrics overall and by slice, the confusion matrix, and the scores of each
 * class, in percent with one decimal.
 *
 * @param facts names and values to state besides the conventions, as the files read
 *
 * @example
 * ```ts
 * import { when2callMetrics } from "calibrant/metrics";
 * import { when2callDocument } from "calibrant/report";
 * const items = [{ uuid: "q1", tools: [], correct_answer: "cannot_answer" }];
 * const { tables } = when2callDocument(when2callMetrics([{ id: "q1", label: "unable" }], items));
 * console.log(tables.map((table) => table.id).join(" "), tables.length); // metrics confusion classes 3
 * ```
 */
export function when2callDocument(
  result: When2CallResult,
  facts: readonly (readonly [name: string, value: string])[] = [],
): TableDocument {
  return {
    title: "When2Call",
    headline: headlineOf(result),
    warnings: result.warnings,
    tables: [metricsTable(result), confusionTable(result.overall), classTable(result.overall)],
    facts: [...facts, ...conventions(result)],
  };
}

function headlineOf({ overall, input }: When2CallResult): string {
  const [name, rate] =
    input === "logprobs" ? (["acc_norm", overall.accNorm] as const) : (["acc", overall.acc] as const);
  const score = shareCell(rate, NO_ITEMS);
  if (score.missing !== null) return `No ${name}: ${score.missing}.`;
  const { macroF1, macroF1Classes, items } = overall;
  return `${score.text} % ${name} and ${shareCell(macroF1).text} % macro-F1 over ${macroF1Classes.length} classes, from ${counted(items, "item")}.`;
}

function metricsTable(result: When2CallResult): DocumentTable {
  const columns = metricColumns(result);
  const row = (label: string, metrics: When2CallMetrics): TableRow => ({
    label,
    cells: [
      ...columns.map(({ rate }) => shareCell(rate(metrics), NO_ITEMS)),
      countCell(metrics.items),
      countCell(metrics.scored),
      countCell(metrics.unparsed),
      countCell(metrics.missing),
    ],
  });
  return {
    id: "metrics",
    title: result.slices.length === 0 ? "Metrics" : "Metrics overall and by slice",
    rowTitle: result.slices.length === 0 ? "Slice" : result.options.by.join(" / "),
    columns: [...columns.map(({ title, meaning }) => numberColumn(title, meaning)), ...COUNT_COLUMNS],
    rows: [row("all", result.overall), ...result.slices.map((slice) => row(sliceLabel(slice), slice))],
    notes: [
      `Percentages, each with its ${formatPercent(result.options.level)} interval: Wilson's, of the macro-F1 a bootstrap over items.`,
      "Predictions that are unparsed or missing count as wrong everywhere.",
    ],
  };
}

function metricColumns({ input, options }: When2CallResult): MetricColumn[] {
  const all = options.fdarDenominator === "all";
  const classes =
    options.classes === 4
      ? "all four classes, an absent one counting 0"
      : "the gold classes that occur (classes = 3)";
  const column = (
    title: string,
    meaning: string,
    rate: (metrics: When2CallMetrics) => Rate,
  ): MetricColumn => ({
    title,
    meaning,
    kind: "number",
    rate,
  });
  const accNorm = column(
    "Acc norm",
    "Items answered right by the largest summed log-prob a character.",
    (metrics) => metrics.accNorm,
  );
  return [
    column(
      "Acc",
      input === "logprobs"
        ? "Items answered right by the largest summed log-prob."
        : "Items answered right by the label.",
      (metrics) => metrics.acc,
    ),
    ...(input === "logprobs" ? [accNorm] : []),
    column("Macro-F1", `Mean F1 over ${classes}.`, (metrics) => metrics.macroF1),
    column(
      "Tool hall.",
      "Predicted tool_call among gold cannot_answer without tools.",
      (metrics) => metrics.toolHallucination,
    ),
    column(
      "FDAR",
      `False direct answer rate: predicted direct_answer among ${all ? "all items" : "gold tool_call"}.`,
      (metrics) => metrics.fdar,
    ),
    column(
      "Answer hall.",
      "Predicted direct_answer among gold cannot_answer.",
      (metrics) => metrics.answerHallucination,
    ),
    column(
      "Param. hall.",
      "Predicted tool_call among gold request_for_info.",
      (metrics) => metrics.paramHallucination,
    ),
  ];
}

const COUNT_COLUMNS: readonly TableColumn[] = [
  numberColumn("Items", "Number of items."),
  numberColumn("Scored", "Items that F1, hallucinations and confusion rest on."),
  numberColumn("Unparsed", "Items whose prediction could not be read."),
  numberColumn("Missing", "Items without a prediction."),
];

function confusionTable({ confusion }: When2CallMetrics): DocumentTable {
  return {
    id: "confusion",
    title: "Confusion matrix",
    rowTitle: "Gold",
    columns: [
      ...ACTIONS.map((action) => numberColumn(action, `Items predicted as ${action}.`)),
      numberColumn("unparsed", "Items whose prediction could not be read."),
      numberColumn("missing", "Items without a prediction."),
    ],
    rows: ACTIONS.map((action, gold) => ({
      label: action,
      cells: [
        ...(confusion.counts[gold] ?? []),
        confusion.unparsed[gold] ?? 0,
        confusion.missing[gold] ?? 0,
      ].map((count) => countCell(count)),
    })),
    notes: ["Rows are gold answers, columns predictions."],
  };
}

function classTable({ perClass, macroF1Classes }: When2CallMetrics): DocumentTable {
  return {
    id: "classes",
    title: "Scores by class",
    rowTitle: "Class",
    columns: [
      numberColumn("Precision", "Right among the predictions of the class, in percent."),
      numberColumn("Recall", "Right among the gold items of the class, in percent."),
      numberColumn("F1", "2·TP / (2·TP + FP + FN), in percent."),
      numberColumn("Gold", "Gold items of the class."),
      numberColumn("Predicted", "Predictions of the class."),
    ],
    rows: perClass.map((scores) => ({
      label: scores.action,
      cells: [
        shareCell(scores.precision, "never predicted"),
        shareCell(scores.recall, NO_ITEMS),
        scores.f1 === null
          ? missingCell("neither gold nor predicted")
          : textCell(formatPercentage(scores.f1)),
        countCell(scores.support),
        countCell(scores.predicted),
      ],
    })),
    notes: [`The macro-F1 averages over ${macroF1Classes.join(", ") || "no class"}.`],
  };
}

function conventions({ options, input }: When2CallResult): (readonly [string, string])[] {
  const byLength = options.decision === "acc_norm";
  return [
    ["kind of predictions", input === "logprobs" ? "log-probs of the choices" : "labels"],
    ...(input === "logprobs"
      ? ([
          [
            "decision",
            `${options.decision}: largest ${byLength ? "Σ log p / code points of the choice" : "Σ log p"}, ties to the first choice`,
          ],
          [
            "fewest tokens of a choice",
            `its code points / ${options.maxCharactersPerToken}, rounded up; checked where the number of tokens is known`,
          ],
        ] as const)
      : []),
    [
      "macro-F1 classes",
      options.classes === 4 ? "4: all, absent ones count 0" : "3: gold classes that occur",
    ],
    ["FDAR denominator", options.fdarDenominator],
    ["compatibility mode", options.compat ? "on: no rows give a tool hallucination of 0.0" : "off"],
    ["level", formatPercent(options.level)],
    ["bootstrap", `${formatCount(options.resamples)} resamples of the items, seed ${options.seed}`],
  ];
}

function sliceLabel({ values }: When2CallSlice): string {
  return Object.values(values)
    .map((value) => value ?? "(missing)")
    .join(" / ");
}

function numberColumn(title: string, meaning: string): TableColumn {
  return { title, meaning, kind: "number" };
}

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}
