import { type FileHandle, open } from "node:fs/promises";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { type ParquetNode, parquetLeaves, parquetTree } from "./parquet-tree.ts";
import { decodeThrift, type ThriftStruct } from "./thrift-compact.ts";
import {
  thriftLong,
  thriftNumber,
  thriftStruct,
  thriftStructs,
  thriftText,
  thriftTexts,
} from "./thrift-fields.ts";

/** The pages of one column in one row group. Offsets are absolute in the file, sizes in bytes. */
export interface ParquetChunk {
  readonly path: readonly string[];
  /** For example `ZSTD`; `codec 99` for an unknown one. */
  readonly codec: string;
  /** Values including nulls; for lists, the elements. */
  readonly values: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  /** Where the first page (of the dictionary, if there is one) begins. */
  readonly start: number;
  readonly hasDictionary: boolean;
  /** The ColumnChunk struct as it is in the file. */
  readonly thrift: ThriftStruct;
}

/** One row group. */
export interface ParquetRowGroup {
  readonly rows: number;
  /** Uncompressed bytes of all chunks. */
  readonly byteSize: number;
  readonly compressedSize: number;
  /** One chunk per leaf of the schema, in order. */
  readonly columns: readonly ParquetChunk[];
  /** The RowGroup struct as it is in the file. */
  readonly thrift: ThriftStruct;
}

/** An open file. */
export type ParquetHandle = FileHandle;

/** What the end of a Parquet file says about it. */
export interface ParquetFooter {
  /** The name used in error messages. */
  readonly name: string;
  readonly fileSize: number;
  /** Where the data ends and the FileMetaData struct begins. */
  readonly dataEnd: number;
  readonly rows: number;
  readonly rowGroups: readonly ParquetRowGroup[];
  /** The schema's root; its children are the columns that people see. */
  readonly root: ParquetNode;
  readonly leaves: readonly ParquetNode[];
  /** Key-value metadata; of a key that occurs twice the first value counts, a key without value reads "". */
  readonly keyValues: ReadonlyMap<string, string>;
  readonly createdBy: string | undefined;
  /** The FileMetaData struct as it is in the file. */
  readonly thrift: ThriftStruct;
}

const MAGIC_BYTES = 4;
const TAIL_BYTES = 8;
const FIRST_READ_BYTES = 1 << 16;
/** A footer of this size describes about a million column chunks; a larger one is refused before it is read. */
const MAX_FOOTER_BYTES = 1 << 28;
const CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"];

/**
 * Reads the footer of a Parquet file: row groups, schema, key-value metadata. No column data is read.
 *
 * @param source - a path, or an open file (which stays open).
 * @param name - the name for error messages; the path by default.
 * @throws CalibrantError `io` when the file cannot be read; `data` when it is not Parquet, is cut short, is
 * encrypted, or its footer is malformed or points outside of the file.
 */
export async function readParquetFooter(source: string | FileHandle, name?: string): Promise<ParquetFooter> {
  const label = name ?? (typeof source === "string" ? source : "parquet file");
  if (typeof source !== "string") return readFooter(source, label);
  const handle = await openParquetFile(source);
  try {
    return await readFooter(handle, label);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file for reading.
 *
 * @throws CalibrantError `io` naming the path.
 */
export async function openParquetFile(path: string): Promise<FileHandle> {
  return await open(path, "r").catch((error: unknown) => {
    throw new CalibrantError("io", `cannot read ${path}: ${errorMessage(error)}`, { path }, { cause: error });
  });
}

/**
 * The bytes `start … start + length` of a file.
 *
 * @throws CalibrantError `io` when the file cannot be read or ends before.
 */
export async function readBytesAt(
  handle: FileHandle,
  start: number,
  length: number,
  name: string,
): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle
      .read(buffer, done, length - done, start + done)
      .catch((error: unknown) => {
        throw new CalibrantError(
          "io",
          `cannot read ${name}: ${errorMessage(error)}`,
          { name },
          { cause: error },
        );
      });
    if (bytesRead === 0)
      throw new CalibrantError("io", `${name} ended while it was read, at byte ${start + done}`, { name });
    done += bytesRead;
  }
  return buffer;
}

