import type { DuckDBResult } from "@duckdb/node-api";
import { CalibrantError } from "../../errors.ts";
import type { Column, ColumnRequest, FoundColumn, RolloutBatch } from "../columns.ts";
import type { ColumnGatherer } from "./column-gatherer.ts";
import { columnGatherer } from "./duckdb-columns.ts";
import { duckdbExpression } from "./duckdb-expression.ts";
import { type DuckdbSession, duckdbError, openDuckdb } from "./duckdb-session.ts";
import { type DuckdbColumn, duckdbColumns, duckdbRows } from "./duckdb-source.ts";
import { type ParquetFooter, readParquetFooter } from "./parquet-footer.ts";
import { parquetColumnsOf } from "./parquet-schema.ts";

export { hasDuckdb } from "./duckdb-session.ts";

/** Which rows to read, and with what. */
export interface ReadColumnsOptions {
  /** First row, from 0. Default 0. */
  readonly rowStart?: number;
  /** Row after the last. Default: all rows. */
  readonly rowEnd?: number;
  /** Engine threads. Default 2. */
  readonly threads?: number;
  /** Memory the engine may take, in DuckDB's words. Default `512MB`. */
  readonly memoryLimit?: string;
}

/** A batch is complete at this many rows, or at this many bytes of values, whichever comes first. */
const BATCH_ROWS = 1 << 14;
const BATCH_BYTES = 1 << 23;

/**
 * Reads columns of a Parquet file through DuckDB, in the file's row order, in batches of about 16,384 rows. Memory stays
 * flat however large a row group is; row groups outside of the row range are not read.
 *
 * A file that DuckDB cannot decode (legacy LZ4 codec, byte-stream-split integers) is read through parquet-wasm, where that
 * is installed. Stopping early (leaving a `for await` loop) frees the engine.
 *
 * @param requests - columns by the file's names (exact case), and as what kind each is read: see
 * {@link foundParquetColumns}. A JSON column of broken text throws when that row is read.
 * @throws CalibrantError `missing-package` without DuckDB; `io` or `data` as `readParquetFooter`, or naming the
 * file when the engine fails on it; `schema` listing every requested column that is missing, occurs twice, or cannot be
 * read as its kind.
 *
 * @example
 * ```ts
 * import { Int32, Table, vectorFromArray } from "apache-arrow";
 * import { createParquetWriter, openAtomicFile, readParquetColumns } from "calibrant/data";
 *
 * const table = new Table({ turn_idx: vectorFromArray([0, 1, 2], new Int32()) });
 * const file = await openAtomicFile("turns.parquet", 1);
 * const writer = await createParquetWriter(file, table.schema);
 * for (const batch of table.batches) await writer.write(batch);
 * await writer.close();
 * await file.commit();
 * for await (const batch of readParquetColumns("turns.parquet", [{ name: "turn_idx", kind: "number" }])) {
 *   const column = batch.columns.get("turn_idx");
 *   if (column?.kind === "number") console.log(batch.rows, column.values); // 3 Float64Array(3) [ 0, 1, 2 ]
 * }
 * ```
 */
export async function* readParquetColumns(
  path: string,
  requests: readonly ColumnRequest[],
  options: ReadColumnsOptions = {},
): AsyncGenerator<RolloutBatch> {
  const footer = await readParquetFooter(path);
  const positions = requestedPositions(footer, requests);
  let isBegun = false;
  try {
    for await (const batch of engineBatches(footer, positions, options)) {
      isBegun = true;
      yield batch;
    }
  } catch (error) {
    const failure = duckdbError(error, path);
    if (isBegun || failure.details.isTooLarge === true) throw failure;
    yield* decodedOtherwise(path, requests, options, failure);
  }
}

async function* engineBatches(
  footer: ParquetFooter,
  positions: readonly Position[],
  options: ReadColumnsOptions,
): AsyncGenerator<RolloutBatch> {
  const session = await openDuckdb(options);
  try {
    const result = await startQuery(session, footer, positions, options);
    const path = footer.name;
    const requests = positions.map(({ request }) => request);
    const gatherers = requests.map((request) => columnGatherer(request, path, session.readBytes));
    yield* batchesOf(result, { path, requests, gatherers }, options.rowStart ?? 0);
  } finally {
    session.close();
  }
}

