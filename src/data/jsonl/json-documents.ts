import { isUtf8 } from "node:buffer";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { parseJsonLine } from "./parse-json-line.ts";
import { type JsonPiece, type JsonPieceOptions, splitJson } from "./split-json.ts";
import { afterBom } from "./without-bom.ts";

/** One object of a JSON file. */
export interface JsonDocument {
  readonly value: Record<string, unknown>;
  /** Where it stands, for error messages: `FILE: element 3` of an array (from 0), else `FILE:LINE`. */
  readonly place: string;
  /** Bare NaN, Infinity and -Infinity by key; null = none. */
  readonly nonFinite: Readonly<Record<string, number>> | null;
}

/**
 * Reads the objects of a JSON file one by one: the elements of one array, or objects that follow each other (a single
 * object, pretty-printed or not, and JSON Lines are such files too). Never more than one object is held in memory.
 * Objects are read as {@link parseJsonLine} reads them, integers beyond 2^53 exact at every depth.
 *
 * @param name - how errors name the file.
 * @throws CalibrantError `data` naming the file and the element or line: no objects at all (`NAME is empty`), broken or
 * unfinished JSON, text that is not UTF-8, an element that is not an object, an object of more than 512 MB.
 */
export async function* jsonDocuments(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: JsonPieceOptions = {},
): AsyncGenerator<JsonDocument> {
  for await (const piece of splitJson(source, name, options)) yield parsePiece(piece);
}

/**
 * Whether JSON that begins with these bytes is an array rather than an object or JSON Lines: its first character after
 * a byte order mark and blanks is `[`. False for no bytes, or blanks alone.
 */
export function looksLikeJsonArray(firstBytes: Uint8Array): boolean {
  const first = afterBom(firstBytes).find((byte) => byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13);
  return first === 91;
}

function parsePiece({ bytes, place }: JsonPiece): JsonDocument {
  if (!isUtf8(bytes))
    throw new CalibrantError("data", `${place}: not valid UTF-8; save the file as UTF-8`, { place });
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  try {
    const { value, nonFinite } = parseJsonLine(text, { exactIntegers: true });
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      return { value: value as Record<string, unknown>, place, nonFinite };
    }
  } catch (error) {
    throw new CalibrantError(
      "data",
      `${place}: not valid JSON: ${errorMessage(error)}`,
      { place },
      { cause: error },
    );
  }
  throw new CalibrantError("data", `${place}: expected an object, found ${text.slice(0, 40)}`, { place });
}
