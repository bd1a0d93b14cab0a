import { readFile } from "node:fs/promises";
import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { ToolFaultResult } from "../../metrics/toolfault/tool-fault-result.ts";
import { mergeToolFaultResults } from "../../report/tables/merge-toolfault-results.ts";
import { toolFaultDocument } from "../../report/tables/toolfault-document.ts";
import { createProgress } from "../input/progress.ts";
import { tableOutputOptions } from "../tables/table-output-options.ts";
import { checkTableOutputs, writeTableDocument } from "../tables/write-table-document.ts";
import type { ScoreOptions } from "./score-options.ts";
import { scorePredictions } from "./score-predictions.ts";

/**
 * Runs `calibrant toolfault table`.
 *
 * @throws CalibrantError `usage` for predictions without a dataset; `data` for JSON that is no result; as
 * {@link scorePredictions}.
 */
export async function tableCommand(options: ScoreOptions): Promise<void> {
  const files = await expandInputs(options.predictions);
  const output = tableOutputOptions(options.output, [...files, ...(await expandInputs(options.items))]);
  await checkTableOutputs(output);
  const results = files.filter((file) => /\.json$/i.test(file));
  const predictions = files.filter((file) => !results.includes(file));
  if (predictions.length > 0 && options.items.length === 0)
    throw new CalibrantError(
      "usage",
      `predictions need the dataset: give --items for ${predictions.join(", ")}`,
    );
  const progress = createProgress(options.output.quiet, "reading", () => performance.now());
  try {
    const read: ToolFaultResult[] = [];
    for (const file of results) read.push(await readResult(file));
    if (predictions.length > 0) {
      // A lone file of predictions beside results is named by its file, as they are.
      const run = options.metrics.run ?? ["file"];
      const metrics = { ...options.metrics, run };
      read.push((await scorePredictions(predictions, { ...options, metrics }, progress)).result);
    }
    progress.end();
    const merged = mergeToolFaultResults(read);
    await writeTableDocument(toolFaultDocument(merged, { brief: true }), merged, output);
  } finally {
    progress.end();
  }
}

async function readResult(file: string): Promise<ToolFaultResult> {
  const { parseToolFaultResult } = await import("../../report/tables/parse-toolfault-result.ts");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new CalibrantError("io", `cannot read ${file}: ${errorMessage(error)}`, { file });
  });
  const result = parseToolFaultResult(text, file);
  return { ...result, runs: result.runs.map((run) => namedByFile(run, file)) };
}

/** A run without a name of its own is called by its file. */
function namedByFile(run: ToolFaultResult["runs"][number], file: string): ToolFaultResult["runs"][number] {
  return run.name.length === 1 && run.name[0] === "all" ? { ...run, name: [file] } : run;
}
