import type { CheckedWant } from "../check-log-prob-input.ts";
import { ROW_STATUS } from "../log-prob-backend.ts";
import type { OpenColumns } from "../log-prob-columns.ts";

/** The tensors of a tile, as numbers. */
export interface TileNumbers {
  readonly max: Float32Array;
  readonly sums: Float32Array;
  readonly found: Float32Array;
  readonly weighted: Float32Array | null;
  readonly above: Float32Array | null;
  readonly fromFirst: Float32Array | null;
  readonly topLogits: Float32Array | null;
  readonly topColumns: Int32Array | null;
}

/** Where a tile lies. */
export interface TilePlace {
  /** The token of its first column. */
  readonly start: number;
  readonly columns: number;
  readonly blocks: number;
  readonly padded: number;
}

/** What the tiles of some rows tell together, in float64. */
export interface RowTotals {
  readonly targets: Int32Array;
  readonly aims: Float32Array;
  readonly scale: number;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  readonly weighted: Float64Array;
  readonly above: Float64Array;
  readonly aim: Float64Array;
  readonly argmax: Int32Array;
  readonly notFinite: Uint8Array;
  readonly topIds: Int32Array;
  readonly topLogits: Float32Array;
  readonly topCount: Int32Array;
}

/**
 * Rows of which no tile was seen.
 *
 * @param targets - `(rows)` token ids.
 * @param aims - `(rows)` logits of the targets, as ranks count from.
 */
export function openTotals(
  targets: Int32Array,
  aims: Float32Array,
  scale: number,
  { topK }: CheckedWant,
): RowTotals {
  const rows = targets.length;
  return {
    targets,
    aims,
    scale,
    max: new Float64Array(rows).fill(Number.NEGATIVE_INFINITY),
    sum: new Float64Array(rows),
    weighted: new Float64Array(rows),
    above: new Float64Array(rows),
    aim: new Float64Array(rows),
    argmax: new Int32Array(rows).fill(-1),
    notFinite: new Uint8Array(rows),
    topIds: new Int32Array(rows * topK).fill(-1),
    topLogits: new Float32Array(rows * topK),
    topCount: new Int32Array(rows),
  };
}

/** Adds a tile to the totals of its rows; tiles come in the order of their tokens. */
export function addTile(totals: RowTotals, numbers: TileNumbers, place: TilePlace): void {
  for (let row = 0; row < totals.targets.length; row++) {
    const sum = blockSum(numbers.sums, row, place.blocks);
    const max = numbers.max[row] as number;
    if (Number.isNaN(sum) || max === Number.POSITIVE_INFINITY) totals.notFinite[row] = 1;
    if (totals.notFinite[row] === 1) continue;
    addTarget(totals, numbers, place, row);
    // A tile with any token that is not masked has a sum of 1 at least: that of its greatest logit.
    if (sum < 0.5) continue;
    addSums(totals, numbers, place, row, max, sum);
    addTop(totals, numbers, place, row);
  }
}

/** Sums of blocks together, in float64. */
function blockSum(sums: Float32Array, row: number, blocks: number): number {
  let sum = 0;
  for (let block = row * blocks; block < (row + 1) * blocks; block++) sum += sums[block] as number;
  return sum;
}

function addTarget(
  { targets, aims, aim, above }: RowTotals,
  { found, above: greater }: TileNumbers,
  { start, columns }: TilePlace,
  row: number,
): void {
  let count = (greater?.[row] ?? 0) as number;
  const column = (targets[row] as number) - start;
  if (column >= 0 && column < columns) {
    const own = found[row] as number;
    aim[row] = own;
    // Where logits are computed twice they may differ in the last bits; no token ranks behind itself.
    if (greater !== null && own > (aims[row] as number)) count -= 1;
  }
  above[row] = (above[row] as number) + count;
}

