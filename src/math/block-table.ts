import { createResampler } from "./resample.ts";

/** What each block of rows adds to each cell, sparse: entries of block b are at `starts[b]` to `starts[b + 1]`. */
export interface BlockTable {
  readonly blocks: number;
  /** `(blocks + 1)` */
  readonly starts: Int32Array;
  /** Cell of each entry. */
  readonly cells: Int32Array;
  /** Sum of the weights of the block's rows in that cell. */
  readonly sums: Float64Array;
}

/** Rows to sum up: the block, the cell and the weight of each. */
export interface BlockRows {
  /** `(n)`, from 0 */
  readonly blocks: Int32Array;
  /** `(n)`, from 0; {@link BlockRows.firstCell} is added. */
  readonly cells: Int32Array;
  /** `(n)`; null = every row counts 1. */
  readonly weights: Float64Array | null;
  readonly firstCell: number;
}

/** Sums rows by block and cell. Uses `blocks · cells` numbers of memory on the way. */
export function blockTable(parts: readonly BlockRows[], blocks: number, cells: number): BlockTable {
  const dense = new Float64Array(blocks * cells);
  for (const part of parts) addRows(dense, part, cells);
  let entries = 0;
  for (let i = 0; i < dense.length; i++) if (dense[i] !== 0) entries += 1;
  const starts = new Int32Array(blocks + 1);
  const cellOf = new Int32Array(entries);
  const sums = new Float64Array(entries);
  let next = 0;
  for (let block = 0; block < blocks; block++) {
    for (let cell = 0; cell < cells; cell++) {
      const sum = dense[block * cells + cell] as number;
      if (sum === 0) continue;
      cellOf[next] = cell;
      sums[next] = sum;
      next += 1;
    }
    starts[block + 1] = next;
  }
  return { blocks, starts, cells: cellOf, sums };
}

function addRows(dense: Float64Array, part: BlockRows, cells: number): void {
  const { blocks, cells: cellOf, weights, firstCell } = part;
  for (let i = 0; i < blocks.length; i++) {
    const at = (blocks[i] as number) * cells + (cellOf[i] as number) + firstCell;
    dense[at] = (dense[at] as number) + (weights === null ? 1 : (weights[i] as number));
  }
}

/** Resamples computed in one pass over the table, which is larger than the processor's cache. */
const LANES = 4;

/**
 * Bootstrap resamples of blocks: a function that overwrites its argument `(cells)` with the sum of as many blocks as there
 * are, drawn with replacement.
 *
 * @param cells number of cells of the table
 * @param random uniform numbers in [0, 1); one is used for each drawn block
 */
export function createBlockResampler(
  table: BlockTable,
  cells: number,
  random: () => number,
): (target: Float64Array) => void {
  const resample = createResampler(table.blocks, random);
  const multiplicities = Array.from({ length: LANES }, () => new Int32Array(table.blocks));
  const ahead = new Float64Array(LANES * cells);
  let lane = LANES;
  return (target) => {
    if (lane === LANES) {
      multiplicities.forEach(resample);
      sumBlocks(table, multiplicities, ahead);
      lane = 0;
    }
    for (let cell = 0; cell < cells; cell++) target[cell] = ahead[cell * LANES + lane] as number;
    lane += 1;
  };
}

/** Overwrites `target` `(cells · 4)` with the sums of {@link LANES} resamples side by side. */
function sumBlocks(table: BlockTable, multiplicities: readonly Int32Array[], target: Float64Array): void {
  const { starts, cells, sums } = table;
  const [first, second, third, fourth] = multiplicities as [Int32Array, Int32Array, Int32Array, Int32Array];
  target.fill(0);
  for (let block = 0; block < table.blocks; block++) {
    const a = first[block] as number;
    const b = second[block] as number;
    const c = third[block] as number;
    const d = fourth[block] as number;
    const end = starts[block + 1] as number;
    for (let i = starts[block] as number; i < end; i++) {
      const at = LANES * (cells[i] as number);
      const sum = sums[i] as number;
      target[at] = (target[at] as number) + a * sum;
      target[at + 1] = (target[at + 1] as number) + b * sum;
      target[at + 2] = (target[at + 2] as number) + c * sum;
      target[at + 3] = (target[at + 3] as number) + d * sum;
    }
  }
}

/**
 * Deals units to blocks of nearly equal size at random: the block of each unit, `(units)`.
 *
 * @param random uniform numbers in [0, 1)
 */
export function dealBlocks(units: number, blocks: number, random: () => number): Int32Array {
  const blockOf = new Int32Array(units);
  for (let unit = 0; unit < units; unit++) blockOf[unit] = unit % blocks;
  for (let unit = units - 1; unit > 0; unit--) {
    const other = Math.trunc(random() * (unit + 1));
    const block = blockOf[unit] as number;
    blockOf[unit] = blockOf[other] as number;
    blockOf[other] = block;
  }
  return blockOf;
}
