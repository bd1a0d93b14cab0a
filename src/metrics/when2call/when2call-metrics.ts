import type { Table } from "apache-arrow";
import { checkColumns } from "../../data/check-columns.ts";
import { plainTable } from "../../data/plain-table.ts";
import type { When2CallPrediction } from "./prediction-reader.ts";
import { when2callItems } from "./when2call-items.ts";
import type { When2CallOptions } from "./when2call-options.ts";
import type { When2CallResult } from "./when2call-result.ts";
import { createWhen2CallScorer } from "./when2call-scorer.ts";

/** Rows of the dataset, or items that were read from them. */
export type When2CallRows = readonly Readonly<Record<string, unknown>>[];

/**
 * The metrics of When2Call (Ross et al. 2025, with FDAR of TRUST's Table 1) from labels, a judge's texts or log-probs of
 * the four choices.
 *
 * - acc: argmax Σ log p; acc_norm: argmax Σ log p / Unicode code points of the choice's text, the convention of
 *   lm-evaluation-harness. Ties go to the first choice in the published order. Labels have acc only.
 * - macro-F1 over the gold classes that occur, or over all four: see `classes`.
 * - A prediction that cannot be read, or is missing, is wrong everywhere and counted. An item whose log-probs cover fewer
 *   tokens than a choice's text plausibly has gets no score.
 *
 * O(items + predictions), and 20 draws a resample for each slice.
 *
 * @param predictions objects, or an object of columns (arrays of one length)
 * @param items rows of the dataset, or what `when2callItems` made of them
 * @throws CalibrantError `data`, once, listing every id that was predicted twice or is no item's, or naming the row of a
 * bad value; `schema` for missing or mistyped columns; `option` for a bad option.
 *
 * @example
 * ```ts
 * import { when2callMetrics } from "calibrant/metrics";
 * const items = [
 *   { uuid: "q1", tools: [], correct_answer: "cannot_answer" },
 *   { uuid: "q2", tools: ['{"name": "weather"}'], correct_answer: "tool_call" },
 * ];
 * const predictions = [{ id: "q1", label: "tool_call" }, { id: "q2", label: "tool_call" }];
 * const { overall } = when2callMetrics(predictions, items);
 * console.log(overall.acc.value, overall.macroF1.value?.toFixed(3), overall.toolHallucination.value); // 0.5 0.333 1
 * ```
 */
export function when2callMetrics(
  predictions: readonly When2CallPrediction[] | When2CallPredictionColumns,
  items: When2CallRows,
  options: When2CallOptions = {},
): When2CallResult {
  const table = plainTable(predictions as When2CallRows | When2CallPredictionColumns, "predictions");
  const scorer = createWhen2CallScorer(when2callItems(items), table.isEmpty ? [] : [table.found], options);
  if (table.isEmpty) return scorer.finish();
  scorer.add(table.batch(checkColumns(table.found, scorer.needs, "predictions")));
  return scorer.finish();
}

/** Predictions by column, arrays of one length. */
export type When2CallPredictionColumns = Readonly<Record<string, ArrayLike<unknown> | undefined>> & {
  readonly id: ArrayLike<unknown>;
};

/**
 * {@link when2callMetrics} over an Arrow table of predictions, in any number of record batches. Arrow is loaded on the
 * first call.
 *
 * @throws CalibrantError as {@link when2callMetrics}.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { when2callMetricsFromTable } from "calibrant/metrics";
 * const items = [{ uuid: "q1", tools: [], correct_answer: "cannot_answer" }];
 * const table = tableFromArrays({ id: ["q1"], label: ["direct"] });
 * const { overall } = await when2callMetricsFromTable(table, items, { fdarDenominator: "all" });
 * console.log(overall.fdar.value, overall.answerHallucination.value); // 1 1
 * ```
 */
export async function when2callMetricsFromTable(
  predictions: Table,
  items: When2CallRows,
  options: When2CallOptions = {},
): Promise<When2CallResult> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const found = foundArrowColumns(predictions.schema);
  const scorer = createWhen2CallScorer(when2callItems(items), [found], options);
  const requests = checkColumns(found, scorer.needs, "predictions");
  let row = 0;
  for (const batch of predictions.batches) {
    scorer.add(batchFromArrow(batch, requests, "predictions", row));
    row += batch.numRows;
  }
  return scorer.finish();
}
