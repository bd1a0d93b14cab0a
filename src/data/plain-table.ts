import { CalibrantError } from "../errors.ts";
import { batchFromArrays, type ColumnArrays, foundArrayColumns } from "./array-columns.ts";
import type { ColumnRequest, FoundColumn, RolloutBatch } from "./columns.ts";
import type { Row } from "./jsonl/row-value.ts";
import { batchFromRows, foundRowColumns } from "./jsonl/rows-columns.ts";

/** Plain data that a job reads like a file. */
export interface PlainTable {
  /** The columns that are there; empty without rows. */
  readonly found: readonly FoundColumn[];
  readonly isEmpty: boolean;
  /**
   * The requested columns.
   *
   * @throws CalibrantError `data` naming row and column of a value of another type, `length-mismatch` for columns of
   * different lengths.
   */
  readonly batch: (requests: readonly ColumnRequest[]) => RolloutBatch;
}

/**
 * Objects, or an object of columns (arrays of one length), as a {@link PlainTable}; `name` is what errors call it.
 *
 * @throws CalibrantError `option` for an Arrow table.
 */
export function plainTable(data: readonly Row[] | ColumnArrays, name: string): PlainTable {
  checkNoArrow(data, name);
  if (isRows(data)) {
    return {
      found: foundRowColumns(data),
      isEmpty: data.length === 0,
      batch: (requests) => batchFromRows(data, requests, name),
    };
  }
  return {
    found: foundArrayColumns(data),
    isEmpty: Object.values(data).every((column) => (column?.length ?? 0) === 0),
    batch: (requests) => batchFromArrays(data, requests),
  };
}

/** JavaScript lets an Arrow table through, which has no column by its name and so would have no rows. */
function checkNoArrow(data: object, name: string): void {
  if (!("schema" in data && "batches" in data)) return;
  throw new CalibrantError(
    "option",
    `${name} must be objects or columns of arrays, got an Arrow table: pass it to the function whose name ends in FromTable`,
  );
}

function isRows(data: readonly Row[] | ColumnArrays): data is readonly Row[] {
  return Array.isArray(data);
}
