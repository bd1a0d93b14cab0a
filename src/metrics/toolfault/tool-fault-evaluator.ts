import type { ColumnNeeds, FoundColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { compareRuns } from "./compare-runs.ts";
import { type CompiledGold, compileGold, type ItemSlice, itemSlices } from "./compile-gold.ts";
import { createPredictionGatherer, type GatheredRows } from "./prediction-gatherer.ts";
import { FILE_COLUMN, predictionNeeds } from "./prediction-needs.ts";
import { type PredictionRows, predictionRows } from "./prediction-rows.ts";
import type { PredictedRun } from "./run-store.ts";
import { summariseRun } from "./summarise-run.ts";
import type { ToolFaultGold } from "./tool-fault-item.ts";
import { type ToolFaultOptions, type ToolFaultSettings, toolFaultSettings } from "./tool-fault-options.ts";
import type { ToolFaultResult, ToolFaultRun } from "./tool-fault-result.ts";

/** Takes predictions batch by batch and scores them: what `toolFaultMetrics` and the command line are made of. */
export interface ToolFaultEvaluator {
  /** The columns that it reads. */
  readonly needs: ColumnNeeds;
  readonly gold: CompiledGold;
  /** Takes a batch. */
  add(batch: RolloutBatch, file: string): void;
  /** Takes a batch and says which item and answer each row was. */
  addAndKeep(batch: RolloutBatch, file: string): GatheredRows;
  /** Takes rows that were read otherwise. */
  addRows(rows: PredictionRows, file: string): void;
  /** The name of a run of {@link GatheredRows}. */
  runName(run: number): readonly string[];
  /**
   * The metrics of everything added.
   *
   * @throws CalibrantError `data` listing ids predicted twice or not in the dataset; `option` for an unknown baseline.
   */
  finish(): ToolFaultResult;
}

/** What else an evaluator reads. */
export interface EvaluatorExtras {
  /** Also read log-probs of the labels, for calibration. Default false. */
  readonly logprobs?: boolean;
}

/**
 * Creates a {@link ToolFaultEvaluator} of predictions whose columns are known.
 *
 * @param found the columns of each input of predictions
 * @throws CalibrantError `option` for a bad option, `data` for a bad item.
 */
export function createToolFaultEvaluator(
  items: readonly ToolFaultGold[],
  found: readonly (readonly FoundColumn[])[],
  options: ToolFaultOptions = {},
  { logprobs = false }: EvaluatorExtras = {},
): ToolFaultEvaluator {
  const settings = toolFaultSettings(options);
  const gold = compileGold(items);
  const slices = itemSlices(items, settings.by);
  const needs = predictionNeeds(found, settings, logprobs);
  const fileIsColumn = found.some((columns) => columns.some(({ name }) => name === FILE_COLUMN));
  const gatherer = createPredictionGatherer(gold, settings, fileIsColumn);
  return {
    needs,
    gold,
    add: (batch, file) => gatherer.add(predictionRows(batch, settings.repeat), file),
    addAndKeep(batch, file) {
      const { rows } = batch;
      const kept = { items: new Int32Array(rows), codes: new Uint8Array(rows), runs: new Int32Array(rows) };
      gatherer.add(predictionRows(batch, settings.repeat), file, kept);
      return kept;
    },
    addRows: gatherer.add,
    runName: gatherer.runName,
    finish: () => resultOf(gold, slices, gatherer.finish(), settings),
  };
}

function resultOf(
  gold: CompiledGold,
  slices: readonly ItemSlice[],
  predicted: readonly PredictedRun[],
  settings: ToolFaultSettings,
): ToolFaultResult {
  const { baseline, level, resamples, seed } = settings;
  const base = baseline === null ? null : baselineRun(predicted, baseline);
  return {
    benchmark: "toolfault",
    format: 1,
    items: gold.ids.length,
    hardNegatives: gold.hard.reduce((sum, one) => sum + one, 0),
    itemsHash: null,
    runColumns: settings.run,
    runs: predicted.map((run) => runResult(gold, slices, run, settings)),
    comparisons:
      base === null
        ? []
        : predicted
            .filter((run) => run !== base)
            .map((run) => compareRuns(gold, base, run, { ...settings, interval: "bootstrap" })),
    level,
    resamples,
    seed,
  };
}

function runResult(
  gold: CompiledGold,
  slices: readonly ItemSlice[],
  run: PredictedRun,
  settings: ToolFaultSettings,
): ToolFaultRun {
  const interval = settings.interval ?? (run.repeats > 1 ? "bootstrap" : "wilson");
  const unknown = [...run.unknownLabels].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return {
    name: run.name,
    repeats: run.repeats,
    interval,
    ...summariseRun(gold, run, slices, { ...settings, interval }),
    unknownLabels: unknown.slice(0, 10),
    promptHashes: [...run.promptHashes].sort(),
  };
}

function baselineRun(predicted: readonly PredictedRun[], name: readonly string[]): PredictedRun {
  // A run of several columns may be given as it is printed, or separated by commas.
  const [only = ""] = name;
  const found = predicted.find(
    (run) =>
      run.name.join("\0") === name.join("\0") ||
      (name.length === 1 && [" / ", ","].some((separator) => run.name.join(separator) === only)),
  );
  if (found !== undefined) return found;
  const known = predicted.map((run) => run.name.join(" / ")).join(", ");
  throw new CalibrantError("option", `the baseline is none of the runs (${known}), got ${name.join(" / ")}`);
}
