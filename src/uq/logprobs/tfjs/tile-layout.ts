/** How the columns of a tile are cut, so that sums of many small numbers are exact enough in float32. */
export interface TileLayout {
  /** Columns of the tile that hold numbers. */
  readonly columns: number;
  /** Blocks that are summed on the device; their sums are added in float64 on the host. */
  readonly blocks: number;
  /** Columns of a block. */
  readonly size: number;
  /** `blocks · size`: those after `columns` hold −Infinity. */
  readonly padded: number;
}

/** Sums of so many numbers have errors of about 1e-7, even where a backend of TensorFlow.js adds one number after another. */
const BLOCK = 1024;

/** Blocks of about 1,024 columns, of those numbers of blocks that leave the fewest columns to pad the smallest. */
export function tileLayout(columns: number): TileLayout {
  let best = Math.ceil(columns / (2 * BLOCK));
  for (let blocks = best; blocks <= Math.ceil(columns / (BLOCK / 2)); blocks++)
    if (paddingOf(columns, blocks) < paddingOf(columns, best)) best = blocks;
  const size = Math.ceil(columns / best);
  return { columns, blocks: best, size, padded: best * size };
}

function paddingOf(columns: number, blocks: number): number {
  return blocks * Math.ceil(columns / blocks) - columns;
}
