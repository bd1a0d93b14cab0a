import { expandInputs } from "../../data/expand-inputs.ts";
import { CalibrantError } from "../../errors.ts";
import type { Evaluation } from "../../report/evaluation.ts";
import { createCleanup } from "../cleanup.ts";
import { writeErrorLine } from "../error-line.ts";
import { createProgress } from "../input/progress.ts";
import { onSignals } from "../on-signals.ts";
import { evaluateInWorker } from "./evaluate-in-worker.ts";
import { compileFailIf } from "./fail-if.ts";
import { makeReport, type ReportRun } from "./make-report.ts";
import type { ReportOptions } from "./report-options.ts";
import { checkOutputsApart, reportTargets } from "./report-targets.ts";
import { watchReport } from "./watch-report.ts";

/**
 * Runs `calibrant report`.
 *
 * @throws CalibrantError `threshold` when the expression of `--fail-if` is true for a slice, after the outputs are written.
 */
export async function reportCommand(options: ReportOptions): Promise<void> {
  const run = await planRun(options);
  const forgetSignals = onSignals(() => {
    run.progress.end();
    run.cleanup.run();
  });
  try {
    await (options.watch ? watchReport(run) : reportOnce(run));
  } finally {
    forgetSignals();
  }
}

/** Everything that can be refused before a file is opened. */
async function planRun(options: ReportOptions): Promise<ReportRun> {
  checkInAndOut(options);
  const targets = reportTargets(options.outputs, options.format);
  const compared = options.evaluation.baseline !== undefined;
  const failIf = options.failIf === null ? null : await compileFailIf(options.failIf, compared);
  if (options.outputs.length > 0) checkOutputsApart(options.outputs, await knownInputs(options));
  return {
    options,
    outputs: { ...options, targets, refreshSeconds: options.watch ? options.watchInterval : null },
    failIf,
    progress: createProgress(options.quiet, "reading", () => performance.now()),
    cleanup: createCleanup(),
  };
}

/** The input files; of a watch those that are there already. */
async function knownInputs({ files, watch }: ReportOptions): Promise<readonly string[]> {
  return expandInputs(files).catch((error: unknown) => {
    if (watch) return files;
    throw error;
  });
}

function checkInAndOut({ files, outputs, json, watch }: ReportOptions): void {
  const refuse = (problem: string): never => {
    throw new CalibrantError("usage", problem);
  };
  if (files.includes("-") && files.length > 1)
    refuse("standard input (-) is read alone, not together with files");
  if (json && outputs.includes("-"))
    refuse("--json and -o - both write to standard output: give one of them");
  if (watch && files.includes("-")) refuse("--watch needs files: standard input (-) is read only once");
  if (watch && outputs.includes("-"))
    refuse("--watch writes its report again and again: give -o a file, or --json for a report a line");
}

async function reportOnce(run: ReportRun): Promise<void> {
  const evaluation = await makeReport(run, () => evaluateInWorker(run.options, run.progress));
  checkThreshold(run, evaluation);
}

function checkThreshold({ failIf }: ReportRun, evaluation: Evaluation): void {
  const verdict = failIf?.(evaluation);
  if (verdict === undefined) return;
  if (verdict.judged === 0 && verdict.unjudged !== null) throw new CalibrantError("data", verdict.unjudged);
  if (verdict.unjudged !== null) writeErrorLine(verdict.unjudged);
  if (verdict.failing !== null) throw new CalibrantError("threshold", verdict.failing);
}
