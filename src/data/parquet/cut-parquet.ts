import { ARROW_SCHEMA_KEY } from "./parquet-arrow-schema.ts";
import {
  type ParquetChunk,
  type ParquetFooter,
  type ParquetHandle,
  type ParquetRowGroup,
  readBytesAt,
} from "./parquet-footer.ts";
import { parquetMagic, parquetTail } from "./parquet-tail.ts";
import { type ParquetNode, parquetElements } from "./parquet-tree.ts";
import { keyValue } from "./splice-key-values.ts";
import type { ThriftStruct } from "./thrift-compact.ts";
import { longField, structsField, thriftNumber, thriftStruct, withField } from "./thrift-fields.ts";

/** Of ColumnMetaData: what is needed to decode pages. Statistics and indexes are left out, and with them their faults. */
const DECODING_FIELDS = [1, 2, 3, 4, 5, 6, 7, 9];
const DICTIONARY_OFFSET = 11;

/**
 * A small Parquet file in memory: some columns of one row group (or of none), pages copied byte for byte.
 *
 * @param columns - top-level columns to keep, elements of `footer.root.children`.
 * @param group - the row group; without it the file has no rows.
 * @param arrowSchema - value for the key `ARROW:schema`, of these columns only.
 * @throws CalibrantError `io` when the pages cannot be read.
 */
export async function cutParquet(
  handle: ParquetHandle,
  footer: ParquetFooter,
  columns: readonly ParquetNode[],
  group?: ParquetRowGroup,
  arrowSchema?: string,
): Promise<Uint8Array> {
  const chunks = group === undefined ? [] : chunksOf(group, columns);
  const magic = parquetMagic();
  const moved: ThriftStruct[] = [];
  let size = magic.length;
  for (const chunk of chunks) {
    moved.push(bareChunk(chunk, size - chunk.start));
    size += chunk.compressedSize;
  }
  const tail = parquetTail(fileMetaData(footer, columns, group?.rows, moved, arrowSchema));
  const file = new Uint8Array(size + tail.length);
  file.set(magic);
  let at = magic.length;
  for (const { start, compressedSize } of chunks) {
    file.set(await readBytesAt(handle, start, compressedSize, footer.name), at);
    at += compressedSize;
  }
  file.set(tail, at);
  return file;
}

/** The chunks of some top-level columns, in file order. */
export function chunksOf(group: ParquetRowGroup, columns: readonly ParquetNode[]): ParquetChunk[] {
  return columns.flatMap(({ firstLeaf, leafCount }) => group.columns.slice(firstLeaf, firstLeaf + leafCount));
}

function bareChunk({ thrift, start, hasDictionary }: ParquetChunk, by: number): ThriftStruct {
  const meta = thriftStruct(thrift, 3) ?? [];
  const kept = meta.filter(
    ({ id }) => DECODING_FIELDS.includes(id) || (hasDictionary && id === DICTIONARY_OFFSET),
  );
  const moved = kept.map((field) =>
    field.id === 9 || field.id === DICTIONARY_OFFSET
      ? { ...field, value: (field.value as bigint) + BigInt(by) }
      : field,
  );
  return [longField(2, BigInt(start + by)), { id: 3, type: "struct", value: moved }];
}

function fileMetaData(
  footer: ParquetFooter,
  columns: readonly ParquetNode[],
  rows: number | undefined,
  chunks: readonly ThriftStruct[],
  arrowSchema: string | undefined,
): ThriftStruct {
  const root = withField(footer.root.thrift, { id: 5, type: "i32", value: columns.length });
  const elements = [root, ...columns.flatMap(parquetElements)];
  const bytes = chunks.reduce(
    (sum, chunk) => sum + (thriftStruct(chunk, 3)?.find(({ id }) => id === 6)?.value as bigint),
    0n,
  );
  const groups =
    rows === undefined ? [] : [[structsField(1, chunks), longField(2, bytes), longField(3, BigInt(rows))]];
  const keyValues = arrowSchema === undefined ? [] : [keyValue(ARROW_SCHEMA_KEY, arrowSchema)];
  const createdBy = footer.thrift.filter(({ id }) => id === 6);
  return [
    { id: 1, type: "i32", value: thriftNumber(footer.thrift, 1) ?? 1 },
    structsField(2, elements),
    longField(3, BigInt(rows ?? 0)),
    structsField(4, groups),
    structsField(5, keyValues),
    ...createdBy,
  ];
}
