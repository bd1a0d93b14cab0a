import { sortedCopy, sortedOrder } from "../math/sort-numbers.ts";
import type { ExtraColumn } from "./row-store.ts";
import type { SliceRows } from "./split-rows.ts";

/** The rows of a slice as the kernels take them: used rows only, and each class by itself. */
export interface ReadyRows {
  /** Uncertainty of used rows, with a label and not NaN, `(n)`. */
  readonly x: Float64Array;
  /** 1 where a used row is wrong, `(n)`. */
  readonly wrong: Uint8Array;
  readonly weights: Float64Array | null;
  readonly correctX: Float64Array;
  readonly wrongX: Float64Array;
  readonly correctWeights: Float64Array | null;
  readonly wrongWeights: Float64Array | null;
  readonly correctMedian: number;
  readonly wrongMedian: number;
  /** Rows with a confidence and a label; null when no column or calibrator gives confidences. */
  readonly confidence: {
    readonly p: Float64Array;
    readonly y: Uint8Array;
    readonly weights: Float64Array | null;
  } | null;
  /** Share of correct rows among those with a label, weighted. */
  readonly accuracy: number;
  /** Rows with a label. */
  readonly labelled: number;
  readonly means: Readonly<Record<"reward" | "certainty" | "margin", number>>;
  /** Rows left out, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
}

/** Sorts out which rows each number rests on. */
export function readyRows(rows: SliceRows): ReadyRows {
  const used = new Uint8Array(rows.rows);
  let noLabel = 0;
  let noValue = 0;
  for (let row = 0; row < rows.rows; row += 1) {
    if (rows.y[row] === -1) noLabel += 1;
    else if (Number.isNaN(rows.x[row])) noValue += 1;
    else used[row] = 1;
  }
  const all = noLabel + noValue === 0;
  const keep = <T extends Float64Array | Int8Array>(values: T): T =>
    all ? values : (values.filter((_, row) => used[row] === 1) as T);
  const x = keep(rows.x);
  const y = keep(rows.y);
  const weights = rows.weights === null ? null : keep(rows.weights);
  const correctX = x.filter((_, row) => y[row] === 1);
  const wrongX = x.filter((_, row) => y[row] === 0);
  const correctWeights = weights?.filter((_, row) => y[row] === 1) ?? null;
  const wrongWeights = weights?.filter((_, row) => y[row] === 0) ?? null;
  const confidence = confidenceRows(rows);
  return {
    x,
    wrong: wrongOf(y),
    weights,
    correctX,
    wrongX,
    correctWeights,
    wrongWeights,
    correctMedian: lowerMedian(correctX, correctWeights),
    wrongMedian: lowerMedian(wrongX, wrongWeights),
    confidence,
    ...accuracyOf(rows),
    means: {
      reward: weightedMean(rows, "reward"),
      certainty: weightedMean(rows, "certainty"),
      margin: weightedMean(rows, "margin"),
    },
    excluded: excludedRows(rows, { noLabel, noValue, confidence: confidence?.p.length ?? null }),
  };
}

function wrongOf(y: Int8Array): Uint8Array {
  const wrong = new Uint8Array(y.length);
  for (let row = 0; row < y.length; row += 1) wrong[row] = 1 - (y[row] as number);
  return wrong;
}

/** The least value that half of the weight does not exceed: an element, so that infinite uncertainties do no harm. */
function lowerMedian(values: Float64Array, weights: Float64Array | null): number {
  if (weights === null) return sortedCopy(values)[Math.ceil(values.length / 2) - 1] ?? Number.NaN;
  const order = sortedOrder(values);
  let total = 0;
  for (let i = 0; i < weights.length; i += 1) total += weights[i] as number;
  let sum = 0;
  for (const row of order) {
    sum += weights[row] as number;
    if (sum > 0 && 2 * sum >= total) return values[row] as number;
  }
  return Number.NaN;
}

function confidenceRows(rows: SliceRows): ReadyRows["confidence"] {
  const values = rows.extra.confidence;
  if (values === undefined) return null;
  const has = (_: number, row: number): boolean => rows.y[row] !== -1 && !Number.isNaN(values[row]);
  return {
    p: values.filter(has),
    y: Uint8Array.from(rows.y.filter(has)),
    weights: rows.weights?.filter(has) ?? null,
  };
}

function accuracyOf(rows: SliceRows): { accuracy: number; labelled: number } {
  let total = 0;
  let right = 0;
  let labelled = 0;
  for (let row = 0; row < rows.rows; row += 1) {
    if (rows.y[row] === -1) continue;
    const w = rows.weights === null ? 1 : (rows.weights[row] as number);
    labelled += 1;
    total += w;
    if (rows.y[row] === 1) right += w;
  }
  return { accuracy: right / total, labelled };
}

function weightedMean(rows: SliceRows, name: ExtraColumn): number {
  const values = rows.extra[name];
  if (values === undefined) return Number.NaN;
  let total = 0;
  let sum = 0;
  let error = 0;
  for (let row = 0; row < rows.rows; row += 1) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    const w = rows.weights === null ? 1 : (rows.weights[row] as number);
    total += w;
    // Neumaier's compensation, as in math/sum: the mean of ten million rewards keeps its digits.
    const term = w * value;
    const next = sum + term;
    error += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  return total === 0 ? Number.NaN : (Number.isFinite(sum) ? sum + error : sum) / total;
}

function excludedRows(
  rows: SliceRows,
  counts: { readonly noLabel: number; readonly noValue: number; readonly confidence: number | null },
): Record<string, number> {
  const excluded: Record<string, number> = {};
  if (counts.noLabel > 0) excluded["correctness unknown"] = counts.noLabel;
  if (counts.noValue > 0) excluded["uncertainty missing"] = counts.noValue;
  const noConfidence = rows.rows - counts.noLabel - (counts.confidence ?? rows.rows - counts.noLabel);
  if (noConfidence > 0) excluded["confidence missing (ECE, Brier, NLL only)"] = noConfidence;
  return excluded;
}
