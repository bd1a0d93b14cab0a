/** A one-shot stream whose beginning can be looked at before it is read from the start. */
export interface Replayable {
  /** Looks at the stream from its beginning; may be called several times before `all`. */
  peek(): AsyncIterable<Uint8Array>;
  /** The whole stream, once; leaving it early ends the stream. */
  all(): AsyncIterable<Uint8Array>;
}

/** Wraps a pipe; what `peek` reads is kept in memory until `all` has given it out. */
export function replayable(stream: AsyncIterable<Uint8Array>): Replayable {
  const iterator = stream[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  const more = async (): Promise<boolean> => {
    const next = await iterator.next();
    if (!next.done) seen.push(next.value);
    return !next.done;
  };
  return {
    async *peek() {
      for (let at = 0; at < seen.length || (await more()); at += 1) yield seen[at] as Uint8Array;
    },
    async *all() {
      try {
        while (seen.length > 0 || (await more())) yield seen.shift() as Uint8Array;
      } finally {
        await iterator.return?.();
      }
    },
  };
}
