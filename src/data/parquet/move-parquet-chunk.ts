import { CalibrantError, errorMessage } from "../../errors.ts";
import { decodeThrift, encodeThrift, type ThriftStruct } from "./thrift-compact.ts";
import {
  longField,
  structsField,
  thriftLong,
  thriftNumber,
  thriftStruct,
  thriftStructs,
  withField,
  withoutFields,
} from "./thrift-fields.ts";

/** A range of bytes in a file. */
export interface BytePlace {
  readonly start: number;
  readonly length: number;
}

/** Field numbers of parquet.thrift's ColumnChunk. */
const FILE_OFFSET = 2;
const META_DATA = 3;
const OFFSET_INDEX = 4;
const COLUMN_INDEX = 6;
/** Of ColumnMetaData: data, index and dictionary page, and Bloom filter offset. */
const META_OFFSETS = [9, 10, 11, 14];
/** The offset index holds absolute offsets of pages, the column index none. */
const PAGE_INDEX_FIELDS = [OFFSET_INDEX, OFFSET_INDEX + 1, COLUMN_INDEX, COLUMN_INDEX + 1];

/** Where a ColumnChunk's offset index lies, which repeats the absolute offsets of its pages. */
export function offsetIndexPlace(chunk: ThriftStruct): BytePlace | undefined {
  return placeOf(chunk, OFFSET_INDEX);
}

/** Where a ColumnChunk's column index lies: statistics of its pages. */
export function columnIndexPlace(chunk: ThriftStruct): BytePlace | undefined {
  return placeOf(chunk, COLUMN_INDEX);
}

function placeOf(chunk: ThriftStruct, id: number): BytePlace | undefined {
  const start = thriftLong(chunk, id);
  const length = thriftNumber(chunk, id + 1);
  if (start === undefined || length === undefined || length <= 0) return undefined;
  return { start: Number(start), length };
}

/**
 * A ColumnChunk whose pages, index pages, column index and Bloom filter all moved by the same distance. An offset of 0
 * means that there is no such page and stays.
 */
export function movedChunk(chunk: ThriftStruct, by: number): ThriftStruct {
  if (by === 0) return chunk;
  const meta = thriftStruct(chunk, META_DATA) ?? [];
  const moved = withField(movedFields(chunk, [FILE_OFFSET, OFFSET_INDEX, COLUMN_INDEX], by), {
    id: META_DATA,
    type: "struct",
    value: movedFields(meta, META_OFFSETS, by),
  });
  return moved;
}

/** A RowGroup (without its columns) whose pages all moved by the same distance. */
export function movedRowGroup(group: ThriftStruct, by: number): ThriftStruct {
  return by === 0 ? group : movedFields(group, [5], by);
}

/** A ColumnChunk with its page index where `places` says, and without the parts that have no place. */
export function withPageIndex(
  chunk: ThriftStruct,
  places: { readonly offsetIndex?: BytePlace | undefined; readonly columnIndex?: BytePlace | undefined },
): ThriftStruct {
  const bare = withoutFields(chunk, PAGE_INDEX_FIELDS);
  return withPlace(withPlace(bare, OFFSET_INDEX, places.offsetIndex), COLUMN_INDEX, places.columnIndex);
}

function withPlace(chunk: ThriftStruct, id: number, place: BytePlace | undefined): ThriftStruct {
  if (place === undefined) return chunk;
  const withStart = withField(chunk, longField(id, BigInt(place.start)));
  return withField(withStart, { id: id + 1, type: "i32", value: place.length });
}

/**
 * An offset index whose pages moved by `by` bytes.
 *
 * @param name - the file, for error messages.
 * @throws CalibrantError `data` when the bytes are no offset index.
 */
export function movedOffsetIndex(bytes: Uint8Array, by: number, name: string): Uint8Array {
  try {
    const index = decodeThrift(bytes).value;
    const pages = thriftStructs(index, 1);
    if (pages === undefined) throw new Error("it lists no pages");
    return encodeThrift(
      withField(
        index,
        structsField(
          1,
          pages.map((page) => movedFields(page, [1], by)),
        ),
      ),
    );
  } catch (error) {
    const message = `${name}: a page index is damaged: ${errorMessage(error)}`;
    throw new CalibrantError("data", message, { name }, { cause: error });
  }
}

function movedFields(struct: ThriftStruct, ids: readonly number[], by: number): ThriftStruct {
  return struct.map((field) => {
    const { id, value } = field;
    if (!ids.includes(id) || typeof value !== "bigint" || value === 0n) return field;
    return { ...field, value: value + BigInt(by) };
  });
}
