import type { ResultColumn } from "./columns.ts";

/** The number of rows of a result column. */
export function resultRows(column: ResultColumn): number {
  if (column.type === "float64") return column.values.length;
  return column.type === "utf8" ? column.codes.length : column.offsets.length - 1;
}
