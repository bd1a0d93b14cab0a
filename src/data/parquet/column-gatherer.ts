import type { DuckDBVector } from "@duckdb/node-api";
import type { Column } from "../columns.ts";

/** Gathers one column of several engine chunks (up to 2,048 rows each) into one batch. */
export interface ColumnGatherer {
  /** Copies the rows of a chunk, whose memory may be freed afterwards; returns about how many bytes that took. */
  append(vector: DuckDBVector, rows: number): number;
  /**
   * The column of all rows since the last call.
   *
   * @param firstRow - its first row's number in the file, for errors of single rows.
   */
  take(firstRow: number): Column;
}
