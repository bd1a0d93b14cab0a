import { Table } from "apache-arrow";
import type { ResultColumn } from "../columns.ts";
import { type AppendedColumn, appendArrowColumns, appendedSchema } from "./append-arrow-columns.ts";

/**
 * A table with columns added behind its own; input columns keep their buffers and record batches their bounds.
 *
 * @param columns - names and types of what is added.
 * @param results - the added columns of each record batch, in the order of `columns`.
 * @throws CalibrantError `data` when a column of that name is there already.
 */
export function appendTableColumns(
  table: Table,
  columns: readonly AppendedColumn[],
  results: readonly (readonly ResultColumn[])[],
): Table {
  const schema = appendedSchema(table.schema, columns);
  return new Table(
    schema,
    table.batches.map((batch, index) => appendArrowColumns(batch, results[index] ?? [], schema)),
  );
}
