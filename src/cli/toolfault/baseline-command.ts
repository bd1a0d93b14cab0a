import type { ColumnRenames } from "../../data/check-columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { type ToolFaultBaseline, toolFaultBaseline } from "../../metrics/toolfault/baselines.ts";
import { checkOutputsApart } from "../report/report-targets.ts";
import { standardOutput } from "../standard-output.ts";
import { writeWhole } from "../write-whole.ts";
import { readItems } from "./read-items.ts";

/** What `calibrant toolfault baseline` is asked for. */
export interface BaselineOptions {
  readonly files: readonly string[];
  readonly columns: ColumnRenames;
  readonly name: ToolFaultBaseline;
  /** Where the predictions go; `-` and null are standard output. */
  readonly output: string | null;
  /** No line on standard error about the written file. */
  readonly quiet: boolean;
}

/**
 * Writes the predictions of a baseline as JSON Lines: `id`, `fault_type`, `next_action`. A file appears whole or not at
 * all.
 *
 * @throws CalibrantError `usage` for an output that is an input, `io` for one that cannot be written; as {@link readItems}.
 */
export async function baselineCommand(options: BaselineOptions): Promise<void> {
  const { files, columns, name, output, quiet } = options;
  const path = output === "-" ? null : output;
  if (path !== null) checkOutputsApart([path], await expandInputs(files));
  const predictions = toolFaultBaseline(name, await readItems(files, columns));
  const lines = predictions.map((prediction) => `${JSON.stringify(prediction)}\n`);
  if (path === null) {
    await standardOutput().write(Buffer.from(lines.join("")));
    return;
  }
  await writeWhole(path, lines);
  if (!quiet && process.stderr.isTTY) process.stderr.write(`${predictions.length} predictions: ${path}\n`);
}
