import { dealBlocks } from "../../math/block-table.ts";
import { denseCodes } from "../../math/dense-codes.ts";
import type { IouRows } from "./iou-rows.ts";

/** More independent units than this are merged at random into as many blocks. */
export const MOST_BLOCKS: number = 4096;

/** Which rows are resampled together. */
export interface IouUnits {
  /** For each list of rows, the block of each row. */
  readonly blockOf: readonly Int32Array[];
  readonly blocks: number;
  /** Prompts, or rows where there are no clusters. */
  readonly units: number;
  /** Whether there are more units than blocks. */
  readonly merged: boolean;
}

/**
 * Groups the rows of several lists into blocks to resample: the prompts that their cluster codes name (one code is one
 * prompt in all lists), or single rows; above {@link MOST_BLOCKS} prompts random blocks of prompts of nearly equal number,
 * whose bootstrap has the same variance in expectation.
 *
 * @param random uniform numbers in [0, 1); used only to merge
 */
export function resampledUnits(lists: readonly IouRows[], random: () => number): IouUnits {
  const { codes, count } = denseCodes(lists.map(codesOf));
  if (count <= MOST_BLOCKS) return { blockOf: codes, blocks: count, units: count, merged: false };
  const dealt = dealBlocks(count, MOST_BLOCKS, random);
  const blockOf = codes.map((list) => list.map((unit) => dealt[unit] as number));
  return { blockOf, blocks: MOST_BLOCKS, units: count, merged: true };
}

/** The codes of rows; without clusters every row is unlike the others. */
function codesOf(rows: IouRows): Float64Array | NonNullable<IouRows["clusters"]> {
  return rows.clusters ?? new Float64Array(rows.values.length).fill(-1);
}
