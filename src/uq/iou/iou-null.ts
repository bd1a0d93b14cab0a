import { sampleWithoutReplacement } from "../../math/hypergeometric-sample.ts";
import { sortedCopy } from "../../math/sort-numbers.ts";
import type { IouCells } from "./iou-cells.ts";
import { cellsOfRows } from "./iou-counts.ts";
import type { BlockRun } from "./iou-interval.ts";
import type { IouRows } from "./iou-rows.ts";

/** What identical distributions would show. */
export interface IouNull {
  /** Mean IoU over permutations of the labels; NaN without permutations. */
  readonly nullMean: number;
  /** (1 + permutations with an IoU at or below the observed one) / (permutations + 1); NaN without permutations. */
  readonly pValue: number;
}

/** IoUs that differ by rounding only count as equal. */
const IOU_ROUNDING = 1e-12;

/**
 * The permutation null: labels are exchanged between single rows, edges stay. Drawn cell by cell from the multivariate
 * hypergeometric distribution, which is exact and costs O(cells) a permutation. Rows of different weight are apart in their
 * cell; more than {@link WEIGHT_LEVELS} different weights are taken together in as many levels, each with its mean weight.
 */
export function iouNull(run: BlockRun, permutations: number, random: () => number): IouNull {
  const { cells } = run;
  if (permutations === 0) return { nullMean: Number.NaN, pValue: Number.NaN };
  const weighted = run.correct.weights !== null || run.wrong.weights !== null;
  const kinds = weighted ? weightedKinds(run) : countKinds(cells);
  const taken = new Float64Array(kinds.rows.length);
  const correct = new Float64Array(cells.correct.length);
  const wrong = new Float64Array(cells.wrong.length);
  const observed = cells.measure(cells.correct, cells.wrong).iou + IOU_ROUNDING;
  let sum = 0;
  let atMost = 0;
  for (let i = 0; i < permutations; i++) {
    sampleWithoutReplacement(kinds.rows, kinds.correct, random, taken);
    spread(kinds, taken, correct, wrong);
    const { iou } = cells.measure(correct, wrong);
    sum += iou;
    if (iou <= observed) atMost += 1;
  }
  return { nullMean: sum / permutations, pValue: (1 + atMost) / (permutations + 1) };
}

/** Rows that are alike: those of one cell and one weight. */
interface Kinds {
  /** Rows of each kind in both classes, `(cells · levels)`. */
  readonly rows: Float64Array;
  /** Weight of one row of each kind. */
  readonly weight: Float64Array;
  readonly levels: number;
  /** Rows of the correct class. */
  readonly correct: number;
}

const WEIGHT_LEVELS = 64;

function countKinds(cells: IouCells): Kinds {
  const rows = cells.correct.map((count, k) => count + (cells.wrong[k] as number));
  const correct = cells.correct.reduce((sum, count) => sum + count, 0);
  return { rows, weight: new Float64Array(rows.length).fill(1), levels: 1, correct };
}

function weightedKinds({ correct, wrong, cells }: BlockRun): Kinds {
  const weights = [correct, wrong].map(
    (rows) => rows.weights ?? new Float64Array(rows.values.length).fill(1),
  );
  const bounds = weightLevels(weights as [Float64Array, Float64Array]);
  const levels = bounds.length;
  const rows = new Float64Array(cells.correct.length * levels);
  const weight = new Float64Array(rows.length);
  [correct, wrong].forEach((side: IouRows, index) => {
    const cellOf = cellsOfRows(side.values, cells.edges);
    const own = weights[index] as Float64Array;
    for (let i = 0; i < cellOf.length; i++) {
      const kind = (cellOf[i] as number) * levels + levelOf(own[i] as number, bounds);
      rows[kind] = (rows[kind] as number) + 1;
      weight[kind] = (weight[kind] as number) + (own[i] as number);
    }
  });
  for (let kind = 0; kind < rows.length; kind++) {
    if (rows[kind] !== 0) weight[kind] = (weight[kind] as number) / (rows[kind] as number);
  }
  return { rows, weight, levels, correct: correct.values.length };
}

/** The smallest weight of each level: every different weight, or quantiles where there are too many. */
function weightLevels([correct, wrong]: readonly [Float64Array, Float64Array]): Float64Array {
  const all = new Float64Array(correct.length + wrong.length);
  all.set(correct);
  all.set(wrong, correct.length);
  const sorted = sortedCopy(all);
  const distinct: number[] = [];
  for (let i = 0; i < sorted.length && distinct.length <= WEIGHT_LEVELS; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) distinct.push(sorted[i] as number);
  }
  if (distinct.length <= WEIGHT_LEVELS) return Float64Array.from(distinct);
  const cuts = new Set<number>();
  for (let level = 0; level < WEIGHT_LEVELS; level++) {
    cuts.add(sorted[Math.floor((level * sorted.length) / WEIGHT_LEVELS)] as number);
  }
  return Float64Array.from(cuts);
}

function levelOf(weight: number, bounds: Float64Array): number {
  let low = 1;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] as number) <= weight) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Turns rows taken of each kind into the weights of the cells of both classes. */
function spread(kinds: Kinds, taken: Float64Array, correct: Float64Array, wrong: Float64Array): void {
  const { rows, weight, levels } = kinds;
  for (let cell = 0; cell < correct.length; cell++) {
    let ofCorrect = 0;
    let ofWrong = 0;
    for (let kind = cell * levels; kind < (cell + 1) * levels; kind++) {
      const count = taken[kind] as number;
      ofCorrect += count * (weight[kind] as number);
      ofWrong += ((rows[kind] as number) - count) * (weight[kind] as number);
    }
    correct[cell] = ofCorrect;
    wrong[cell] = ofWrong;
  }
}
