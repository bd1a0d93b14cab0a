import type { ColumnRenames } from "../../data/check-columns.ts";
import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError } from "../../errors.ts";
import type { When2CallItem } from "../../metrics/when2call/when2call-item.ts";
import { type When2CallOptions, when2callSettings } from "../../metrics/when2call/when2call-options.ts";
import { createWhen2CallReader } from "../../metrics/when2call/when2call-reader.ts";
import type { When2CallResult } from "../../metrics/when2call/when2call-result.ts";
import { createWhen2CallScorer } from "../../metrics/when2call/when2call-scorer.ts";
import { createProgress, type Progress } from "../input/progress.ts";
import { openBatches } from "../input/read-batches.ts";
import { type TableOutputFlags, tableOutputOptions } from "../tables/table-output-options.ts";

/** Everything `calibrant when2call score` was asked to do. */
export interface ScoreWhen2CallOptions {
  readonly predictions: readonly string[];
  readonly items: string;
  /** Renames columns of the predictions. */
  readonly columns: ColumnRenames;
  readonly metrics: When2CallOptions;
  readonly output: TableOutputFlags;
  /** The command as it was typed, quoted for a shell. */
  readonly command: string;
}

/**
 * Runs `calibrant when2call score`.
 *
 * @throws CalibrantError for options, outputs, inputs, columns, ids.
 */
export async function scoreWhen2Call(options: ScoreWhen2CallOptions): Promise<void> {
  const { predictions, items, output } = options;
  when2callSettings(options.metrics);
  const inputs = await expandInputs([...predictions, items]);
  if (inputs.filter((input) => input === "-").length > 1)
    throw new CalibrantError("usage", "standard input (-) is either the predictions or the items, not both");
  const { checkTableOutputs, writeTableDocument } = await import("../tables/write-table-document.ts");
  const outputs = tableOutputOptions(output, inputs);
  await checkTableOutputs(outputs);
  const progress = createProgress(output.quiet, "reading", () => performance.now());
  let result: When2CallResult;
  try {
    result = await scoredFiles(options, progress);
  } finally {
    progress.end();
  }
  const { when2callDocument } = await import("../../report/tables/when2call-document.ts");
  const facts = [
    ["items", items],
    ["predictions from", predictions.join(", ")],
    ["command", options.command],
  ] as const;
  await writeTableDocument(when2callDocument(result, facts), result, outputs);
}

/** Reads the items, then scores all predictions in one pass. */
async function scoredFiles(options: ScoreWhen2CallOptions, progress: Progress): Promise<When2CallResult> {
  const items = await readItems(options.items, options.metrics.by ?? [], progress);
  const { columns } = options;
  const opened = await openBatches(options.predictions, columns, progress);
  const scorer = createWhen2CallScorer(items, opened.renamed, options.metrics);
  for await (const { batch } of opened.read(scorer.needs)) scorer.add(batch);
  return scorer.finish();
}

async function readItems(
  file: string,
  columns: readonly string[],
  progress: Progress,
): Promise<When2CallItem[]> {
  const opened = await openBatches([file], new Map(), progress);
  const reader = createWhen2CallReader({ columns, found: opened.found });
  for await (const { batch } of opened.read(reader.needs)) reader.add(batch);
  return reader.finish();
}
