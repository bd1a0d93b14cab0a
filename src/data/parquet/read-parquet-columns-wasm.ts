import { batchFromArrow } from "../arrow/arrow-columns.ts";
import type { ColumnRequest, RolloutBatch } from "../columns.ts";
import { readParquetFooter } from "./parquet-footer.ts";
import { readParquetBatches } from "./read-parquet-wasm.ts";

/**
 * Reads columns of a Parquet file through parquet-wasm, in the file's row order: whole row groups in memory, unlike
 * `readParquetColumns`, which this stands in for where DuckDB is missing or cannot decode a file.
 *
 * @param rows - first row, from 0, and the row after the last; all rows by default.
 * @throws CalibrantError as {@link readParquetBatches} and {@link batchFromArrow}.
 */
export async function* readParquetColumnsByWasm(
  path: string,
  requests: readonly ColumnRequest[],
  rows: { readonly rowStart?: number | undefined; readonly rowEnd?: number | undefined } = {},
): AsyncGenerator<RolloutBatch> {
  const footer = await readParquetFooter(path);
  const { rowStart = 0, rowEnd = footer.rows } = rows;
  const columns = requests.map(({ name }) => name);
  let groupStart = 0;
  for (const [index, group] of footer.rowGroups.entries()) {
    let first = groupStart;
    groupStart += group.rows;
    if (groupStart <= rowStart || first >= rowEnd) continue;
    for await (const batch of readParquetBatches(path, { columns, rowGroups: [index] })) {
      const begin = Math.max(0, rowStart - first);
      const end = Math.min(batch.numRows, rowEnd - first);
      if (begin < end) yield batchFromArrow(batch.slice(begin, end), requests, path, first + begin);
      first += batch.numRows;
    }
  }
}
