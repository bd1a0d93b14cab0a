import { joinBytes } from "../join-bytes.ts";

/** Reads a source of bytes from front to back in pieces of any size; holds at most one piece of the source. */
export interface ForwardReader {
  /**
   * `head` followed by the next `count` bytes, in a buffer of exactly that size; shorter only where the source ends.
   * Memory grows with the bytes that arrive, not with `count`.
   */
  read(count: number, head?: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** The next `count` bytes (fewer at the end) without passing them; for a few bytes only. */
  peek(count: number): Promise<Uint8Array>;
  /** Everything that is left. */
  rest(): Promise<Uint8Array>;
  /** Tells the source that no more is wanted; may be called at any time, more than once. */
  close(): Promise<void>;
}

/**
 * Announced lengths up to this are allocated at once: memory that is not written to takes no room yet. Beyond it the
 * buffer doubles as bytes arrive, and each time they are copied.
 */
const TRUSTED_BYTES = 1 << 30;
const NOTHING = new Uint8Array(0);

/** A {@link ForwardReader} over a source, whose pieces it never changes. */
export function createForwardReader(source: AsyncIterable<Uint8Array>): ForwardReader {
  const iterator = source[Symbol.asyncIterator]();
  let piece: Uint8Array = NOTHING;
  let done = false;

  const pull = async (): Promise<Uint8Array | null> => {
    while (!done) {
      const next = await iterator.next();
      if (next.done === true) done = true;
      else if (next.value.length > 0) return next.value;
    }
    return null;
  };

  return {
    async read(count, head = NOTHING) {
      const wanted = head.length + count;
      let bytes = uninitialised(Math.min(wanted, head.length + Math.max(TRUSTED_BYTES, piece.length)));
      bytes.set(head);
      let length = head.length;
      while (length < wanted) {
        if (piece.length === 0) {
          const next = await pull();
          if (next === null) return bytes.slice(0, length);
          piece = next;
        }
        if (length === bytes.length) bytes = grown(bytes, wanted);
        const taken = piece.subarray(0, bytes.length - length);
        bytes.set(taken, length);
        length += taken.length;
        piece = piece.subarray(taken.length);
      }
      return bytes;
    },
    async peek(count) {
      while (piece.length < count) {
        const next = await pull();
        if (next === null) break;
        piece = joinBytes([piece, next]);
      }
      return piece.subarray(0, count);
    },
    async rest() {
      const pieces = [piece];
      piece = NOTHING;
      for (let next = await pull(); next !== null; next = await pull()) pieces.push(next);
      return joinBytes(pieces);
    },
    async close() {
      done = true;
      piece = NOTHING;
      await iterator.return?.();
    },
  };
}

function grown(bytes: Uint8Array, wanted: number): Uint8Array<ArrayBuffer> {
  const larger = uninitialised(Math.min(wanted, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}

/** Memory that is not zeroed first: every byte is written before the reader hands it out. */
function uninitialised(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
