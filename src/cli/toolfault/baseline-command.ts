import { openAtomicFile } from "../../data/atomic-file.ts";
import type { ColumnRenames } from "../../data/check-columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { type ToolFaultBaseline, toolFaultBaseline } from "../../metrics/toolfault/baselines.ts";
import { createCleanup } from "../cleanup.ts";
import { onSignals } from "../on-signals.ts";
import { checkOutputsApart } from "../report/report-targets.ts";
import { standardOutput } from "../standard-output.ts";
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
  const bytes = Buffer.from(predictions.map((prediction) => `${JSON.stringify(prediction)}\n`).join(""));
  if (path === null) {
    await standardOutput().write(bytes);
    return;
  }
  await writeWhole(path, bytes);
  if (!quiet && process.stderr.isTTY) process.stderr.write(`${predictions.length} predictions: ${path}\n`);
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const cleanup = createCleanup();
  const forgetSignals = onSignals(cleanup.run);
  try {
    const file = await openAtomicFile(path, process.pid, cleanup.file);
    try {
      await file.write(bytes);
      await file.commit();
    } catch (error) {
      await file.discard();
      throw error;
    }
  } finally {
    forgetSignals();
  }
}
