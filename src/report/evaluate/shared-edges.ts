import { givenEdges, type IouEdges, iouEdges, riceBins } from "../../uq/iou/iou-edges.ts";
import type { EvaluationIou } from "../evaluation.ts";
import type { EvaluationSettings } from "./evaluation-settings.ts";
import { countFlags, keepRows } from "./keep-rows.ts";
import type { SliceRows } from "./split-rows.ts";

/** The bin edges that every slice of a report shares, on the axis. */
export interface SharedEdges {
  readonly edges: IouEdges;
  readonly words: EvaluationIou["edgesFrom"];
}

/**
 * Edges for all slices together, so that their IoU can be compared: as given, or uniform over the 0.5 % to 99.5 % range
 * of the class-balanced rows of all slices, in the number that Rice's rule gives for the median slice.
 */
export function sharedEdges(
  all: SliceRows,
  slices: readonly SliceRows[],
  settings: EvaluationSettings,
): SharedEdges {
  const { options, takeLog, scale } = settings;
  if (options.edges !== undefined) {
    const onAxis = options.edges.map((edge) => (takeLog ? Math.log(edge) : edge));
    return {
      edges: givenEdges(onAxis, "identity"),
      words: `${onAxis.length - 1} bins between the edges that were given`,
    };
  }
  const bins = options.bins ?? medianRiceBins(slices.length > 0 ? slices : [all]);
  const correct = classValues(all, 1);
  const wrong = classValues(all, 0);
  const edges = iouEdges(correct.x, wrong.x, { scale: "identity", bins, ...weightsOf(correct, wrong) });
  const count = edges.edges.length - 1;
  if (count < 1) return { edges, words: "no bins: no finite uncertainty" };
  const axis = scale === "log" ? "ln PPL" : settings.uncertainty;
  const rule = options.bins === undefined && count > 1 ? " (Rice's rule for the median slice)" : "";
  return {
    edges,
    words: `${count} uniform ${count === 1 ? "bin" : "bins"}${rule} over the 0.5 % to 99.5 % range of ${axis}, both classes weighed alike, shared by all slices; values outside count in the end bins`,
  };
}

/** Rice's rule for the smaller class of the median slice, between 5 and 100; slices with one class only do not count. */
function medianRiceBins(slices: readonly SliceRows[]): number {
  const smaller = slices.map(smallerClass).filter((n) => n > 0);
  const sorted = smaller.sort((a, b) => a - b);
  const n = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return riceBins(n);
}

/** The smaller class, rows of weight k counted k times. */
function smallerClass(rows: SliceRows): number {
  let correct = 0;
  let wrong = 0;
  for (let row = 0; row < rows.rows; row += 1) {
    if (Number.isNaN(rows.x[row])) continue;
    const w = rows.weights === null ? 1 : (rows.weights[row] as number);
    if (rows.y[row] === 1) correct += w;
    else if (rows.y[row] === 0) wrong += w;
  }
  return Math.min(correct, wrong);
}

interface ClassValues {
  readonly x: Float64Array;
  readonly weights: Float64Array | null;
}

function classValues(rows: SliceRows, label: 0 | 1): ClassValues {
  const flags = new Uint8Array(rows.rows);
  for (let row = 0; row < rows.rows; row += 1) {
    if (rows.y[row] === label && !Number.isNaN(rows.x[row])) flags[row] = 1;
  }
  const kept = countFlags(flags);
  return {
    x: keepRows(rows.x, flags, kept),
    weights: rows.weights === null ? null : keepRows(rows.weights, flags, kept),
  };
}

function weightsOf(
  correct: ClassValues,
  wrong: ClassValues,
): { readonly weights?: { readonly correct: Float64Array; readonly wrong: Float64Array } } {
  if (correct.weights === null || wrong.weights === null) return {};
  return { weights: { correct: correct.weights, wrong: wrong.weights } };
}