async function readFooter(handle: FileHandle, name: string): Promise<ParquetFooter> {
  const info = await handle.stat();
  if (!info.isFile())
    throw damaged(name, "not a regular file; Parquet is read from its end and cannot be piped");
  const fileSize = info.size;
  if (fileSize === 0) throw damaged(name, "the file is empty");
  if (fileSize < MAGIC_BYTES + TAIL_BYTES) throw damaged(name, `not a Parquet file: only ${fileSize} bytes`);
  checkMagic(await readBytesAt(handle, 0, MAGIC_BYTES, name), "start", name);
  const tailStart = Math.max(MAGIC_BYTES, fileSize - FIRST_READ_BYTES);
  const tail = await readBytesAt(handle, tailStart, fileSize - tailStart, name);
  checkMagic(tail.subarray(tail.length - MAGIC_BYTES), "end", name);
  const length = new DataView(tail.buffer).getUint32(tail.length - TAIL_BYTES, true);
  const dataEnd = fileSize - TAIL_BYTES - length;
  if (length === 0 || dataEnd < MAGIC_BYTES)
    throw damaged(name, `footer of ${length} bytes in a file of ${fileSize}`);
  if (length > MAX_FOOTER_BYTES)
    throw damaged(name, `footer of ${length} bytes is over the limit of ${MAX_FOOTER_BYTES}`);
  const bytes =
    dataEnd >= tailStart
      ? tail.subarray(dataEnd - tailStart, tail.length - TAIL_BYTES)
      : await readBytesAt(handle, dataEnd, length, name);
  return parseParquetFooter(bytes, { name, fileSize, dataEnd });
}

function checkMagic(bytes: Uint8Array, where: string, name: string): void {
  const magic = Buffer.from(bytes).toString("latin1");
  if (magic === "PARE") throw encrypted(name);
  if (magic === "PAR1") return;
  if (where === "end") throw damaged(name, "cut short or damaged: it does not end in PAR1");
  throw damaged(name, "not a Parquet file: it does not begin with PAR1");
}

/**
 * The footer of a Parquet file that is in memory whole.
 *
 * @throws CalibrantError `data` as {@link readParquetFooter}.
 */
export function parquetFooterOf(file: Uint8Array, name: string): ParquetFooter {
  const length = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(
    file.length - TAIL_BYTES,
    true,
  );
  const dataEnd = file.length - TAIL_BYTES - length;
  if (dataEnd < MAGIC_BYTES) throw damaged(name, `footer of ${length} bytes in a file of ${file.length}`);
  // A copy, because the texts in what is returned would keep the whole file in memory.
  return parseParquetFooter(file.slice(dataEnd, file.length - TAIL_BYTES), {
    name,
    fileSize: file.length,
    dataEnd,
  });
}

/**
 * Interprets a FileMetaData struct.
 *
 * @param bytes - the struct in Thrift's compact protocol; bytes after it are ignored.
 * @throws CalibrantError `data` as {@link readParquetFooter}.
 */
export function parseParquetFooter(
  bytes: Uint8Array,
  place: { readonly name: string; readonly fileSize: number; readonly dataEnd: number },
): ParquetFooter {
  const { name, dataEnd } = place;
  const thrift = decodeFooter(bytes, name);
  if (thriftStruct(thrift, 8) !== undefined) throw encrypted(name);
  const elements = thriftStructs(thrift, 2);
  if (elements === undefined) throw damaged(name, "its footer has no schema");
  const root = parquetTree(elements, name);
  const leaves = parquetLeaves(root);
  const rowGroups = (thriftStructs(thrift, 4) ?? []).map((group, index) =>
    parseRowGroup(group, { name, dataEnd, index, leaves: leaves.length }),
  );
  // The row groups are counted, not the footer's own total: some writers leave that at 0.
  const rows = rowGroups.reduce((sum, group) => sum + group.rows, 0);
  const keyValues = parseKeyValues(thrift);
  return { ...place, rows, rowGroups, root, leaves, keyValues, createdBy: thriftText(thrift, 6), thrift };
}

