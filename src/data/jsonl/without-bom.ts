/**
 * The same bytes without a leading UTF-8 byte order mark, however the source cuts its buffers.
 * Buffers pass through as they are, but for the first three bytes.
 */
export async function* withoutBom(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array(0);
  for await (const bytes of source) {
    if (head === null) {
      yield bytes;
      continue;
    }
    head = joined(head, bytes);
    if (head.length < 3) {
      // The source may use its buffer again.
      head = head.slice();
      continue;
    }
    yield afterBom(head);
    head = null;
  }
  if (head !== null && head.length > 0) yield head;
}

/** The bytes after a UTF-8 byte order mark, or all of them when there is none; a view, not a copy. */
export function afterBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
