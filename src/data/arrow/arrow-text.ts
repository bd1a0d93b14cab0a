import { type Data, DataType } from "apache-arrow";
import { dictionaryReader, nullable } from "./arrow-layout.ts";
import { spanReader } from "./arrow-spans.ts";

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
  return nullable(data, spanReader(data, textOf));
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
