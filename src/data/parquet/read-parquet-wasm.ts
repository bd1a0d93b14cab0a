import type { FileHandle } from "node:fs/promises";
import type { Field, RecordBatch, Schema } from "apache-arrow";
import type { RecordBatch as WasmBatch } from "parquet-wasm";
import { CalibrantError } from "../../errors.ts";
import { mapFieldType } from "../arrow/map-arrow-type.ts";
import { chunksOf, cutParquet } from "./cut-parquet.ts";
import { hasDuckdb } from "./duckdb-session.ts";
import {
  ARROW_SCHEMA_KEY,
  decodeArrowSchema,
  encodeArrowSchema,
  withArrowFields,
} from "./parquet-arrow-schema.ts";
import {
  openParquetFile,
  type ParquetChunk,
  type ParquetFooter,
  type ParquetRowGroup,
  readParquetFooter,
} from "./parquet-footer.ts";
import { decodedBytes, pageBytes } from "./parquet-memory.ts";
import { type ParquetNode, parquetLeaves } from "./parquet-tree.ts";
import { callParquetWasm, loadParquetWasm, type ParquetWasm } from "./parquet-wasm-module.ts";
import { writeSmallerGroups } from "./write-smaller-groups.ts";

/** Which part of a file to read. */
export interface ReadBatchesOptions {
  /** Top-level columns; names that the file does not have are left out. Default: all. */
  readonly columns?: readonly string[];
  /** Row groups by number, in the order to read. Default: all. */
  readonly rowGroups?: readonly number[];
  /** Row groups whose columns take more bytes than this when decoded are cut smaller first. Default 512 MiB. */
  readonly maxGroupBytes?: number;
}

const MAX_GROUP_BYTES = 1 << 29;
const BATCH_ROWS = 1 << 14;
const BATCH_BYTES = 1 << 25;
/** The engine that cuts row groups smaller works in units of this many rows. */
const LEAST_GROUP_ROWS = 2048;
/** Decoded size of the row groups that large ones are cut into. */
const RECUT_BYTES = 1 << 24;

type Arrow = typeof import("apache-arrow");

/** A file opened for reading, and what is read of it. */
interface Source {
  readonly wasm: ParquetWasm;
  readonly handle: FileHandle;
  readonly footer: ParquetFooter;
  readonly columns: readonly ParquetNode[];
  readonly schema: Schema;
  /** The schema as the value of `ARROW:schema`. */
  readonly hint: string;
  readonly maxGroupBytes: number;
}

/**
 * Reads a Parquet file as Arrow record batches with the types of its Arrow schema (else those that its Parquet schema
 * stands for), one row group in memory at a time, through parquet-wasm. All batches have the same schema.
 *
 * A row group that takes more than `maxGroupBytes` when decoded is first written again in smaller ones by DuckDB, to a
 * temporary file.
 *
 * @throws CalibrantError `missing-package` without parquet-wasm; `io` or `data` as `readParquetFooter`, or naming
 * the file when its pages cannot be decoded, or when a row group is too large and DuckDB is missing or cannot help.
 */
export async function* readParquetBatches(
  path: string,
  options: ReadBatchesOptions = {},
): AsyncGenerator<RecordBatch> {
  const handle = await openParquetFile(path);
  try {
    const source = await openSource(handle, path, options);
    const groups = options.rowGroups ?? source.footer.rowGroups.keys();
    for (const index of groups) yield* groupBatches(source, index);
  } finally {
    await handle.close();
  }
}

/**
 * The Arrow schema that {@link readParquetBatches} reads all columns of a file with. Only the footer is read.
 *
 * @throws CalibrantError as {@link readParquetBatches}.
 */
export async function readParquetArrowSchema(path: string): Promise<Schema> {
  const handle = await openParquetFile(path);
  try {
    return (await openSource(handle, path, {})).schema;
  } finally {
    await handle.close();
  }
}

async function openSource(handle: FileHandle, path: string, options: ReadBatchesOptions): Promise<Source> {
  const footer = await readParquetFooter(handle, path);
  const wasm = await loadParquetWasm();
  const columns = wantedColumns(footer, options.columns);
  const schema = await sourceSchema(wasm, handle, footer, columns);
  const hint = await encodeArrowSchema(schema);
  const { maxGroupBytes = MAX_GROUP_BYTES } = options;
  return { wasm, handle, footer, columns, schema, hint, maxGroupBytes };
}