function decodeFooter(bytes: Uint8Array, name: string): ThriftStruct {
  try {
    return decodeThrift(bytes).value;
  } catch (error) {
    throw new CalibrantError(
      "data",
      `${name}: its Parquet footer is ${errorMessage(error)}`,
      { name },
      { cause: error },
    );
  }
}

interface GroupPlace {
  readonly name: string;
  readonly dataEnd: number;
  readonly index: number;
  readonly leaves: number;
}

function parseRowGroup(thrift: ThriftStruct, place: GroupPlace): ParquetRowGroup {
  const { name, index } = place;
  const chunks = thriftStructs(thrift, 1) ?? [];
  if (chunks.length !== place.leaves) {
    throw damaged(name, `row group ${index} has ${chunks.length} columns, the schema ${place.leaves}`);
  }
  const columns = chunks.map((chunk) => parseChunk(chunk, place));
  const byteSize = columns.reduce((sum, chunk) => sum + chunk.uncompressedSize, 0);
  const compressedSize = columns.reduce((sum, chunk) => sum + chunk.compressedSize, 0);
  const rows = countOf(thrift, 3, name, `row count of row group ${index}`);
  return { rows, byteSize, compressedSize, columns, thrift };
}

function parseChunk(thrift: ThriftStruct, { name, dataEnd, index }: GroupPlace): ParquetChunk {
  if (thriftText(thrift, 1))
    throw damaged(name, `row group ${index} keeps its columns in another file, ${thriftText(thrift, 1)}`);
  if (thriftStruct(thrift, 8) !== undefined || thriftText(thrift, 9) !== undefined) throw encrypted(name);
  const meta = thriftStruct(thrift, 3);
  if (meta === undefined) throw damaged(name, `row group ${index} has a column without metadata`);
  const path = thriftTexts(meta, 3) ?? [];
  const where = `of column ${path.join(".")} in row group ${index}`;
  const dataStart = countOf(meta, 9, name, `page offset ${where}`);
  const dictionary = thriftLong(meta, 11);
  const dictionaryStart =
    dictionary === undefined ? 0 : countOf(meta, 11, name, `dictionary offset ${where}`);
  const start = dictionaryStart > 0 ? Math.min(dataStart, dictionaryStart) : dataStart;
  const compressedSize = countOf(meta, 7, name, `size ${where}`);
  const values = countOf(meta, 5, name, `value count ${where}`);
  // Chunks without values may say that they lie at byte 0.
  const isEmpty = compressedSize === 0 || values === 0;
  if (!isEmpty && (start < MAGIC_BYTES || start + compressedSize > dataEnd)) {
    throw damaged(name, `the pages ${where} lie outside of the file, at byte ${start}`);
  }
  const codec = thriftNumber(meta, 4) ?? 0;
  return {
    path,
    codec: CODECS[codec] ?? `codec ${codec}`,
    values,
    compressedSize,
    uncompressedSize: countOf(meta, 6, name, `uncompressed size ${where}`),
    start,
    hasDictionary: dictionaryStart > 0,
    thrift,
  };
}

function parseKeyValues(thrift: ThriftStruct): Map<string, string> {
  const result = new Map<string, string>();
  for (const pair of thriftStructs(thrift, 5) ?? []) {
    const key = thriftText(pair, 1) ?? "";
    if (!result.has(key)) result.set(key, thriftText(pair, 2) ?? "");
  }
  return result;
}

function countOf(struct: ThriftStruct, id: number, name: string, what: string): number {
  const value = thriftLong(struct, id);
  if (value === undefined || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw damaged(name, `${what} is ${value ?? "missing"}`);
  }
  return Number(value);
}

function encrypted(name: string): CalibrantError {
  return new CalibrantError(
    "data",
    `${name}: encrypted Parquet cannot be read; write it again without encryption`,
    { name },
  );
}

function damaged(name: string, what: string): CalibrantError {
  // Names in a damaged footer may hold anything.
  return new CalibrantError("data", `${name}: ${what.replace(/\p{Cc}/gu, "\ufffd")}`, { name });
}
