import { type RecordBatch, RecordBatchReader, type Schema } from "apache-arrow";
import { ensureArrowCodec } from "./arrow-codecs.ts";
import type { ArrowMessage } from "./arrow-framing.ts";
import { nextRecordBatch } from "./decode-arrow-chunk.ts";
import { type ArrowReadOptions, openArrow } from "./open-arrow.ts";

/** Arrow data whose schema is known and whose record batches are decoded as they are asked for. */
export interface ArrowBatches {
  readonly schema: Schema;
  /** All batches have the same dictionary objects until a dictionary changes, so a writer writes each once. */
  readonly batches: AsyncGenerator<RecordBatch>;
  /** Lets go of the source when not all batches are wanted. */
  close(): Promise<void>;
}

/**
 * Reads an Arrow IPC file or stream in order, one record batch in memory at a time.
 *
 * @param source - the bytes in order, from a file, a pipe or memory.
 * @param name - what errors call the source.
 * @throws CalibrantError `data` as `openArrow`; `batches` throws it too, for instance where the data is cut off
 *   between two batches, and `missing-package` for LZ4 without `lz4-napi`.
 */
export async function readArrowBatches(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: ArrowReadOptions = {},
): Promise<ArrowBatches> {
  const { schema, schemaMessage, messages, close } = await openArrow(source, name, options);
  return { schema, batches: batchesOf(schemaMessage, messages, name), close };
}

async function* batchesOf(
  schemaMessage: Uint8Array,
  messages: AsyncGenerator<ArrowMessage>,
  name: string,
): AsyncGenerator<RecordBatch> {
  const waiting: Uint8Array[] = [schemaMessage];
  const reader = RecordBatchReader.from(takeFrom(waiting));
  for await (const { head, bytes } of messages) {
    if (head.codec !== null) await ensureArrowCodec(head.codec, name);
    waiting.push(bytes);
    if (head.kind === "batch") yield nextRecordBatch(reader, head, name);
  }
}

/**
 * Feeds a reader from a queue that is filled before each batch is asked for. The reader asks for the next piece already
 * when it takes the last byte of one: an empty piece means "not yet", a second one in a row that data is missing.
 */
function* takeFrom(queue: Uint8Array[]): Generator<Uint8Array> {
  for (let idle = 0; idle < 2; ) {
    const piece = queue.shift();
    idle = piece === undefined ? idle + 1 : 0;
    yield piece ?? new Uint8Array(0);
  }
}
