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

/** Objects, or an object of columns (arrays of one length), as a {@link PlainTable}; `name` is what errors call it. */
export function plainTable(data: readonly Row[] | ColumnArrays, name: string): PlainTable {
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

function isRows(data: readonly Row[] | ColumnArrays): data is readonly Row[] {
  return Array.isArray(data);
}
