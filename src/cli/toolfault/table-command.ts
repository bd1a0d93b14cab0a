import { readFile } from "node:fs/promises";
import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { ToolFaultResult } from "../../metrics/toolfault/tool-fault-result.ts";
import { mergeToolFaultResults } from "../../report/tables/merge-toolfault-results.ts";
import { toolFaultDocument } from "../../report/tables/toolfault-document.ts";
import { createProgress } from "../input/progress.ts";
import { tableOutputOptions } from "../tables/table-output-options.ts";
import { checkTableOutputs, writeTableDocument } from "../tables/write-table-document.ts";
import { distinctInputs } from "./distinct-inputs.ts";
import type { ScoreOptions } from "./score-options.ts";
import { scorePredictions } from "./score-predictions.ts";

/**
 * Runs `calibrant toolfault table`.
 *
 * @throws CalibrantError `usage` for predictions without a dataset; `data` for JSON that is no result; as
 * {@link scorePredictions}.
 */
export async function tableCommand(options: ScoreOptions): Promise<void> {
  const files = await distinctInputs(options.predictions);
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
    checkBaseline(read, options);
    if (predictions.length > 0) read.push((await scorePredictions(predictions, options, progress)).result);
    progress.end();
    const merged = mergeToolFaultResults(read);
    const ordered = { ...merged, runs: inOrder(merged.runs, files) };
    const facts = [["command", options.command]] as const;
    await writeTableDocument(toolFaultDocument(ordered, { brief: true, facts }), ordered, output);
  } finally {
    progress.end();
  }
}

/** Differences are taken item by item, which a result no longer has. */
function checkBaseline(results: readonly ToolFaultResult[], { metrics, predictions }: ScoreOptions): void {
  const { baseline } = metrics;
  if (typeof baseline !== "string") return;
  const runs = results.flatMap((result) => result.runs.map(({ name }) => name.join(" / ")));
  if (!runs.includes(baseline) && runs.length < predictions.length) return;
  throw new CalibrantError(
    "usage",
    `--baseline needs the predictions of all runs to compare, since results hold no answers: ${baseline} with ${runs.join(", ")}`,
  );
}

/** Runs that are called by a file stand where the file was named; the others follow. */
function inOrder(runs: ToolFaultResult["runs"], files: readonly string[]): ToolFaultResult["runs"] {
  const place = ({ name }: ToolFaultResult["runs"][number]): number => {
    const at = files.indexOf(name.join(" / "));
    return at < 0 ? files.length : at;
  };
  return runs.toSorted((a, b) => place(a) - place(b));
}

async function readResult(file: string): Promise<ToolFaultResult> {
  const { parseToolFaultResult } = await import("../../report/tables/parse-toolfault-result.ts");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new CalibrantError("io", `cannot read ${file}: ${errorMessage(error)}`, { file });
  });
  const result = parseToolFaultResult(text, file);
  const [run] = result.runs;
  // The one run of a file is called by the file of results, as those of predictions are by theirs.
  return result.runs.length === 1 && run !== undefined
    ? { ...result, runs: [{ ...run, name: [file] }] }
    : result;
}
