import type { ColumnRenames } from "../../data/check-columns.ts";
import type { ColumnNeeds, FoundColumn, RolloutBatch } from "../../data/columns.ts";
import { checkInputs, taskSource } from "./check-inputs.ts";
import { inputTasks } from "./input-tasks.ts";
import { inspectInput } from "./inspect-input.ts";
import type { Progress } from "./progress.ts";
import { readTask } from "./read-task.ts";
import { renamedColumns } from "./renamed-columns.ts";
import { openRunInputs } from "./run-input.ts";

/** Inputs whose columns are known and whose rows are not read yet. */
export interface OpenBatches {
  /** The columns of each input. */
  readonly found: readonly (readonly FoundColumn[])[];
  /** The same under the names that `--columns` gives them. */
  readonly renamed: readonly (readonly FoundColumn[])[];
  /**
   * Reads all rows in order, once.
   *
   * @throws CalibrantError `schema` before any row is read when columns are missing or mistyped.
   */
  read(needs: ColumnNeeds): AsyncGenerator<{ readonly batch: RolloutBatch; readonly file: string }>;
}

/**
 * Opens the files of a command (JSONL, JSON, Arrow, Parquet; globs; `-` is standard input) to read some of their columns.
 *
 * @param from - the adapter to read them through, or null.
 * @throws CalibrantError `io` or `data` for an input that cannot be read.
 */
export async function openBatches(
  files: readonly string[],
  renames: ColumnRenames = new Map(),
  progress?: Pick<Progress, "add">,
  from: string | null = null,
): Promise<OpenBatches> {
  const inputs = await openRunInputs(files, from);
  const found: FoundColumn[][] = [];
  for (const input of inputs) found.push(await inspectInput(input));
  return {
    found,
    renamed: found.map((columns) => renamedColumns(columns, renames)),
    async *read(needs) {
      const checked = checkInputs(inputs, found, needs, renames);
      const sources = checked.map((input) => taskSource(input, needs, renames));
      for await (const task of inputTasks(inputs, sources)) {
        for await (const { batch } of readTask(task)) {
          progress?.add(batch.rows);
          yield { batch, file: task.source.name };
        }
      }
    },
  };
}
