import type { Column, RolloutBatch } from "../../data/columns.ts";
import { jsonText } from "../../data/jsonl/json-text.ts";
import { CalibrantError } from "../../errors.ts";
import type { ToolFaultResult } from "../../metrics/toolfault/tool-fault-result.ts";
import { evaluateBatches } from "../../report/evaluate/evaluate-table.ts";
import { createCleanup } from "../cleanup.ts";
import { onSignals } from "../on-signals.ts";
import { packageVersion } from "../package-version.ts";
import { openReportOutputs } from "../report/report-outputs.ts";
import { reportTargets } from "../report/report-targets.ts";
import { writeWhole } from "../write-whole.ts";
import type { ScoreOptions } from "./score-options.ts";

/**
 * Writes the calibration report (IoU, ECE, …) of the decisions: a slice for fault types and one for actions, of each run.
 * Items are resampled as a whole.
 *
 * @throws CalibrantError `data` when no prediction has log-probs, `io` when the report cannot be written.
 */
export async function writeCalibration(
  decisions: readonly RolloutBatch[],
  { runs, level, resamples, seed }: ToolFaultResult,
  { command, predictions }: Pick<ScoreOptions, "command" | "predictions">,
  path: string,
): Promise<void> {
  checkLogprobs(decisions);
  const evaluation = evaluateBatches(
    decisions,
    {
      uncertainty: "ppl",
      confidence: "confidence",
      command,
      by: runs.length > 1 ? ["run", "decision"] : ["decision"],
      title: "ToolFault-Bench: calibration of the decisions",
      level,
      resamples,
      seed,
      version: packageVersion(),
    },
    predictions.join(", "),
  );
  const cleanup = createCleanup();
  const forgetSignals = onSignals(cleanup.run);
  const output = { json: false, plots: null, plotFormat: "svg", quiet: true, watch: false } as const;
  try {
    const targets = reportTargets([path], null);
    const outputs = await openReportOutputs({ ...output, targets, refreshSeconds: null }, cleanup);
    try {
      await outputs.write(evaluation, () => undefined);
    } catch (error) {
      await outputs.discard();
      throw error;
    }
  } finally {
    forgetSignals();
  }
}

/**
 * Writes the decisions as JSON Lines, two for each prediction: `run`, `decision`, `group_id`, `correct`, `ppl`,
 * `confidence`. `calibrant report --confidence confidence` reads them.
 *
 * @throws CalibrantError `data` when no prediction has log-probs, `io` when the file cannot be written.
 */
export async function writeDecisions(decisions: readonly RolloutBatch[], path: string): Promise<void> {
  checkLogprobs(decisions);
  await writeWhole(path, allLines(decisions));
}

function* allLines(decisions: readonly RolloutBatch[]): Generator<string> {
  for (const batch of decisions) yield decisionLines(batch);
}

function decisionLines({ rows, columns }: RolloutBatch): string {
  const key = (name: string, row: number): string => {
    const column = columns.get(name) as Extract<Column, { kind: "key" }>;
    return column.keys[column.codes[row] as number] as string;
  };
  const number = (name: string, row: number): number =>
    (columns.get(name) as Extract<Column, { kind: "number" }>).values[row] as number;
  let text = "";
  for (let row = 0; row < rows; row++) {
    const known = (name: string): number | null => {
      const value = number(name, row);
      return Number.isNaN(value) ? null : value;
    };
    const line = {
      run: key("run", row),
      decision: key("decision", row),
      group_id: key("group_id", row),
      correct: number("correct", row) === 1,
      ppl: known("ppl"),
      confidence: known("confidence"),
    };
    text += `${jsonText(line)}\n`;
  }
  return text;
}

function checkLogprobs(decisions: readonly RolloutBatch[]): void {
  const some = decisions.some((batch) => {
    const ppl = batch.columns.get("ppl");
    return ppl?.kind === "number" && ppl.values.some((value) => !Number.isNaN(value));
  });
  if (some) return;
  throw new CalibrantError(
    "data",
    "the predictions have no log-probs to calibrate: ask with calibrant toolfault run --logprobs, or add columns fault_logprob and action_logprob (nats)",
  );
}
