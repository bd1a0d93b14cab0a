import type { DuckDBBlobVector, DuckDBConnection } from "@duckdb/node-api";
import { CalibrantError, errorMessage } from "../../errors.ts";
import type { ReadEngineBytes } from "./duckdb-vector.ts";

type DuckdbModule = typeof import("@duckdb/node-api");

/** A private in-memory DuckDB. */
export interface DuckdbSession {
  readonly connection: DuckDBConnection;
  readonly readBytes: ReadEngineBytes;
  /** Frees everything the engine holds; results become invalid. */
  close(): void;
}

/** What a session may use. */
export interface DuckdbLimits {
  /** Default 2. */
  readonly threads?: number | undefined;
  /** In DuckDB's words; default `512MB`. */
  readonly memoryLimit?: string | undefined;
}

/** Whether the optional package `@duckdb/node-api` is installed and works here. */
export async function hasDuckdb(): Promise<boolean> {
  return loadDuckdb().then(
    () => true,
    () => false,
  );
}

/**
 * Opens a private in-memory DuckDB that spills nothing to disk and neither loads nor installs extensions.
 *
 * @throws CalibrantError `missing-package` saying how to install it.
 */
export async function openDuckdb({
  threads = 2,
  memoryLimit = "512MB",
}: DuckdbLimits = {}): Promise<DuckdbSession> {
  const duckdb = await loadDuckdb();
  const instance = await duckdb.DuckDBInstance.create(":memory:", {
    threads: String(threads),
    memory_limit: memoryLimit,
    temp_directory: "",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    enable_external_file_cache: "false",
  });
  const connection = await instance.connect();
  return {
    connection,
    readBytes: engineBytesReader(duckdb),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** A vector of bytes that holds one value at any address: the engine's way to copy memory without knowing its shape. */
function engineBytesReader(duckdb: DuckdbModule): ReadEngineBytes {
  const entry = new DataView(new ArrayBuffer(16));
  const valid = { itemValid: () => true } as unknown as ConstructorParameters<typeof DuckDBBlobVector>[1];
  return (address, length) => {
    entry.setUint32(0, length, true);
    entry.setBigUint64(8, BigInt(address), true);
    const bytes = new duckdb.DuckDBBlobVector(entry, valid, null as never, 0, 1).getItemBytes(
      0,
    ) as Uint8Array;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };
}

/**
 * One local file for `read_parquet`, as an SQL literal: no character of the path is a pattern, and a relative path is
 * never taken for an address (`s3://…`).
 */
export function duckdbFile(path: string): string {
  const isAbsolute = /^([a-z]:)?[\\/]/i.test(path);
  const literal = (isAbsolute ? path : `./${path}`).replace(/[*?[]/g, (character) => `[${character}]`);
  return `'${literal.replaceAll("'", "''")}'`;
}

/** A column name as an SQL identifier. */
export function duckdbName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** An error of the engine as one CalibrantError that names the file; a CalibrantError passes as it is. */
export function duckdbError(error: unknown, name: string): CalibrantError {
  if (error instanceof CalibrantError) return error;
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const isTooLarge = first.startsWith("Out of Memory");
  const reason = isTooLarge
    ? `a part of it needs more memory than reading may take, write it with smaller row groups or pages (${first})`
    : errorMessage(first);
  const message = `${name}: DuckDB cannot read it: ${reason}`;
  return new CalibrantError("data", message, { name, isTooLarge }, { cause: error });
}

async function loadDuckdb(): Promise<DuckdbModule> {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    throw new CalibrantError(
      "missing-package",
      `this needs the package @duckdb/node-api: npm install @duckdb/node-api (${errorMessage(error)})`,
      { package: "@duckdb/node-api" },
      { cause: error },
    );
  }
}