function wantedColumns(footer: ParquetFooter, names?: readonly string[]): readonly ParquetNode[] {
  const all = footer.root.children;
  const columns = names === undefined ? all : all.filter(({ name }) => names.includes(name));
  const repeated = columns.find((column, i) => columns.findIndex(({ name }) => name === column.name) !== i);
  if (repeated === undefined) return columns;
  const message = `${footer.name}: two columns have the same name, rename one of them: ${repeated.name}`;
  throw new CalibrantError("schema", message, { name: footer.name, column: repeated.name });
}

/** With the file's own Arrow schema where it has one that fits, else as parquet-wasm sees the Parquet schema. */
async function sourceSchema(
  wasm: ParquetWasm,
  handle: FileHandle,
  footer: ParquetFooter,
  columns: readonly ParquetNode[],
): Promise<Schema> {
  const arrow = await import("apache-arrow");
  const read = async (hint?: Schema): Promise<Schema> => {
    const encoded = hint && (await encodeArrowSchema(hint));
    const file = await cutParquet(handle, footer, columns, undefined, encoded);
    return arrow.tableFromIPC(
      callParquetWasm(`${footer.name}: its schema cannot be read`, () =>
        wasm.readParquet(file).intoIPCStream(),
      ),
    ).schema;
  };
  const stored = footer.keyValues.get(ARROW_SCHEMA_KEY);
  const schema = stored === undefined ? undefined : await decodeArrowSchema(stored);
  const hint = schema && withArrowFields(arrow, schema, columnFields(schema, columns));
  const found = hint === undefined ? await read() : await read(hint).catch(() => read());
  const fields = found.fields.map((field, i) => adjustedField(arrow, field, columns[i] as ParquetNode));
  return fields.every((field, i) => field === found.fields[i])
    ? found
    : read(withArrowFields(arrow, found, fields));
}

function columnFields(schema: Schema, columns: readonly ParquetNode[]): Field[] {
  return columns.flatMap(({ name }) => schema.fields.filter((field) => field.name === name));
}

/**
 * INT96 timestamps as microseconds, which is what their writers mean: as nanoseconds, dates beyond 2262 silently turn
 * into others. Dates of 64 bits as what they are in Parquet.
 */
function adjustedField(arrow: Arrow, field: Field, column: ParquetNode): Field {
  const { DataType, DateUnit, TimeUnit, Timestamp } = arrow;
  const isInt96 = parquetLeaves(column).some(({ physical }) => physical === "INT96");
  return mapFieldType(arrow, field, (type) => {
    if (isInt96 && DataType.isTimestamp(type) && type.unit === TimeUnit.NANOSECOND) {
      return new Timestamp(TimeUnit.MICROSECOND, type.timezone);
    }
    return DataType.isDate(type) && type.unit === DateUnit.MILLISECOND ? new arrow.DateDay() : undefined;
  });
}

async function* groupBatches(source: Source, index: number): AsyncGenerator<RecordBatch> {
  const group = source.footer.rowGroups[index];
  if (group === undefined) {
    throw new CalibrantError("option", `${source.footer.name} has no row group ${index}`, { index });
  }
  if (group.rows === 0) return;
  const bytes = await groupBytes(source, group);
  if (bytes <= source.maxGroupBytes) yield* decodedBatches(source, group, bytes);
  else yield* recutBatches(source, index, bytes);
}

async function groupBytes({ handle, footer, columns }: Source, group: ParquetRowGroup): Promise<number> {
  let total = 0;
  for (const { firstLeaf, leafCount } of columns) {
    for (let i = firstLeaf; i < firstLeaf + leafCount; i += 1) {
      const chunk = group.columns[i];
      const leaf = footer.leaves[i];
      if (chunk !== undefined && leaf !== undefined)
        total += await decodedBytes(handle, chunk, leaf, footer.name);
    }
  }
  return total;
}

