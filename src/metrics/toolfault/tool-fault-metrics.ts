import type { Table } from "apache-arrow";
import { checkColumns } from "../../data/check-columns.ts";
import type { Row } from "../../data/jsonl/row-value.ts";
import { plainTable } from "../../data/plain-table.ts";
import { arrowPredictionRows } from "./prediction-rows.ts";
import { createToolFaultEvaluator } from "./tool-fault-evaluator.ts";
import type { ToolFaultGold, ToolFaultPrediction, ToolFaultPredictionColumns } from "./tool-fault-item.ts";
import type { ToolFaultOptions } from "./tool-fault-options.ts";
import type { ToolFaultResult } from "./tool-fault-result.ts";

/**
 * The metrics of ToolFault-Bench (Vichare 2026; its card's table), overall and by slice, with intervals.
 *
 * | metric | share |
 * |---|---|
 * | `joint_accuracy` | fault type right and action acceptable / all |
 * | `fault_accuracy`, `action_accuracy` | / all |
 * | `fault_macro_f1` | mean F1 over all 13 fault types; one that neither occurs nor is predicted counts 0 |
 * | `critical_error_rate` | action in the critical set / items with a critical set |
 * | `false_alarm_rate` | fault type other than `none` / hard negatives |
 * | `missed_fault_rate` | predicted `none` / faulty items |
 *
 * Predictions that lack a known label in either field (and whose `output`, where there are no labels, holds no answer) are
 * `unparsed`, items without a prediction `missing`: both are wrong in every accuracy and F1, and are not `none`, so on a
 * hard negative they count as a false alarm and on a faulty item not as missed; without an action they are no critical
 * error. A share of nothing is null, with a reason. Predictions may come in any order.
 *
 * @param predictions objects with `id`, and `fault_type` and `next_action` or the model's text in `output`; other fields
 * where `run` or `repeat` name them; or an object of such columns, arrays of one length
 * @param items the dataset; only the fields of {@link ToolFaultGold} and those that are sliced by are read
 * @throws CalibrantError `data` listing ids that were predicted twice or are not in the dataset, or naming an item with an
 * unknown label; `schema` for predictions without the fields; `option` for a bad option.
 *
 * @example
 * ```ts
 * import { toolFaultMetrics } from "calibrant/metrics";
 * const items = [
 *   { id: "a", fault_type: "timeout", acceptable_next_actions: ["verify_before_retry"], critical_next_actions: ["retry_same"] },
 *   { id: "b", fault_type: "none", acceptable_next_actions: ["proceed"], critical_next_actions: [] },
 * ] as const;
 * const { runs } = toolFaultMetrics(
 *   [
 *     { id: "a", fault_type: "timeout", next_action: "retry_same" },
 *     { id: "b", output: 'Fine. {"fault_type": "none", "next_action": "proceed"}' },
 *   ],
 *   items,
 * );
 * const { joint_accuracy, fault_accuracy, critical_error_rate } = runs[0]!.overall.metrics;
 * console.log(joint_accuracy.value, fault_accuracy.value, critical_error_rate.value); // 0.5 1 1
 * ```
 */
export function toolFaultMetrics(
  predictions: readonly ToolFaultPrediction[] | ToolFaultPredictionColumns,
  items: readonly ToolFaultGold[],
  options: ToolFaultOptions = {},
): ToolFaultResult {
  const table = plainTable(predictions as readonly Row[] | ToolFaultPredictionColumns, "predictions");
  const evaluator = createToolFaultEvaluator(items, [table.found], options);
  if (!table.isEmpty) {
    const requests = checkColumns(table.found, evaluator.needs, "predictions");
    evaluator.add(table.batch(requests), "predictions");
  }
  return evaluator.finish();
}

/**
 * {@link toolFaultMetrics} of an Arrow table of predictions in any number of record batches: dictionary-encoded columns
 * are read by their codes. Arrow is loaded on the first call.
 *
 * @throws CalibrantError as {@link toolFaultMetrics}.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { toolFaultMetricsFromTable } from "calibrant/metrics";
 * const predictions = tableFromArrays({ id: ["a"], fault_type: ["timeout"], next_action: ["ask_user"] });
 * const gold = { id: "a", fault_type: "timeout", acceptable_next_actions: ["retry_same"], critical_next_actions: [] } as const;
 * const { runs } = await toolFaultMetricsFromTable(predictions, [gold]);
 * console.log(runs[0]?.overall.metrics.action_accuracy.value); // 0
 * ```
 */
export async function toolFaultMetricsFromTable(
  predictions: Table,
  items: readonly ToolFaultGold[],
  options: ToolFaultOptions = {},
): Promise<ToolFaultResult> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const found = foundArrowColumns(predictions.schema);
  const evaluator = createToolFaultEvaluator(items, [found], options);
  const requests = checkColumns(found, evaluator.needs, "predictions");
  const readRows = await arrowPredictionRows(requests, options.repeat ?? [], "predictions");
  let row = 0;
  for (const batch of predictions.batches) {
    evaluator.addRows(readRows(batch, row), "predictions");
    row += batch.numRows;
  }
  return evaluator.finish();
}
