import { listColumn, placeOf } from "../../data/batch-columns.ts";
import type { ListColumn, RolloutBatch } from "../../data/columns.ts";
import { CalibrantError } from "../../errors.ts";

/** The last token of each turn of a row, from 0, ascending; null where the row says nothing of it. */
export type TurnEndsReader = (row: number) => readonly number[] | null;

/**
 * Reads where turns end: `turn_ends`, the positions themselves, else `turn_end_mask`, whose k-th non-zero position ends turn k
 * (as the authors' trainer keeps it). Positions count the tokens of the row as `logprobs` does.
 *
 * @throws CalibrantError `data`, when a row is read, for positions that are no ascending whole numbers from 0.
 */
export function turnEndsReader(batch: RolloutBatch): TurnEndsReader {
  const ends = listColumn(batch, "turn_ends");
  const mask = listColumn(batch, "turn_end_mask");
  return (row) => {
    if (ends !== null && ends.rowValid?.[row] !== 0) return checkedEnds(batch, row, elements(ends, row));
    if (mask === null || mask.rowValid?.[row] === 0) return null;
    return elements(mask, row).flatMap((value, position) => (value === 0 ? [] : [position]));
  };
}

function elements({ values, offsets, valueValid }: ListColumn, row: number): number[] {
  const found: number[] = [];
  for (let i = offsets[row] as number; i < (offsets[row + 1] as number); i++)
    found.push(valueValid?.[i] === 0 ? Number.NaN : (values[i] as number));
  return found;
}

function checkedEnds(batch: RolloutBatch, row: number, ends: readonly number[]): readonly number[] {
  let last = -1;
  for (const end of ends) {
    if (!Number.isInteger(end) || end <= last) {
      throw new CalibrantError(
        "data",
        `${placeOf(batch, row)}: column turn_ends: must be the last token of each turn, ascending from 0, got ${end}${last < 0 ? "" : ` after ${last}`}`,
        { row, end },
      );
    }
    last = end;
  }
  return ends;
}