async function* decodedBatches(
  source: Source,
  group: ParquetRowGroup,
  bytes: number,
): AsyncGenerator<RecordBatch> {
  const { wasm, footer, schema } = source;
  const { RecordBatch, tableFromIPC } = await import("apache-arrow");
  const file = await cutParquet(source.handle, footer, source.columns, group, source.hint);
  checkPages(source, chunksOf(group, source.columns), file);
  const batchSize = Math.min(BATCH_ROWS, Math.max(1, Math.ceil((group.rows * BATCH_BYTES) / bytes)));
  const subject = `${footer.name}: its pages cannot be decoded`;
  const table = callParquetWasm(subject, () => wasm.readParquet(file, { batchSize }));
  const parts = callParquetWasm(subject, () => table.recordBatches());
  table.free();
  let rows = 0;
  try {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const stream = callParquetWasm(subject, () => (part as WasmBatch).intoIPCStream());
      const batch = tableFromIPC(stream).batches[0] as RecordBatch;
      checkTypes(schema, batch.schema, footer.name);
      rows += batch.numRows;
      yield new RecordBatch(schema, batch.data);
    }
  } finally {
    for (const part of parts) part.free();
  }
  if (rows === group.rows) return;
  const message = `${footer.name}: a row group has ${group.rows} rows by the footer, ${rows} in its pages`;
  throw new CalibrantError("data", message, { name: footer.name });
}

/** Refuses pages that decompress to more than the footer says, before they are decompressed. */
function checkPages(
  { footer, maxGroupBytes }: Source,
  chunks: readonly ParquetChunk[],
  file: Uint8Array,
): void {
  let at = 4;
  let total = 0;
  for (const { compressedSize } of chunks) {
    total += pageBytes(file.subarray(at, at + compressedSize));
    at += compressedSize;
  }
  if (total > maxGroupBytes)
    throw tooLarge(footer.name, total, maxGroupBytes, "its footer says less than its pages");
}

function checkTypes(expected: Schema, found: Schema, name: string): void {
  expected.fields.forEach((field, i) => {
    const type = String(found.fields[i]?.type);
    if (type === String(field.type)) return;
    const message = `${name}: column ${field.name} of a large row group cannot be cut smaller, write the file with smaller row groups: ${field.type} becomes ${type}`;
    throw new CalibrantError("data", message, { name, column: field.name });
  });
}

/** Reads a large row group from a copy in smaller ones. */
async function* recutBatches(source: Source, index: number, bytes: number): AsyncGenerator<RecordBatch> {
  const { footer, maxGroupBytes } = source;
  if (!(await hasDuckdb())) {
    throw tooLarge(footer.name, bytes, maxGroupBytes, "npm install @duckdb/node-api to read it");
  }
  const { rows } = footer.rowGroups[index] as ParquetRowGroup;
  const rowStart = footer.rowGroups.slice(0, index).reduce((sum, group) => sum + group.rows, 0);
  const share = Math.floor((rows * Math.min(RECUT_BYTES, maxGroupBytes)) / bytes / LEAST_GROUP_ROWS);
  const groupRows = Math.max(1, share) * LEAST_GROUP_ROWS;
  const columns = source.columns.map((column) => footer.root.children.indexOf(column));
  const recut = await writeSmallerGroups(footer, { rowStart, rowEnd: rowStart + rows, columns, groupRows });
  try {
    yield* copyBatches(source, recut.path);
  } finally {
    await recut.remove();
  }
}

async function* copyBatches(source: Source, path: string): AsyncGenerator<RecordBatch> {
  const handle = await openParquetFile(path);
  try {
    const copied = await readParquetFooter(handle, path);
    const footer = { ...copied, name: source.footer.name };
    const copy: Source = { ...source, handle, footer, columns: footer.root.children };
    for (const group of footer.rowGroups) {
      const bytes = await groupBytes(copy, group);
      if (bytes > source.maxGroupBytes)
        throw tooLarge(footer.name, bytes, source.maxGroupBytes, "its rows are too large");
      yield* decodedBatches(copy, group, bytes);
    }
  } finally {
    await handle.close();
  }
}

function tooLarge(name: string, bytes: number, limit: number, wayOut: string): CalibrantError {
  const mebibytes = (count: number): number => Math.ceil(count / 2 ** 20);
  const message = `${name}: a row group takes ${mebibytes(bytes)} MiB when decoded, the limit is ${mebibytes(limit)} MiB: ${wayOut}`;
  return new CalibrantError("data", message, { name, bytes, limit });
}
