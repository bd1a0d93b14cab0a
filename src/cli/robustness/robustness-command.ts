import type { ColumnRenames } from "../../data/check-columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { withNumberKeys } from "../../data/number-keys.ts";
import { CalibrantError } from "../../errors.ts";
import { createRobustness } from "../../metrics/robustness/create-robustness.ts";
import type { RobustnessOptions } from "../../metrics/robustness/robustness-options.ts";
import type { RobustnessResult } from "../../metrics/robustness/robustness-result.ts";
import { createProgress, type Progress } from "../input/progress.ts";
import { openBatches } from "../input/read-batches.ts";
import { type TableOutputFlags, tableOutputOptions } from "../tables/table-output-options.ts";

/** Everything `calibrant robustness` was asked to do. */
export interface RobustnessCommandOptions {
  readonly files: readonly string[];
  readonly columns: ColumnRenames;
  readonly robustness: RobustnessOptions;
  readonly output: TableOutputFlags;
  /** The command as it was typed, quoted for a shell. */
  readonly command: string;
}

/**
 * Runs `calibrant robustness`.
 *
 * @throws CalibrantError for options, outputs, inputs, columns, and episodes that are there twice.
 */
export async function robustnessCommand(options: RobustnessCommandOptions): Promise<void> {
  const { files, output } = options;
  if (files.includes("-") && files.length > 1)
    throw new CalibrantError("usage", "standard input (-) is read alone, not together with files");
  createRobustness(options.robustness);
  const { checkTableOutputs, writeTableDocument } = await import("../tables/write-table-document.ts");
  const outputs = tableOutputOptions(output, await expandInputs(files));
  await checkTableOutputs(outputs);
  const progress = createProgress(output.quiet, "reading", () => performance.now());
  let result: RobustnessResult;
  try {
    result = await readTables(options, progress);
  } finally {
    progress.end();
  }
  const { robustnessDocument } = await import("../../report/tables/robustness-document.ts");
  const document = robustnessDocument(result, [
    ["rollouts from", files.join(", ")],
    ["command", options.command],
  ]);
  await writeTableDocument(document, result, outputs);
}

async function readTables(
  { files, columns, robustness }: RobustnessCommandOptions,
  progress: Progress,
): Promise<RobustnessResult> {
  const opened = await openBatches(files, columns, progress);
  const accumulator = createRobustness(robustness);
  for await (const { batch, file } of opened.read(withNumberKeys(accumulator.needs, opened.renamed)))
    accumulator.add(batch, file);
  progress.stage("computing");
  return accumulator.finish();
}
