import { CalibrantError } from "../errors.ts";

/**
 * Checks that offsets ascend from 0 or more and stay within `length` values.
 *
 * @throws CalibrantError `data` for offsets that fall or are none; `length-mismatch` when they reach past the values.
 */
export function checkOffsets(name: string, offsets: Int32Array, length: number): void {
  const rows = offsets.length - 1;
  if (rows < 0)
    throw new CalibrantError("data", `offsets of ${name} must hold at least one number, got none`);
  let last = 0;
  for (let i = 0; i <= rows; i++) {
    const offset = offsets[i] as number;
    if (offset < last) {
      throw new CalibrantError(
        "data",
        `offsets of ${name} must ascend from 0 or more; entry ${i} is ${offset}`,
        {
          entry: i,
          offset,
        },
      );
    }
    last = offset;
  }
  if (last > length) {
    throw new CalibrantError(
      "length-mismatch",
      `offsets of ${name} end at ${last}, but its values at ${length}`,
      {
        end: last,
        length,
      },
    );
  }
}

/** @throws CalibrantError `length-mismatch` when a row of `name` is not as long as its log-probs. */
export function checkRow(name: string, row: number, found: number, expected: number): void {
  if (found === expected) return;
  throw new CalibrantError(
    "length-mismatch",
    `${name} of row ${row} must have ${expected} entries, one for each of its log-probs; got ${found}`,
    { name, row, found, expected },
  );
}

/** @throws CalibrantError `data` when segment offsets do not ascend. */
export function checkSegments(offsets: Int32Array): void {
  for (let i = 1; i < offsets.length; i++) {
    if ((offsets[i] as number) < (offsets[i - 1] as number)) {
      throw new CalibrantError("data", `segmentOffsets must ascend; entry ${i} is ${offsets[i]}`, {
        entry: i,
      });
    }
  }
}
