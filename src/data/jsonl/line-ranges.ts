const NEWLINE = 10;

/** Where the text of each line lies in a chunk of JSON Lines; blank lines are left out. */
export interface LineRanges {
  /** (rows) First byte of each line that is not JSON whitespace. */
  readonly starts: Int32Array;
  /** (rows) Byte after the last one that is not JSON whitespace: a carriage return is not part of a line. */
  readonly ends: Int32Array;
  /** (rows) Newlines of the chunk before each line, those of blank lines included. */
  readonly newlinesBefore: Int32Array;
  /** Newlines in the chunk. */
  readonly newlines: number;
}

/** The lines of a chunk that hold more than JSON whitespace. LF and CRLF end a line; the last may have no ending. */
export function lineRanges(bytes: Uint8Array): LineRanges {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts: number[] = [];
  const ends: number[] = [];
  const before: number[] = [];
  let newlines = 0;
  for (let at = 0; at < buffer.length; ) {
    const newline = buffer.indexOf(NEWLINE, at);
    const stop = newline < 0 ? buffer.length : newline;
    let start = at;
    while (start < stop && isBlank(buffer[start] as number)) start += 1;
    let end = stop;
    while (end > start && isBlank(buffer[end - 1] as number)) end -= 1;
    if (start < end) {
      starts.push(start);
      ends.push(end);
      before.push(newlines);
    }
    if (newline >= 0) newlines += 1;
    at = stop + 1;
  }
  return {
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    newlinesBefore: Int32Array.from(before),
    newlines,
  };
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13;
}
