import type { ByteSink } from "../byte-sink.ts";
import {
  type BytePlace,
  columnIndexPlace,
  movedChunk,
  movedOffsetIndex,
  offsetIndexPlace,
  withPageIndex,
} from "./move-parquet-chunk.ts";
import type { ParquetChunk } from "./parquet-footer.ts";
import type { ThriftStruct } from "./thrift-compact.ts";
import { thriftNumber, withField, withoutFields } from "./thrift-fields.ts";

/** A Parquet file that is being written. */
export interface ParquetOutput {
  readonly sink: ByteSink;
  /** The sink's position where the file begins: offsets in the file count from there. */
  readonly base: number;
  /** The RowGroup structs so far. */
  readonly rowGroups: ThriftStruct[];
}

const ORDINAL = 7;
const MAX_ORDINAL = 0x7fff;

/** Writes bytes and says where in the file they lie. */
export async function writePart({ sink, base }: ParquetOutput, bytes: Uint8Array): Promise<BytePlace> {
  const start = sink.position - base;
  await sink.write(bytes);
  return { start, length: bytes.length };
}

/**
 * Copies a column chunk out of a file in memory.
 *
 * @param withIndex - whether its page index, if it has one, is copied too.
 * @returns the ColumnChunk struct for its new place.
 */
export async function copyChunk(
  output: ParquetOutput,
  file: Uint8Array,
  chunk: ParquetChunk,
  withIndex: boolean,
): Promise<ThriftStruct> {
  const { start } = await writePart(
    output,
    bytesAt(file, { start: chunk.start, length: chunk.compressedSize }),
  );
  const by = start - chunk.start;
  const moved = movedChunk(chunk.thrift, by);
  const offsets = offsetIndexPlace(chunk.thrift);
  const statistics = columnIndexPlace(chunk.thrift);
  if (!withIndex || offsets === undefined) return withPageIndex(moved, {});
  const columnIndex = statistics && (await writePart(output, bytesAt(file, statistics)));
  const offsetIndex = await writePart(output, movedOffsetIndex(bytesAt(file, offsets), by, "encoded column"));
  return withPageIndex(moved, { offsetIndex, columnIndex });
}

/** Adds a row group, with its number in this file when it bears one. */
export function addRowGroup({ rowGroups }: ParquetOutput, group: ThriftStruct): void {
  const ordinal = rowGroups.length;
  if (ordinal > MAX_ORDINAL) rowGroups.push(withoutFields(group, [ORDINAL]));
  else if (thriftNumber(group, ORDINAL) === undefined) rowGroups.push(group);
  else rowGroups.push(withField(group, { id: ORDINAL, type: "i16", value: ordinal }));
}

function bytesAt(file: Uint8Array, { start, length }: BytePlace): Uint8Array {
  return file.slice(start, start + length);
}
