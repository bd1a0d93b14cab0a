import type { LogitsJob } from "../check-log-prob-input.ts";
import { decodeHalf } from "../half-floats.ts";
import { checkOnHost, type TakeRows } from "./host-rows.ts";
import type { LogitsTile, TiledJob } from "./score-tiles.ts";
import { subnormalRows } from "./subnormal-rows.ts";
import type { TensorOps } from "./tensor-flow.ts";
import { tileLayout } from "./tile-layout.ts";

/**
 * Logits in the memory of the computer, in tiles of whole rows where a row has room in one.
 *
 * @param tileNumbers - logits of a tile.
 * @param flushes - whether the device takes subnormal numbers for 0; rows with such are then scored here.
 * @throws CalibrantError `option` for logits on a CUDA device.
 */
export function logitsTiles(
  tf: TensorOps,
  take: TakeRows,
  { logits, targets, scale, want }: LogitsJob,
  tileNumbers: number,
  flushes: boolean,
): TiledJob {
  checkOnHost("logits", logits);
  const { data, type, offset, rowStride, columns: vocab } = logits;
  const tileColumns = Math.min(vocab, tileNumbers);
  const blockRows = Math.max(1, Math.floor(tileNumbers / tileLayout(tileColumns).padded));
  const stored = (row: number): number => {
    const value = (data as Float32Array)[offset + row * rowStride + (targets[row] as number)] as number;
    return type === "float32" ? value : decodeHalf(value, type);
  };
  const aimsOf = (rows: Int32Array): Float32Array => Float32Array.from(rows, stored);
  function* tiles(rows: Int32Array): Generator<LogitsTile> {
    for (let start = 0; start < vocab; start += tileColumns) {
      const layout = tileLayout(Math.min(tileColumns, vocab - start));
      const { columns, padded } = layout;
      const values = take(logits, { rows, start, columns, padded, padding: Number.NEGATIVE_INFINITY });
      yield { start, layout, logits: () => tf.tensor2d(values, [rows.length, padded], "float32") };
    }
  }
  const job = { targets, scale, want, blockRows, aims: aimsOf, tiles };
  return flushes ? { ...job, scoreApart: subnormalRows(logits, targets, scale) } : job;
}
