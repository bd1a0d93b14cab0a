import { CalibrantError, errorMessage } from "../../errors.ts";
import type { Evaluation } from "../../report/evaluation.ts";
import { formatCount } from "../../report/format-number.ts";
import { writeErrorLine } from "../error-line.ts";
import { evaluateInWorker } from "./evaluate-in-worker.ts";
import { makeReport, type ReportRun } from "./make-report.ts";
import { inputState, turnsEvery, watchInputs } from "./watch-inputs.ts";

/**
 * Makes a report now and whenever its inputs changed, until a signal ends the process. Inputs that cannot be read as
 * they are, such as a line that is half written, or a pattern that no file matches yet, leave the last report in place, and are read again when they change.
 *
 * @throws CalibrantError for what waiting does not mend: an output that cannot be written, and at the first look a
 *   missing file or column or an option that does not fit.
 */
export async function watchReport(run: ReportRun): Promise<void> {
  const { files, watchInterval } = run.options;
  const render = watchedRender(run, () => evaluateInWorker(run.options, run.progress));
  await watchInputs({ turns: turnsEvery(watchInterval), state: () => inputState(files), render });
}

/** One rendering of a watch after the other; separate so that it can be given evaluations. */
export function watchedRender(run: ReportRun, evaluate: () => Promise<Evaluation>): () => Promise<void> {
  let rendered = false;
  return async () => {
    const evaluation = await makeReport(run, () =>
      evaluate().catch((error: unknown) => {
        if (!(error instanceof CalibrantError) || (!rendered && !isWorthWaiting(error))) throw error;
        const kept = rendered ? "the last report is kept" : "there is no report yet";
        run.progress.end();
        writeErrorLine(`${errorMessage(error)}; ${kept}, and the inputs are read again when they change`);
        return null;
      }),
    );
    if (evaluation === null) return;
    rendered = true;
    announce(run, evaluation);
  };
}

/** Before the first report: an input that is half written, or a pattern that no file matches yet. */
function isWorthWaiting({ code, details }: CalibrantError): boolean {
  return code === "data" || "pattern" in details;
}

function announce({ options, failIf }: ReportRun, evaluation: Evaluation): void {
  const printed = options.json || options.outputs.length === 0;
  if (!options.quiet && !printed) {
    writeErrorLine(`${formatCount(evaluation.overall.rows)} rows reported in ${options.outputs.join(", ")}`);
  }
  const verdict = failIf?.(evaluation);
  for (const line of [verdict?.unjudged, verdict?.failing])
    if (typeof line === "string") writeErrorLine(line);
}
