import type { Schema } from "apache-arrow";
import { joinBytes } from "../join-bytes.ts";
import type { ArrowMessage } from "./arrow-framing.ts";
import { type ArrowReadOptions, openArrow } from "./open-arrow.ts";

/** One record batch, still encoded, with what is needed to decode it anywhere. */
export interface ArrowChunk {
  /** The schema and every dictionary so far; the same object as long as no dictionary changes. Never transfer it. */
  readonly prefix: Uint8Array;
  /** The record batch's message, in a buffer of its own: it can be transferred to a worker. */
  readonly batch: Uint8Array<ArrayBuffer>;
  readonly rows: number;
}

/** Arrow data whose schema is known and whose record batches are still encoded. */
export interface ArrowChunks {
  readonly schema: Schema;
  readonly chunks: AsyncGenerator<ArrowChunk>;
  /** Lets go of the source when not all chunks are wanted. */
  close(): Promise<void>;
}

/**
 * Opens an Arrow IPC file or stream and cuts it into record batches without decoding them, one in memory at a time.
 *
 * @param source - the bytes in order, from a file, a pipe or memory.
 * @param name - what errors call the source.
 * @throws CalibrantError `data` as {@link openArrow}; `chunks` throws it too, for instance where the data is cut off
 *   between two batches.
 */
export async function openArrowChunks(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: ArrowReadOptions = {},
): Promise<ArrowChunks> {
  const { schema, schemaMessage, messages, close } = await openArrow(source, name, options);
  return { schema, chunks: chunksOf(schemaMessage, messages), close };
}

/**
 * The record batches of an Arrow IPC file or stream, still encoded; none for a table without batches.
 *
 * @throws CalibrantError `data` as `openArrowChunks`.
 */
export async function* arrowChunks(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: ArrowReadOptions = {},
): AsyncGenerator<ArrowChunk> {
  const { chunks } = await openArrowChunks(source, name, options);
  yield* chunks;
}

/**
 * The schema of an Arrow IPC file or stream, reading no further than it. Where it stands only in a file's footer, all of
 * the file is read, with `reopen` without keeping it in memory.
 *
 * @throws CalibrantError `data` as `openArrowChunks`.
 */
export async function readArrowSchema(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: ArrowReadOptions = {},
): Promise<Schema> {
  const { schema, close } = await openArrow(source, name, options);
  await close();
  return schema;
}

async function* chunksOf(
  schemaMessage: Uint8Array,
  messages: AsyncGenerator<ArrowMessage>,
): AsyncGenerator<ArrowChunk> {
  // A dictionary that is replaced needs its earlier messages no more; a delta needs them all.
  const dictionaries = new Map<number, Uint8Array[]>();
  let prefix: Uint8Array | null = schemaMessage;
  for await (const { head, bytes } of messages) {
    if (head.kind === "dictionary") {
      const earlier = head.isDelta ? (dictionaries.get(head.dictionaryId) ?? []) : [];
      dictionaries.set(head.dictionaryId, [...earlier, bytes]);
      prefix = null;
    } else {
      prefix ??= joinBytes([schemaMessage, ...[...dictionaries.values()].flat()]);
      yield { prefix, batch: bytes, rows: head.rows };
    }
  }
}
