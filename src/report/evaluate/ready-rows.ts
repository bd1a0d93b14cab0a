import { sortedCopy, sortedOrder } from "../../math/sort-numbers.ts";
import { countFlags, keepRows } from "./keep-rows.ts";
import type { ExtraColumn } from "./row-store.ts";
import type { SliceRows } from "./split-rows.ts";

/** The rows of a slice as the kernels take them: used rows only, and each class by itself. */
export interface ReadyRows {
  /** Uncertainty of used rows, with a label and not NaN, `(n)`: the correct ones first. */
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
  const classes = classRows(rows);
  const { correct, wrong } = classes;
  const confidence = confidenceRows(rows);
  return {
    x: joined(correct.x, wrong.x),
    wrong: new Uint8Array(correct.x.length + wrong.x.length).fill(1, correct.x.length),
    weights:
      correct.weights === null || wrong.weights === null ? null : joined(correct.weights, wrong.weights),
    correctX: correct.x,
    wrongX: wrong.x,
    correctWeights: correct.weights,
    wrongWeights: wrong.weights,
    correctMedian: lowerMedian(correct),
    wrongMedian: lowerMedian(wrong),
    confidence,
    ...accuracyOf(rows),
    means: {
      reward: weightedMean(rows, "reward"),
      certainty: weightedMean(rows, "certainty"),
      margin: weightedMean(rows, "margin"),
    },
    excluded: excludedRows(rows, classes),
  };
}

/** The used rows of a class, ascending where they have no weights: kernels that sort find them sorted. */
interface ClassRows {
  readonly x: Float64Array;
  readonly weights: Float64Array | null;
}

function classRows(rows: SliceRows): {
  readonly correct: ClassRows;
  readonly wrong: ClassRows;
  readonly noLabel: number;
  readonly noValue: number;
  readonly noWeight: number;
} {
  const isCorrect = new Uint8Array(rows.rows);
  const isWrong = new Uint8Array(rows.rows);
  let noLabel = 0;
  let noValue = 0;
  let noWeight = 0;
  for (let row = 0; row < rows.rows; row += 1) {
    const label = rows.y[row] as number;
    if (rows.weights?.[row] === 0) noWeight += 1;
    else if (label === -1) noLabel += 1;
    else if (Number.isNaN(rows.x[row])) noValue += 1;
    else if (label === 1) isCorrect[row] = 1;
    else isWrong[row] = 1;
  }
  return { correct: classOf(rows, isCorrect), wrong: classOf(rows, isWrong), noLabel, noValue, noWeight };
}

function classOf(rows: SliceRows, flags: Uint8Array): ClassRows {
  const kept = countFlags(flags);
  const x = keepRows(rows.x, flags, kept);
  if (rows.weights !== null) return { x, weights: keepRows(rows.weights, flags, kept) };
  return { x: sortedCopy(x) as Float64Array, weights: null };
}

function joined(first: Float64Array, second: Float64Array): Float64Array {
  const both = new Float64Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The least value that half of the weight does not exceed: an element, so that infinite uncertainties do no harm. */
function lowerMedian({ x, weights }: ClassRows): number {
  if (weights === null) return x[Math.ceil(x.length / 2) - 1] ?? Number.NaN;
  const order = sortedOrder(x);
  let total = 0;
  for (let i = 0; i < weights.length; i += 1) total += weights[i] as number;
  let sum = 0;
  for (const row of order) {
    sum += weights[row] as number;
    if (sum > 0 && 2 * sum >= total) return x[row] as number;
  }
  return Number.NaN;
}

function confidenceRows(rows: SliceRows): ReadyRows["confidence"] {
  const values = rows.extra.confidence;
  if (values === undefined) return null;
  const has = new Uint8Array(rows.rows);
  for (let row = 0; row < rows.rows; row += 1) {
    if (rows.y[row] !== -1 && !Number.isNaN(values[row])) has[row] = 1;
  }
  const kept = countFlags(has);
  return {
    p: keepRows(values, has, kept),
    y: Uint8Array.from(keepRows(rows.y, has, kept)),
    weights: rows.weights === null ? null : keepRows(rows.weights, has, kept),
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

/** Each row counts under one reason. */
function excludedRows(
  rows: SliceRows,
  { noLabel, noValue, noWeight }: Readonly<Record<"noLabel" | "noValue" | "noWeight", number>>,
): Record<string, number> {
  const excluded: Record<string, number> = {};
  if (noLabel > 0) excluded["correctness unknown"] = noLabel;
  if (noValue > 0) excluded["uncertainty missing"] = noValue;
  if (noWeight > 0) excluded["weight 0"] = noWeight;
  const { confidence } = rows.extra;
  let noConfidence = 0;
  for (let row = 0; row < rows.rows && confidence !== undefined; row += 1) {
    if (rows.y[row] !== -1 && !Number.isNaN(rows.x[row]) && Number.isNaN(confidence[row])) noConfidence += 1;
  }
  if (noConfidence > 0) excluded["confidence missing (ECE, Brier, NLL only)"] = noConfidence;
  return excluded;
}
