import { CalibrantError } from "../../errors.ts";
import { withoutBom } from "./without-bom.ts";

const NEWLINE = 10;

/** Options of {@link jsonlChunks}. */
export interface JsonlChunkOptions {
  /** Most bytes of a chunk, unless a single line is longer. Default 4 MiB. */
  readonly chunkBytes?: number;
}

/**
 * Cuts a byte stream of JSON Lines into chunks of whole lines, each in its own ArrayBuffer, so that a chunk can be
 * transferred to a worker.
 *
 * A chunk ends after the last newline within `chunkBytes` bytes of its start; where there is none, after the next
 * one. So the boundaries depend on the bytes alone, never on how the source cuts them. A byte order mark at the start
 * is dropped; every other byte appears in exactly one chunk, carriage returns and blank lines included. A last line
 * without a newline is a line.
 *
 * @param name How errors name the source, usually the file.
 * @throws CalibrantError `data` when there are no bytes, or only blank lines: `NAME is empty`.
 */
export async function* jsonlChunks(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: JsonlChunkOptions = {},
): AsyncGenerator<Uint8Array> {
  const { chunkBytes = 4 * 1024 * 1024 } = options;
  if (!(chunkBytes >= 1))
    throw new CalibrantError("option", `chunkBytes must be at least 1, got ${chunkBytes}`);
  let blank = true;
  let held: Uint8Array | null = null;
  for await (const chunk of wholeLines(withoutBom(source), Math.floor(chunkBytes))) {
    if (held !== null) yield held;
    held = chunk;
    blank &&= isBlank(chunk);
  }
  if (blank || held === null) throw new CalibrantError("data", `${name} is empty`, { file: name });
  yield held;
}

async function* wholeLines(
  source: AsyncIterable<Uint8Array>,
  chunkBytes: number,
): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(chunkBytes);
  let used = 0;
  for await (const bytes of source) {
    for (let from = 0; from < bytes.length; ) {
      const to = used < chunkBytes ? Math.min(bytes.length, from + chunkBytes - used) : lineEnd(bytes, from);
      chunk = withRoom(chunk, used, to - from);
      chunk.set(bytes.subarray(from, to), used);
      used += to - from;
      from = to;
      if (used < chunkBytes) continue;
      // Past chunkBytes only the end of the current long line is taken, so its newline can only be the last byte.
      const cut =
        used === chunkBytes ? chunk.lastIndexOf(NEWLINE) + 1 : chunk[used - 1] === NEWLINE ? used : 0;
      if (cut === 0) continue;
      const rest = chunk.slice(cut, used);
      yield chunk.subarray(0, cut);
      chunk = new Uint8Array(chunkBytes);
      chunk.set(rest);
      used = rest.length;
    }
  }
  if (used > 0) yield chunk.subarray(0, used);
}

/** The position after the first newline at or after `from`, or the length when there is none. */
function lineEnd(bytes: Uint8Array, from: number): number {
  const newline = bytes.indexOf(NEWLINE, from);
  return newline < 0 ? bytes.length : newline + 1;
}

function withRoom(chunk: Uint8Array<ArrayBuffer>, used: number, more: number): Uint8Array<ArrayBuffer> {
  if (used + more <= chunk.length) return chunk;
  const larger = new Uint8Array(Math.max(used + more, 2 * chunk.length));
  larger.set(chunk.subarray(0, used));
  return larger;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === NEWLINE || byte === 13);
}
