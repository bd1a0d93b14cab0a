import { CalibrantError } from "../../errors.ts";
import type { SpooledRows } from "./part-spool.ts";

/** Cuts a sequence of row blocks into pieces of any asked size. */
export interface RowCursor {
  /** The next `rows` rows; asking for more than is left means that the input changed. */
  take(rows: number): Promise<SpooledRows>;
  /** Checks that no rows are left. */
  end(): Promise<void>;
}

/** Creates a {@link RowCursor} over blocks in row order. */
export function createRowCursor(blocks: AsyncIterator<SpooledRows>, width: number): RowCursor {
  let block: SpooledRows = { kept: [], groups: new Int32Array(0) };
  let used = 0;
  return {
    async take(rows) {
      const out: SpooledRows = {
        kept: Array.from({ length: width }, () => new Float64Array(rows)),
        groups: new Int32Array(rows),
      };
      let filled = 0;
      while (filled < rows) {
        if (used === block.groups.length) {
          const next = await blocks.next();
          if (next.done) throw changedInput();
          block = next.value;
          used = 0;
          if (filled === 0 && block.groups.length === rows) {
            used = rows;
            return block;
          }
        }
        const count = Math.min(rows - filled, block.groups.length - used);
        copyRows(block, used, out, filled, count);
        used += count;
        filled += count;
      }
      return out;
    },
    async end() {
      if (used < block.groups.length) throw changedInput();
      for (let next = await blocks.next(); !next.done; next = await blocks.next())
        if (next.value.groups.length > 0) throw changedInput();
    },
  };
}

function copyRows(from: SpooledRows, fromRow: number, to: SpooledRows, toRow: number, count: number): void {
  to.groups.set(from.groups.subarray(fromRow, fromRow + count), toRow);
  for (let column = 0; column < to.kept.length; column += 1) {
    const source = from.kept[column] as Float64Array;
    (to.kept[column] as Float64Array).set(source.subarray(fromRow, fromRow + count), toRow);
  }
}

function changedInput(): CalibrantError {
  return new CalibrantError(
    "data",
    "the input changed while it was read: its second reading holds another number of rows than its first",
  );
}
