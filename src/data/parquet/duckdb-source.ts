import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdbFile, duckdbName } from "./duckdb-session.ts";
import type { ParquetFooter } from "./parquet-footer.ts";

/** A top-level column as the engine knows it. */
export interface DuckdbColumn {
  /** Quoted for SQL. */
  readonly name: string;
  /** For example `FLOAT[]`. */
  readonly type: string;
}

/** The engine has no option to count the rows of a file that has a column of this name. */
const ROW_NUMBER = "file_row_number";
/** Without this, a folder named like `a=1` would replace the values of a column `a`. */
const AS_STORED = "hive_partitioning = false";

/**
 * The top-level columns of a Parquet file in their order. The engine renames columns whose names differ in case only, so
 * columns are to be matched by place.
 */
export async function duckdbColumns(
  connection: DuckDBConnection,
  footer: ParquetFooter,
): Promise<DuckdbColumn[]> {
  const described = await connection.runAndReadAll(`describe select * ${duckdbRows(footer)}`);
  return described.getRows().map(([name, type]) => ({ name: duckdbName(String(name)), type: String(type) }));
}

/** The part of a query from `from` on, for rows `start … end` of a Parquet file; row groups outside are not read. */
export function duckdbRows(footer: ParquetFooter, start = 0, end: number = footer.rows): string {
  const file = duckdbFile(footer.name);
  if (start <= 0 && end >= footer.rows) return `from read_parquet(${file}, ${AS_STORED})`;
  if (footer.root.children.some(({ name }) => name.toLowerCase() === ROW_NUMBER)) {
    return `from read_parquet(${file}, ${AS_STORED}) limit ${Math.max(0, end - start)} offset ${start}`;
  }
  const range = `${ROW_NUMBER} >= ${start} and ${ROW_NUMBER} < ${end}`;
  return `from read_parquet(${file}, ${AS_STORED}, file_row_number = true) where ${range}`;
}
