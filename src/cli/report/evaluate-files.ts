import type { ColumnRenames } from "../../data/check-columns.ts";
import type { ColumnNeeds, FoundColumn } from "../../data/columns.ts";
import type { Evaluation } from "../../report/evaluation.ts";
import { checkInputs, taskSource } from "../input/check-inputs.ts";
import { inputTasks } from "../input/input-tasks.ts";
import { inspectInput } from "../input/inspect-input.ts";
import type { Progress } from "../input/progress.ts";
import { readTask } from "../input/read-task.ts";
import { renamedColumns } from "../input/renamed-columns.ts";
import { openRunInputs } from "../input/run-input.ts";
import type { ReportOptions } from "./report-options.ts";

/** What is read and computed. */
export type EvaluateOptions = Pick<ReportOptions, "files" | "from" | "columns" | "evaluation">;

/** Is told how far the work is. */
export type EvaluateProgress = Pick<Progress, "add" | "stage">;

/**
 * Reads all inputs once and computes their report. Columns are checked before any row is read.
 *
 * @throws CalibrantError for an input that cannot be read, missing or mistyped columns, or an option that does not fit.
 */
export async function evaluateFiles(
  options: EvaluateOptions,
  progress: EvaluateProgress,
): Promise<Evaluation> {
  const { columns } = options;
  const inputs = await openRunInputs(options.files, options.from);
  const found: FoundColumn[][] = [];
  for (const input of inputs) found.push(await inspectInput(input));
  const { createEvaluator } = await import("../../report/evaluate/evaluator.ts");
  const known = found.map((one) => renamedColumns(one, columns));
  const evaluator = createEvaluator(known, options.evaluation);
  const renames = asked(columns, evaluator.needs, found);
  const checked = checkInputs(inputs, found, evaluator.needs, renames);
  const sources = checked.map((input) => taskSource(input, evaluator.needs, renames));
  for await (const task of inputTasks(inputs, sources)) {
    for await (const { batch } of readTask(task)) {
      evaluator.add(batch, task.source.name);
      progress.add(batch.rows);
    }
  }
  return evaluator.finish((stage) => progress.stage(stage));
}

/** Without the columns that are there and were hidden from the evaluator (`group_id=`): it does not ask for them. */
function asked(
  renames: ColumnRenames,
  needs: ColumnNeeds,
  found: readonly (readonly FoundColumn[])[],
): ColumnRenames {
  const needed = new Set([...needs.required.flat(), ...needs.optional].map((request) => request.name));
  const there = new Set(found.flat().map((column) => column.name));
  return new Map(
    [...renames].filter(([name, source]) => source !== "" || needed.has(name) || !there.has(name)),
  );
}
