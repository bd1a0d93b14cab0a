import { type CheckedWant, SKIPPED_TARGET } from "../check-log-prob-input.ts";
import type { LogProbColumns } from "../log-prob-backend.ts";
import { closeColumns, type OpenColumns, openColumns } from "../log-prob-columns.ts";
import { addTile, closeTotals, openTotals, type RowTotals } from "./row-totals.ts";
import type { TensorOps, TfTensor } from "./tensor-flow.ts";
import type { TileLayout } from "./tile-layout.ts";
import { tileNumbers } from "./tile-work.ts";

/** A tile of logits: some rows, and the tokens from `start` on. */
export interface LogitsTile {
  readonly start: number;
  readonly layout: TileLayout;
  /** Makes `(rows, layout.padded)` logits, within a scope that frees them. */
  logits(): TfTensor;
}

/** Rows to score, in tiles. */
export interface TiledJob {
  readonly targets: Int32Array;
  readonly scale: number;
  readonly want: CheckedWant;
  /** Rows of a tile at most. */
  readonly blockRows: number;
  /** The logits of the targets of some rows, as ranks count from. */
  aims(rows: Int32Array): Float32Array;
  /** Scores a row that the device would get wrong; false for one that it can have. */
  scoreApart?(row: number, columns: OpenColumns): boolean;
  /** The tiles of some rows, in the order of their tokens. */
  tiles(rows: Int32Array): Iterable<LogitsTile>;
}

/**
 * Scores rows, tile by tile.
 *
 * @param goOn - called before each tile; what it throws ends the work.
 */
export async function scoreTiles(
  tf: TensorOps,
  job: TiledJob,
  goOn: () => Promise<void>,
): Promise<LogProbColumns> {
  const { targets, scale, want } = job;
  const columns = openColumns(targets.length, want);
  const isForDevice = (row: number): boolean =>
    targets[row] !== SKIPPED_TARGET && job.scoreApart?.(row, columns) !== true;
  for (const rows of rowBlocks(targets.length, isForDevice, job.blockRows)) {
    const ids = rows.map((row) => targets[row] as number);
    const totals = openTotals(ids, job.aims(rows), scale, want);
    for (const tile of job.tiles(rows)) {
      await goOn();
      await scoreTile(tf, tile, totals, want);
    }
    closeTotals(totals, rows, columns);
  }
  return closeColumns(columns);
}

async function scoreTile(
  tf: TensorOps,
  { start, layout, logits }: LogitsTile,
  totals: RowTotals,
  want: CheckedWant,
): Promise<void> {
  const { targets, aims, scale } = totals;
  const inTile = targets.map((id) => (id >= start && id < start + layout.columns ? id - start : 0));
  const question = { rows: targets.length, layout, scale, want, targets: inTile, aims };
  addTile(totals, await tileNumbers(tf, logits, question), { start, ...layout });
}

/** Those of the first `count` rows that are wanted, `size` at a time. */
function* rowBlocks(count: number, isWanted: (row: number) => boolean, size: number): Generator<Int32Array> {
  let rows: number[] = [];
  for (let row = 0; row < count; row++) {
    if (!isWanted(row)) continue;
    rows.push(row);
    if (rows.length < size) continue;
    yield Int32Array.from(rows);
    rows = [];
  }
  if (rows.length > 0) yield Int32Array.from(rows);
}
