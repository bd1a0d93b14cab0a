import type { ColumnNeeds, FoundColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";
import { EVALUATION_SCHEMA, type Evaluation, type EvaluationColumns } from "../evaluation.ts";
import type { EvaluationOptions } from "../evaluation-options.ts";
import { buildPlots } from "../plots/build-plots.ts";
import { compareAll } from "./compare-all.ts";
import { correctWords, type EvaluationSettings, evaluationSettings } from "./evaluation-settings.ts";
import { fittedConfidence } from "./fitted-confidence.ts";
import { mostUnits, resamplingUnits } from "./resampling-units.ts";
import { createRowStore, type RowStore } from "./row-store.ts";
import { sharedEdges } from "./shared-edges.ts";
import { type EvaluatedSlice, evaluateSlice, type SliceInput } from "./slice-evaluation.ts";
import { orderSlices } from "./slice-order.ts";
import { type SliceRows, splitRows } from "./split-rows.ts";

/** Gathers rows batch by batch and computes the report at the end. */
export interface Evaluator {
  /** The columns to read of every input. */
  readonly needs: ColumnNeeds;
  /**
   * Adds rows.
   *
   * @param input name of the file the rows come from, for messages and the slicing key `file`
   * @throws CalibrantError `data` for a value that a column cannot have, with its place, `option` for too many slices.
   */
  add(batch: RolloutBatch, input: string): void;
  /**
   * Computes the report; the evaluator is empty afterwards.
   *
   * @param stage called with the name of each stage of the computation as it begins
   * @throws CalibrantError `option` for a baseline that no slice is.
   */
  finish(stage?: (name: string) => void): Evaluation;
}

/** More slices than this are a mistake in the choice of a column, not a report. */
const MOST_SLICES = 2000;

/**
 * Plans a report over inputs with these columns.
 *
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { batchFromArrow, checkColumns, foundArrowColumns } from "calibrant/data";
 * import { createEvaluator } from "calibrant/report";
 * const table = tableFromArrays({ ppl: [1.1, 1.2, 2.5, 3.1], correct: Uint8Array.of(1, 1, 0, 0) });
 * const found = foundArrowColumns(table.schema);
 * const evaluator = createEvaluator([found], { resamples: 0, permutations: 0 });
 * const requests = checkColumns(found, evaluator.needs, "step-100");
 * for (const batch of table.batches) evaluator.add(batchFromArrow(batch, requests, "step-100", 0), "step-100");
 * console.log(evaluator.finish().overall.metrics.auroc.value); // 1
 * ```
 *
 * @param found the columns of each input, under the names that `needs` will ask for
 * @throws CalibrantError `option` for a bad option.
 */
export function createEvaluator(
  found: readonly (readonly FoundColumn[])[],
  options: EvaluationOptions = {},
): Evaluator {
  const settings = evaluationSettings(found, options);
  const store = createRowStore(settings);
  return {
    needs: settings.needs,
    add(batch, input) {
      if (batch.rows === 0) return;
      store.add(batch, input);
      if (store.slices.size <= MOST_SLICES) return;
      throw new CalibrantError(
        "option",
        `by must name columns with few values: ${settings.by.join(", ")} give more than ${MOST_SLICES} slices`,
        { by: settings.by },
      );
    },
    finish(stage = () => {}) {
      const evaluation = finishEvaluation(store, settings, stage);
      return { ...evaluation, plots: buildPlots(evaluation) };
    },
  };
}

function finishEvaluation(
  store: RowStore,
  settings: EvaluationSettings,
  stage: (name: string) => void,
): Omit<Evaluation, "plots"> {
  stage("sorting");
  const count = store.slices.size;
  const split = splitRows(store.take(), count);
  const also = (["certainty", "margin", "reward"] as const).filter(
    (name) => split.all.extra[name] !== undefined,
  );
  const ready = withConfidence(split.all, split.slices, settings);
  const { edges, words } = sharedEdges(ready.all, ready.slices, settings);
  const units = resamplingUnits(store.clusters, mostUnits(count), settings.seed);
  const shared = { edges, units, settings };
  const evaluate = (label: string, key: Readonly<Record<string, string>>, rows: SliceRows): EvaluatedSlice =>
    evaluateSlice({ label, key, rows, ...shared } satisfies SliceInput);

  const sliced = settings.by.length > 0;
  stage("all rows");
  const overall = evaluate("all rows", {}, ready.all);
  const evaluated = orderSlices(sliced ? count : 0, (slice) => store.slices.values(slice)).map((slice) => {
    const values = store.slices.values(slice);
    const label = values.join(" / ");
    stage(label);
    const rows = ready.slices[slice] as SliceRows;
    const key = Object.fromEntries(settings.by.map((name, i) => [name, values[i] as string]));
    return { ...evaluate(label, key, rows), rows };
  });
  stage("comparisons");
  return {
    schema: EVALUATION_SCHEMA,
    version: settings.options.version ?? "unknown",
    title: settings.options.title ?? "Calibration report",
    command: settings.options.command ?? null,
    inputs: store.inputs,
    seed: settings.seed,
    resamples: settings.resamples,
    permutations: settings.permutations,
    level: settings.level,
    columns: columnWords(settings, also),
    iou: {
      scale: settings.scale,
      method: settings.method,
      normalize: settings.normalize,
      edges: [...edges.edges],
      edgesFrom: words,
    },
    overall: overall.slice,
    slices: evaluated.map(({ slice }) => slice),
    comparisons: compareAll(evaluated, shared),
    notes: notesOf(settings),
  };
}

/** Rows with the confidence that is fitted over all of them together; others have theirs already. */
function withConfidence(
  all: SliceRows,
  slices: readonly SliceRows[],
  settings: EvaluationSettings,
): { readonly all: SliceRows; readonly slices: readonly SliceRows[] } {
  if (settings.confidence.kind !== "fitted") return { all, slices };
  const confidence = fittedConfidence(all, settings.confidence.calibrator, settings.seed);
  let at = 0;
  const views = slices.map((rows) => {
    const own = confidence.subarray(at, at + rows.rows);
    at += rows.rows;
    return { ...rows, extra: { ...rows.extra, confidence: own } };
  });
  return { all: { ...all, extra: { ...all.extra, confidence } }, slices: views };
}

function columnWords(settings: EvaluationSettings, also: readonly string[]): EvaluationColumns {
  const { confidence, cluster, weight, by } = settings;
  return {
    uncertainty: settings.uncertainty,
    correct: correctWords(settings.correct),
    confidence: confidenceWords(confidence),
    cluster,
    weight,
    by,
    also,
  };
}

function confidenceWords(confidence: EvaluationSettings["confidence"]): string {
  if (confidence.kind === "exp-nll") return "exp(-nll) = 1 / PPL, a name for it and no fitted probability";
  if (confidence.kind === "column") return confidence.name;
  const names = {
    platt: "Platt scaling",
    isotonic: "isotonic regression",
    temperature: "temperature scaling",
  };
  return `${names[confidence.calibrator]} of the uncertainty, fitted over all slices together, each half of the prompts with the fit of the other half`;
}

function notesOf(settings: EvaluationSettings): string[] {
  const notes: string[] = [];
  if (settings.cluster === null) {
    notes.push(
      "No cluster column: every row is resampled alone. Rollouts of one prompt are not independent, so intervals may be too narrow; name the prompt's column with --cluster.",
    );
  }
  if (settings.weight !== null) {
    notes.push(
      `Weights of the column ${settings.weight} count rows: weight 2 stands for two equal rows in every number, and in the nulls for two independent ones.`,
    );
  }
  return notes;
}
