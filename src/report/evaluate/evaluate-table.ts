import type { Table } from "apache-arrow";
import { checkColumns } from "../../data/check-columns.ts";
import type { RolloutBatch } from "../../data/columns.ts";
import type { Evaluation } from "../evaluation.ts";
import type { EvaluationOptions } from "../evaluation-options.ts";
import { createEvaluator } from "./evaluator.ts";

/**
 * Evaluates an Arrow table of scored rollouts, in any number of record batches: the numbers and pictures of
 * `calibrant report`. Arrow is loaded on the first call.
 *
 * @throws CalibrantError `schema` listing missing or mistyped columns, `option` for a bad option, `data` for a value
 * that a column cannot have.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { evaluateTable } from "calibrant/report";
 * const table = tableFromArrays({ ppl: [1.1, 1.2, 2.5, 3.1], correct: Uint8Array.of(1, 1, 0, 0) });
 * const { overall } = await evaluateTable(table, { resamples: 0, permutations: 0 });
 * console.log(overall.metrics.iou.value, overall.metrics.auroc.value); // 0 1
 * ```
 */
export async function evaluateTable(table: Table, options: EvaluationOptions = {}): Promise<Evaluation> {
  const { foundArrowColumns } = await import("../../data/arrow/arrow-types.ts");
  const { batchFromArrow } = await import("../../data/arrow/arrow-columns.ts");
  const found = foundArrowColumns(table.schema);
  const evaluator = createEvaluator([found], options);
  const requests = checkColumns(found, evaluator.needs, "table");
  let row = 0;
  for (const batch of table.batches) {
    evaluator.add(batchFromArrow(batch, requests, "table", row), "table");
    row += batch.numRows;
  }
  return evaluator.finish();
}

/**
 * Evaluates batches of rollouts that are in memory already, as `batchFromArrow` and `batchFromRows` make them.
 *
 * @param batches with the same columns in each
 * @param name what the report calls their source; default `batches`
 * @throws CalibrantError as {@link evaluateTable}.
 */
export function evaluateBatches(
  batches: readonly RolloutBatch[],
  options: EvaluationOptions = {},
  name: string = "batches",
): Evaluation {
  const found = [...(batches[0]?.columns ?? [])].map(([title, column]) => ({
    name: title,
    type: column.kind,
    kinds: [column.kind],
  }));
  const evaluator = createEvaluator([found], options);
  checkColumns(found, evaluator.needs, name);
  for (const batch of batches) evaluator.add(batch, name);
  return evaluator.finish();
}
