import { type Data, DataType } from "apache-arrow";
import { dictionaryReader, nullable, offsetsOf } from "./arrow-layout.ts";
import { spanReader } from "./arrow-spans.ts";
import { isAscii } from "./is-ascii.ts";

const REPLACEMENT = "\uFFFD";

/**
 * Reads the texts of an array of any text type by position, straight from the bytes; dictionary values are decoded
 * once. null = missing.
 *
 * @throws Error (from the reader) when the bytes are not UTF-8; Arrow calls such data invalid.
 */
export function textReader(data: Data): (index: number) => string | null {
  const { type } = data;
  if (DataType.isNull(type)) return () => null;
  if (DataType.isDictionary(type)) return dictionaryReader(data, textReader);
  return nullable(data, spanReader(data, isAsciiText(data) ? asciiOf : textOf));
}

/** Whether all texts of an array with offsets are ASCII: one fast look at its bytes spares the decoder for every row. */
function isAsciiText(data: Data): boolean {
  if (DataType.isUtf8View(data.type) || DataType.isBinaryView(data.type)) return false;
  if (DataType.isFixedSizeBinary(data.type)) return false;
  // An array without values may come without offsets.
  if (data.length === 0) return true;
  const offsets = offsetsOf(data);
  return isAscii(data.values as Uint8Array, offsets[0] as number, offsets[data.length] as number);
}

function asciiOf(bytes: Buffer, begin: number, end: number): string {
  return bytes.toString("latin1", begin, end);
}

/** Decoding never fails by itself: bytes that are not UTF-8 become U+FFFD, which a text may also hold honestly. */
function textOf(bytes: Buffer, begin: number, end: number): string {
  const text = bytes.toString("utf8", begin, end);
  if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(begin, end))) throw new Error("text is not UTF-8");
  return text;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
