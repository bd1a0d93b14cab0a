import { sampleMultinomial } from "../../math/binomial-sample.ts";
import { type BlockRows, blockTable, createBlockResampler } from "../../math/block-table.ts";
import type { IouCells } from "./iou-cells.ts";
import { cellsOfRows } from "./iou-counts.ts";
import type { IouRows } from "./iou-rows.ts";
import type { IouUnits } from "./iou-units.ts";

/** Overwrites its argument with the cells of one more resample: those of the correct rows, then those of the wrong. */
export type CellSampler = (cells: Float64Array) => void;

/**
 * Resamples of unweighted single rows, correct and wrong ones jointly: the multinomial distribution over the cells, which
 * is exact for fixed edges and costs O(cells) whatever the number of rows.
 */
export function rowSampler(cells: IouCells, random: () => number): CellSampler {
  const weights = new Float64Array(cells.correct.length + cells.wrong.length);
  weights.set(cells.correct);
  weights.set(cells.wrong, cells.correct.length);
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i] as number;
  return (target) => sampleMultinomial(total, weights, total, random, target);
}

/** Rows of one run to resample in blocks. */
export interface BlockRun {
  readonly correct: IouRows;
  readonly wrong: IouRows;
  readonly cells: IouCells;
}

/**
 * Resamples of whole blocks of one or more runs; the cells of the runs follow each other, correct before wrong.
 *
 * @param units blocks of the rows, two lists a run: correct, wrong
 */
export function blockSampler(runs: readonly BlockRun[], units: IouUnits, random: () => number): CellSampler {
  const parts: BlockRows[] = [];
  let firstCell = 0;
  for (const { correct, wrong, cells } of runs) {
    for (const rows of [correct, wrong]) {
      const blocks = units.blockOf[parts.length] as Int32Array;
      parts.push({ blocks, cells: cellsOfRows(rows.values, cells.edges), weights: rows.weights, firstCell });
      firstCell += cells.correct.length;
    }
  }
  return createBlockResampler(blockTable(parts, units.blocks, firstCell), firstCell, random);
}

/** The IoU of cells as a {@link CellSampler} writes them, from `start` on. */
export function iouOfCells(cells: IouCells, values: Float64Array, start: number = 0): number {
  const size = cells.correct.length;
  const correct = values.subarray(start, start + size);
  return cells.measure(correct, values.subarray(start + size, start + 2 * size)).iou;
}
