import type { RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { FILE_COLUMN } from "../../metrics/toolfault/prediction-needs.ts";
import { createToolFaultEvaluator } from "../../metrics/toolfault/tool-fault-evaluator.ts";
import type { ToolFaultResult } from "../../metrics/toolfault/tool-fault-result.ts";
import { decisionBatch } from "../../report/toolfault-decisions.ts";
import type { Progress } from "../input/progress.ts";
import { openBatches } from "../input/read-batches.ts";
import { itemsHash } from "./items-hash.ts";
import { readGold } from "./read-gold.ts";
import type { ScoreOptions } from "./score-options.ts";

/** What was scored. */
export interface ScoredPredictions {
  readonly result: ToolFaultResult;
  /** The decisions of the predictions, where they were asked for. */
  readonly decisions: readonly RolloutBatch[];
}

/**
 * Reads dataset and predictions and scores them. Each file of predictions is a run named by the file, unless columns
 * name the runs.
 *
 * @param files the predictions, patterns expanded
 * @throws CalibrantError for inputs that cannot be read or scored, or options that do not fit.
 */
export async function scorePredictions(
  files: readonly string[],
  options: ScoreOptions,
  progress: Pick<Progress, "add" | "stage">,
): Promise<ScoredPredictions> {
  const items = await readGold(options.items, options.itemColumns, options.metrics.by ?? []);
  const inputs = await openBatches(files, options.columns, progress);
  const run = options.metrics.run ?? [FILE_COLUMN];
  const wantsDecisions = options.calibration !== null || options.decisions !== null;
  const evaluator = createToolFaultEvaluator(
    items,
    inputs.renamed,
    { ...options.metrics, run },
    { logprobs: wantsDecisions },
  );
  const decisions: RolloutBatch[] = [];
  const empty = new Set(files);
  for await (const { batch, file } of inputs.read(evaluator.needs)) {
    if (batch.rows > 0) empty.delete(file);
    if (wantsDecisions) {
      const rows = evaluator.addAndKeep(batch, file);
      decisions.push(decisionBatch(evaluator.gold, batch, rows, evaluator.runName));
    } else evaluator.add(batch, file);
  }
  const [none] = empty;
  if (none !== undefined && none !== "-")
    throw new CalibrantError("data", `${none} is empty: it holds no predictions`, { file: none });
  progress.stage("scoring");
  return { result: { ...evaluator.finish(), itemsHash: itemsHash(items) }, decisions };
}
