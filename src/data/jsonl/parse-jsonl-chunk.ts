import { constants, isUtf8 } from "node:buffer";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { lineRanges } from "./line-ranges.ts";
import { type ParsedJson, type ParseJsonOptions, parseJsonLine } from "./parse-json-line.ts";

/** The rows of one chunk of JSON Lines, and where each one's text lies. */
export interface ParsedChunk {
  readonly rows: Record<string, unknown>[];
  /** (rows) First byte of each row's JSON text in the chunk. */
  readonly lineStarts: Int32Array;
  /** (rows) Byte after each row's JSON text: trailing blanks, carriage return and newline are not part of it. */
  readonly lineEnds: Int32Array;
  /** (rows) Line number of each row in its file, from 1. */
  readonly lineNumbers: Int32Array;
  /** Newlines in the chunk, blank lines included: the next chunk's first line is `firstLine + lines`. */
  readonly lines: number;
  /** Bare NaN, Infinity and -Infinity by column; columns without any are left out. */
  readonly nonFinite: Readonly<Record<string, number>>;
}

/**
 * Parses whole lines of JSON Lines, as {@link jsonlChunks} cuts them; each line as {@link parseJsonLine} reads it.
 * Blank lines are skipped but counted. LF and CRLF both end a line.
 *
 * @param name - how errors name the file.
 * @param firstLine - line number of the first line, from 1.
 * @throws CalibrantError `data`, one line beginning `FILE:LINE: `, when a line is not UTF-8, not JSON, not an object,
 * or longer than a string can be (512 MB).
 */
export function parseJsonlChunk(
  bytes: Uint8Array,
  name: string,
  firstLine: number,
  options: ParseJsonOptions = {},
): ParsedChunk {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { starts, ends, newlinesBefore, newlines } = lineRanges(bytes);
  const lineNumbers = newlinesBefore.map((before) => firstLine + before);
  // A multi-byte character never spans a newline, so valid lines and a valid chunk are the same thing.
  const valid = isUtf8(buffer);
  const rows: Record<string, unknown>[] = [];
  const nonFinite: Record<string, number> = Object.create(null);
  for (let row = 0; row < starts.length; row += 1) {
    const text = buffer.subarray(starts[row], ends[row]);
    const place = { name, line: lineNumbers[row] as number };
    if (!valid && !isUtf8(text)) throw badLine(place, "not valid UTF-8; save the file as UTF-8");
    const parsed = parseRow(text, place, options);
    rows.push(parsed.value as Record<string, unknown>);
    for (const column in parsed.nonFinite) {
      nonFinite[column] = (nonFinite[column] ?? 0) + (parsed.nonFinite[column] as number);
    }
  }
  return { rows, lineStarts: starts, lineEnds: ends, lineNumbers, lines: newlines, nonFinite };
}

interface Place {
  readonly name: string;
  readonly line: number;
}

function parseRow(text: Buffer, place: Place, options: ParseJsonOptions): ParsedJson {
  if (text.length > constants.MAX_STRING_LENGTH) {
    throw badLine(place, `a line may hold 512 MB at most, found ${text.length} bytes`);
  }
  let parsed: ParsedJson;
  try {
    parsed = parseJsonLine(text.toString(), options);
  } catch (error) {
    throw badLine(place, `not valid JSON: ${errorMessage(error)}`, error);
  }
  const { value } = parsed;
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw badLine(place, `expected one JSON object a line, found ${text.toString("utf8", 0, 40)}`);
  }
  return parsed;
}

function badLine(place: Place, problem: string, cause?: unknown): CalibrantError {
  const options = cause === undefined ? undefined : { cause };
  return new CalibrantError("data", `${place.name}:${place.line}: ${problem}`, { ...place }, options);
}
