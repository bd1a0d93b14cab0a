import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duckdbError, duckdbName, openDuckdb } from "./duckdb-session.ts";
import { duckdbColumns, duckdbRows } from "./duckdb-source.ts";
import type { ParquetFooter } from "./parquet-footer.ts";

/** Some rows of a Parquet file, written again. */
export interface SmallerGroups {
  readonly path: string;
  /** Removes the file. */
  remove(): Promise<void>;
}

/** Which part to write again, and how. */
export interface SmallerGroupsOptions {
  readonly rowStart: number;
  readonly rowEnd: number;
  /** Places of the top-level columns to keep. */
  readonly columns: readonly number[];
  /** Rows of the new row groups. */
  readonly groupRows: number;
}

/**
 * Writes a part of a Parquet file again in smaller row groups, through DuckDB, into the system's folder for temporary
 * files. Memory stays flat. Types are not all kept: DuckDB knows fewer than Parquet.
 *
 * @throws CalibrantError `missing-package` without DuckDB; `data` naming the file when the engine fails on it.
 */
export async function writeSmallerGroups(
  footer: ParquetFooter,
  options: SmallerGroupsOptions,
): Promise<SmallerGroups> {
  const session = await openDuckdb({ threads: 1 });
  const folder = await mkdtemp(join(tmpdir(), "calibrant-"));
  const path = join(folder, "recut.parquet");
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const known = await duckdbColumns(session.connection, footer);
    const columns = options.columns.map(
      (place) => `${known[place]?.name} as ${duckdbName(footer.root.children[place]?.name ?? "")}`,
    );
    const rows = `select ${columns.join(", ")} ${duckdbRows(footer, options.rowStart, options.rowEnd)}`;
    const target = `'${path.replaceAll("'", "''")}'`;
    await session.connection.run(
      `copy (${rows}) to ${target} (format parquet, row_group_size ${options.groupRows})`,
    );
    return { path, remove };
  } catch (error) {
    await remove();
    throw duckdbError(error, footer.name);
  } finally {
    session.close();
  }
}
