import type { CheckedMatrix } from "../check-log-prob-input.ts";
import type { TakeRows } from "./host-rows.ts";
import type { TensorOps, TfTensor } from "./tensor-flow.ts";
import { type TileLayout, tileLayout } from "./tile-layout.ts";

/** Weights of the tokens from `start` on, on the device: `(layout.padded, width)`. */
export interface WeightsTile {
  readonly start: number;
  readonly layout: TileLayout;
  readonly tensor: TfTensor;
}

/** Output layers whose weights stay on the device. */
export interface WeightsCache {
  /**
   * The tiles of a matrix; put there the first time that this array is given, and known by it from then on.
   *
   * @param goOn - called between two tiles; what it throws ends the work.
   */
  tilesOf(
    matrix: CheckedMatrix,
    tileColumns: number,
    goOn: () => Promise<void>,
  ): Promise<readonly WeightsTile[]>;
  /** Frees everything. */
  clear(): void;
}

/** A policy and its reference model. */
const LAYERS = 2;

interface Layer {
  readonly matrix: CheckedMatrix;
  readonly tiles: readonly WeightsTile[];
}

/** A cache for two output layers, which frees the one that was used longest ago. */
export function weightsCache(tf: TensorOps, take: TakeRows): WeightsCache {
  let layers: Layer[] = [];
  return {
    async tilesOf(matrix, tileColumns, goOn) {
      const known = layers.find((layer) => isSame(layer.matrix, matrix));
      if (known !== undefined) {
        layers = [...layers.filter((layer) => layer !== known), known];
        return known.tiles;
      }
      while (layers.length >= LAYERS) free((layers.shift() as Layer).tiles);
      const tiles = await uploaded(tf, take, matrix, tileColumns, goOn);
      layers.push({ matrix, tiles });
      return tiles;
    },
    clear() {
      for (const { tiles } of layers) free(tiles);
      layers = [];
    },
  };
}

function isSame(a: CheckedMatrix, b: CheckedMatrix): boolean {
  return a.data === b.data && a.type === b.type && a.rows === b.rows && a.columns === b.columns;
}

async function uploaded(
  tf: TensorOps,
  take: TakeRows,
  matrix: CheckedMatrix,
  tileColumns: number,
  goOn: () => Promise<void>,
): Promise<readonly WeightsTile[]> {
  const { rows: vocab, columns: width } = matrix;
  const tiles: WeightsTile[] = [];
  try {
    for (let start = 0; start < vocab; start += tileColumns) {
      if (start > 0) await goOn();
      const layout = tileLayout(Math.min(tileColumns, vocab - start));
      const rows = Int32Array.from({ length: layout.columns }, (_row, id) => start + id);
      const padding = { padding: 0, padded: width, paddedRows: layout.padded };
      const values = take(matrix, { rows, start: 0, columns: width, ...padding });
      tiles.push({ start, layout, tensor: tf.tensor2d(values, [layout.padded, width], "float32") });
    }
    return tiles;
  } catch (error) {
    free(tiles);
    throw error;
  }
}

function free(tiles: readonly WeightsTile[]): void {
  for (const { tensor } of tiles) tensor.dispose();
}
