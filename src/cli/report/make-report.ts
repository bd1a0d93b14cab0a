import type { Evaluation } from "../../report/evaluation.ts";
import type { Cleanup } from "../cleanup.ts";
import type { Progress } from "../input/progress.ts";
import type { FailIf } from "./fail-if.ts";
import type { ReportOptions } from "./report-options.ts";
import { type OutputOptions, openReportOutputs } from "./report-outputs.ts";

/** A report that was asked for, its options checked: it can be made once or again and again. */
export interface ReportRun {
  readonly options: ReportOptions;
  readonly outputs: OutputOptions;
  readonly failIf: FailIf | null;
  readonly progress: Progress;
  readonly cleanup: Cleanup;
}

/**
 * Opens the outputs, has the report computed, writes it and returns it.
 *
 * @param evaluate - computes it; null for none, which leaves the outputs as they were.
 */
export async function makeReport<T extends Evaluation | null>(
  { outputs, progress, cleanup }: ReportRun,
  evaluate: () => Promise<T>,
): Promise<T> {
  const open = await openReportOutputs(outputs, cleanup);
  try {
    const evaluation = await evaluate();
    progress.stage("writing");
    if (evaluation === null) await open.discard();
    else await open.write(evaluation, () => progress.end());
    return evaluation;
  } catch (error) {
    await open.discard();
    throw error;
  } finally {
    progress.end();
  }
}
