import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError } from "../../errors.ts";
import { toolFaultDocument } from "../../report/tables/toolfault-document.ts";
import { createProgress } from "../input/progress.ts";
import { checkOutputsApart } from "../report/report-targets.ts";
import { tableOutputOptions } from "../tables/table-output-options.ts";
import { checkTableOutputs, writeTableDocument } from "../tables/write-table-document.ts";
import { distinctInputs } from "./distinct-inputs.ts";
import type { ScoreOptions } from "./score-options.ts";
import { scorePredictions } from "./score-predictions.ts";
import { writeCalibration, writeDecisions } from "./write-decisions.ts";

/**
 * Runs `calibrant toolfault score`.
 *
 * @throws CalibrantError for outputs that cannot be written, and as {@link scorePredictions}.
 */
export async function scoreCommand(options: ScoreOptions): Promise<void> {
  const files = await distinctInputs(options.predictions);
  const inputs = [...files, ...(await expandInputs(options.items))];
  const output = tableOutputOptions(options.output, inputs);
  await checkTableOutputs(output);
  const extra = [options.calibration, options.decisions].filter((path) => path !== null);
  if (extra.includes("-"))
    throw new CalibrantError("usage", "--calibration and --decisions write files, not standard output (-)");
  checkOutputsApart(extra, inputs);
  const progress = createProgress(options.output.quiet, "reading", () => performance.now());
  try {
    const { result, decisions } = await scorePredictions(files, options, progress);
    if (options.decisions !== null) await writeDecisions(decisions, options.decisions);
    if (options.calibration !== null) await writeCalibration(decisions, result, options, options.calibration);
    progress.end();
    const facts = [["command", options.command]] as const;
    await writeTableDocument(toolFaultDocument(result, { facts }), result, output);
  } finally {
    progress.end();
  }
}
