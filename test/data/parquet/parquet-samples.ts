import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll } from "vitest";
import type { ByteSink } from "../../../src/data/byte-sink.ts";
import type { ResultColumn } from "../../../src/data/columns.ts";

/** The Apache parquet-testing files, where they are. */
export const PARQUET_TESTING: string = fileURLToPath(
  new URL("../../../../shared/data/parquet_testing/", import.meta.url),
);

/** A folder for the files of one test file; it goes when the tests are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "calibrant-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A sink in memory. */
export interface MemorySink extends ByteSink {
  bytes(): Buffer;
  /** Writes what came so far to a file. */
  save(path: string): void;
}

export function memorySink(): MemorySink {
  const pieces: Uint8Array[] = [];
  let position = 0;
  const bytes = (): Buffer => Buffer.concat(pieces);
  return {
    get position() {
      return position;
    },
    async write(piece) {
      pieces.push(piece.slice());
      position += piece.length;
    },
    bytes,
    save: (path) => writeFileSync(path, bytes()),
  };
}

/** Everything that a generator yields. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/** Runs SQL in a DuckDB of its own and gives the last statement's rows as JSON values. */
export async function duckdb(...statements: readonly string[]): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    let rows: unknown[][] = [];
    for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][];
    return rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Writes the rows of a query as Parquet with DuckDB, which adds Bloom filters to columns with a dictionary. */
export async function writeWithDuckdb(
  path: string,
  query: string,
  options = "row_group_size 2048",
): Promise<void> {
  await duckdb(`copy (${query}) to '${path.replaceAll("'", "''")}' (format parquet, ${options})`);
}

/** Two added columns whose value in row i of the whole output is known: i / 3 (null at 3, 10, 17, …) and a word. */
export const ADDED = [
  { name: "cal_reward", type: "float64" },
  { name: "cal_status", type: "utf8" },
] as const;

const WORDS = ["ok", "empty", "né"];

export function addedReward(i: number): number | null {
  return i % 7 === 3 ? null : i / 3;
}

export function addedStatus(i: number): string | null {
  return i % 5 === 4 ? null : (WORDS[(i % 5) % 3] as string);
}

/** A `take` that yields {@link ADDED}. */
export function takeAdded(): (rows: number) => ResultColumn[] {
  let next = 0;
  return (rows) => {
    const values = new Float64Array(rows);
    const codes = new Int32Array(rows);
    for (let i = 0; i < rows; i += 1, next += 1) {
      values[i] = addedReward(next) ?? Number.NaN;
      codes[i] = addedStatus(next) === null ? -1 : (next % 5) % 3;
    }
    return [
      { ...ADDED[0], values },
      { ...ADDED[1], codes, dictionary: WORDS },
    ];
  };
}

/** A file in memory as hyparquet wants it. */
export function asyncBuffer(path: string): {
  byteLength: number;
  slice(start: number, end?: number): ArrayBuffer;
} {
  const { buffer } = new Uint8Array(readFileSync(path));
  return { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) };
}
