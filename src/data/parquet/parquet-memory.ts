import { type ParquetChunk, type ParquetHandle, readBytesAt } from "./parquet-footer.ts";
import type { ParquetNode } from "./parquet-tree.ts";
import { decodeThrift, type ThriftStruct } from "./thrift-compact.ts";
import { thriftLong, thriftNumber, thriftStruct } from "./thrift-fields.ts";

const PAGE_HEADER_BYTES = 1 << 10;
const DICTIONARY_PAGE = 2;
const WIDTHS: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
};

/**
 * About how many bytes a column chunk takes when it is decoded. A dictionary can make that many times the size in the
 * footer: there a repeated text counts once, decoded every time.
 *
 * @param leaf - the chunk's schema element.
 */
export async function decodedBytes(
  handle: ParquetHandle,
  chunk: ParquetChunk,
  leaf: ParquetNode,
  name: string,
): Promise<number> {
  const width = WIDTHS[leaf.physical ?? ""] ?? thriftNumber(leaf.thrift, 2) ?? 4;
  const least = Math.max(chunk.uncompressedSize, chunk.values * width);
  if (leaf.physical !== "BYTE_ARRAY") return least;
  const counted = thriftLong(thriftStruct(thriftStruct(chunk.thrift, 3) ?? [], 16) ?? [], 1);
  if (counted !== undefined) return Math.max(least, Number(counted) + 4 * chunk.values);
  if (!chunk.hasDictionary) return least;
  const bytes = await readBytesAt(
    handle,
    chunk.start,
    Math.min(PAGE_HEADER_BYTES, chunk.compressedSize),
    name,
  );
  const page = pageHeader(bytes, 0);
  const entries = page === undefined ? undefined : thriftNumber(thriftStruct(page.header, 7) ?? [], 1);
  if (page === undefined || page.type !== DICTIONARY_PAGE || entries === undefined || entries <= 0)
    return least;
  return Math.max(least, Math.ceil(page.uncompressedSize / entries) * chunk.values);
}

/**
 * The sizes of a chunk's decompressed pages together, by their own headers; whatever follows a header that cannot be
 * read is not counted.
 *
 * @param bytes - all pages of the chunk.
 */
export function pageBytes(bytes: Uint8Array): number {
  let total = 0;
  for (let at = 0; at < bytes.length; ) {
    const page = pageHeader(bytes, at);
    if (page === undefined || page.compressedSize < 0) return total;
    total += Math.max(0, page.uncompressedSize);
    at = page.end + page.compressedSize;
  }
  return total;
}

interface Page {
  readonly header: ThriftStruct;
  readonly type: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  /** Where its data begins. */
  readonly end: number;
}

function pageHeader(bytes: Uint8Array, at: number): Page | undefined {
  try {
    const { value: header, end } = decodeThrift(bytes, at);
    const compressedSize = thriftNumber(header, 3) ?? -1;
    return {
      header,
      type: thriftNumber(header, 1) ?? -1,
      compressedSize,
      uncompressedSize: thriftNumber(header, 2) ?? 0,
      end,
    };
  } catch {
    return undefined;
  }
}
