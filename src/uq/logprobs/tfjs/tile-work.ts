import type { TileNumbers } from "./row-totals.ts";
import type { TensorOps, TfTensor } from "./tensor-flow.ts";
import { type TileQuestion, type TileTensors, tileTensors } from "./tile-graph.ts";

/**
 * Computes a tile and reads its numbers. Nothing is left on the device, whatever happens.
 *
 * @param logits - makes the logits of the tile, within a scope that frees them.
 */
export async function tileNumbers(
  tf: TensorOps,
  logits: () => TfTensor,
  question: TileQuestion,
): Promise<TileNumbers> {
  const tensors = tf.tidy(() => tileTensors(tf, logits(), question));
  try {
    return await readTile(tensors);
  } finally {
    for (const tensor of Object.values(tensors) as (TfTensor | null)[]) tensor?.dispose();
  }
}

async function readTile(tensors: TileTensors): Promise<TileNumbers> {
  const read = async (tensor: TfTensor | null): Promise<Float32Array | null> =>
    tensor === null ? null : ((await tensor.data()) as Float32Array);
  return {
    max: (await read(tensors.max)) as Float32Array,
    sums: (await read(tensors.sums)) as Float32Array,
    found: (await read(tensors.found)) as Float32Array,
    weighted: await read(tensors.weighted),
    above: await read(tensors.above),
    fromFirst: await read(tensors.fromFirst),
    topLogits: await read(tensors.topLogits),
    topColumns: ((await tensors.topColumns?.data()) as Int32Array | undefined) ?? null,
  };
}