/** The engine lacks some encodings and codecs that parquet-wasm has. If that fails too, the engine's error stands. */
async function* decodedOtherwise(
  path: string,
  requests: readonly ColumnRequest[],
  options: ReadColumnsOptions,
  failure: CalibrantError,
): AsyncGenerator<RolloutBatch> {
  if (failure.code !== "data") throw failure;
  const { readParquetColumnsByWasm } = await import("./read-parquet-columns-wasm.ts");
  let isBegun = false;
  try {
    for await (const batch of readParquetColumnsByWasm(path, requests, options)) {
      isBegun = true;
      yield batch;
    }
  } catch (error) {
    throw isBegun ? error : failure;
  }
}

/** A request with its column's place in the file. */
interface Position {
  readonly request: ColumnRequest;
  readonly index: number;
  readonly found: FoundColumn;
}

function requestedPositions(footer: ParquetFooter, requests: readonly ColumnRequest[]): Position[] {
  const columns = parquetColumnsOf(footer);
  const problems: string[] = [];
  const positions = requests.map((request) => {
    const index = columns.findIndex(({ name }) => name === request.name);
    const found = columns[index] ?? { name: request.name, type: "", kinds: [] };
    if (index < 0) problems.push(`no column ${request.name}`);
    else if (columns.filter(({ name }) => name === request.name).length > 1) {
      problems.push(`two columns are named ${request.name}`);
    } else if (!found.kinds.includes(request.kind)) {
      problems.push(`column ${request.name} cannot be read as ${request.kind}, its type is ${found.type}`);
    }
    return { request, index, found };
  });
  if (problems.length === 0) return positions;
  const message = `${footer.name}: ${problems.join("; ")}`;
  throw new CalibrantError("schema", message, { fileName: footer.name, problems });
}

async function startQuery(
  { connection }: DuckdbSession,
  footer: ParquetFooter,
  positions: readonly Position[],
  { rowStart, rowEnd }: ReadColumnsOptions,
): Promise<DuckDBResult> {
  const columns = await duckdbColumns(connection, footer);
  const expressions = positions.map(({ request, index, found }) => {
    const value = duckdbExpression(columns[index] as DuckdbColumn, found.type, request.kind);
    const before = positions.find((position) => position.request.name === request.fallbackFor);
    return before === undefined
      ? value
      : `case when ${(columns[before.index] as DuckdbColumn).name} is null then ${value} end`;
  });
  const select = expressions.length === 0 ? "1" : expressions.join(", ");
  return connection.stream(`select ${select} ${duckdbRows(footer, rowStart, rowEnd)}`);
}

/** Where rows come from and what gathers their columns. */
interface RowsOf {
  readonly path: string;
  readonly requests: readonly ColumnRequest[];
  readonly gatherers: readonly ColumnGatherer[];
}

async function* batchesOf(
  result: DuckDBResult,
  source: RowsOf,
  rowStart: number,
): AsyncGenerator<RolloutBatch> {
  let firstRow = rowStart;
  let rows = 0;
  let bytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    const count = chunk?.rowCount ?? 0;
    if (chunk === null || count === 0) break;
    source.gatherers.forEach((gatherer, i) => {
      bytes += gatherer.append(chunk.getColumnVector(i), count);
    });
    // Frees the engine's memory now; a chunk that waits for the garbage collector holds on to it.
    chunk.reset();
    rows += count;
    if (rows < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield takeBatch(source, firstRow, rows);
    firstRow += rows;
    rows = 0;
    bytes = 0;
  }
  if (rows > 0) yield takeBatch(source, firstRow, rows);
}

function takeBatch({ path, requests, gatherers }: RowsOf, firstRow: number, rows: number): RolloutBatch {
  const columns = gatherers.map((gatherer, i): [string, Column] => [
    (requests[i] as ColumnRequest).name,
    gatherer.take(firstRow),
  ]);
  return { rows, columns: new Map(columns), place: (row) => `${path}: row ${firstRow + row}` };
}