function addSums(
  totals: RowTotals,
  { weighted, fromFirst }: TileNumbers,
  { start, blocks, padded }: TilePlace,
  row: number,
  max: number,
  sum: number,
): void {
  const added = weighted === null ? 0 : blockSum(weighted, row, blocks);
  const before = totals.max[row] as number;
  if (max > before) {
    lower(totals, row, totals.scale * (before - max));
    totals.max[row] = max;
    totals.sum[row] = (totals.sum[row] as number) + sum;
    totals.weighted[row] = (totals.weighted[row] as number) + added;
    if (fromFirst !== null) totals.argmax[row] = start + padded - (fromFirst[row] as number);
    return;
  }
  const shift = totals.scale * (max - before);
  const factor = Math.exp(shift);
  if (factor === 0) return;
  totals.sum[row] = (totals.sum[row] as number) + factor * sum;
  totals.weighted[row] = (totals.weighted[row] as number) + factor * (added + shift * sum);
}

/** Makes sums relative to a greater maximum. */
function lower({ sum, weighted }: RowTotals, row: number, shift: number): void {
  const factor = Math.exp(shift);
  const old = sum[row] as number;
  sum[row] = factor * old;
  weighted[row] = factor === 0 ? 0 : factor * ((weighted[row] as number) + shift * old);
}

/** Merges two lists, both from the greatest logit on; of equal ones those of the earlier tile, whose ids are smaller, come first. */
function addTop(totals: RowTotals, numbers: TileNumbers, { start }: TilePlace, row: number): void {
  const { topLogits, topColumns } = numbers;
  if (topLogits === null || topColumns === null) return;
  const k = totals.topIds.length / totals.targets.length;
  const width = topLogits.length / totals.targets.length;
  const had = totals.topCount[row] as number;
  const oldIds = totals.topIds.slice(row * k, row * k + had);
  const oldLogits = totals.topLogits.slice(row * k, row * k + had);
  let [old, next, count] = [0, 0, 0];
  for (; count < k; count++) {
    const logit = next < width ? (topLogits[row * width + next] as number) : Number.NEGATIVE_INFINITY;
    if (old < had && (oldLogits[old] as number) >= logit) {
      totals.topIds[row * k + count] = oldIds[old] as number;
      totals.topLogits[row * k + count] = oldLogits[old] as number;
      old += 1;
    } else if (logit !== Number.NEGATIVE_INFINITY) {
      totals.topIds[row * k + count] = start + (topColumns[row * width + next] as number);
      totals.topLogits[row * k + count] = logit;
      next += 1;
    } else break;
  }
  totals.topCount[row] = count;
}

/**
 * Writes totals to the columns.
 *
 * @param rows - `(rows)`: where in the columns each belongs.
 */
export function closeTotals(totals: RowTotals, rows: ArrayLike<number>, columns: OpenColumns): void {
  for (let i = 0; i < totals.targets.length; i++) {
    const row = rows[i] as number;
    const max = totals.max[i] as number;
    if (totals.notFinite[i] === 1 || max === Number.NEGATIVE_INFINITY) {
      columns.status[row] = ROW_STATUS.notFinite;
      continue;
    }
    columns.status[row] = ROW_STATUS.ok;
    const sum = totals.sum[i] as number;
    const logSum = Math.log(sum);
    columns.logprob[row] = totals.scale * ((totals.aim[i] as number) - max) - logSum;
    if (columns.entropy !== null)
      columns.entropy[row] = Math.max(0, logSum - (totals.weighted[i] as number) / sum);
    if (columns.rank !== null) columns.rank[row] = 1 + (totals.above[i] as number);
    if (columns.argmax !== null) columns.argmax[row] = totals.argmax[i] as number;
    closeTop(totals, i, row, logSum, columns);
  }
}

function closeTop(totals: RowTotals, i: number, row: number, logSum: number, columns: OpenColumns): void {
  const { topIds, topLogprobs, coveredMass } = columns;
  if (topIds === null || topLogprobs === null || coveredMass === null) return;
  const k = totals.topIds.length / totals.targets.length;
  let mass = 0;
  for (let place = 0; place < (totals.topCount[i] as number); place++) {
    const logit = totals.topLogits[i * k + place] as number;
    const logprob = totals.scale * (logit - (totals.max[i] as number)) - logSum;
    topIds[row * k + place] = totals.topIds[i * k + place] as number;
    topLogprobs[row * k + place] = logprob;
    mass += Math.exp(logprob);
  }
  coveredMass[row] = mass;
}
