import { type RecordBatch, RecordBatchReader } from "apache-arrow";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { ensureArrowCodec } from "./arrow-codecs.ts";
import { arrowMessageHeads } from "./arrow-framing.ts";
import type { ArrowMessageHead } from "./arrow-message-head.ts";
import { checkArrowBatch } from "./check-arrow-batch.ts";

/**
 * Decodes one record batch that {@link arrowChunks} cut out: values stay views of `batch`, unless it is compressed.
 * Asynchronous only because a decompressor is loaded when the first compressed batch is met.
 *
 * @param name - what errors call the source.
 * @throws CalibrantError `data` for damaged data, `missing-package` for LZ4 without `lz4-napi`.
 */
export async function decodeArrowChunk(
  prefix: Uint8Array,
  batch: Uint8Array,
  name = "the Arrow data",
): Promise<RecordBatch> {
  const heads = attempt(name, () => [...arrowMessageHeads(prefix), ...arrowMessageHeads(batch)]);
  for (const { codec } of heads) if (codec !== null) await ensureArrowCodec(codec, name);
  const reader = attempt(name, () => RecordBatchReader.from([prefix, batch]));
  return nextRecordBatch(reader, heads.at(-1) as ArrowMessageHead, name);
}

/**
 * The record batch that a reader comes to next, checked by {@link checkArrowBatch}.
 *
 * @param head - the head of that batch's message.
 * @throws CalibrantError `data` naming the source when there is none or it is damaged.
 */
export function nextRecordBatch(
  reader: RecordBatchReader,
  head: ArrowMessageHead,
  name: string,
): RecordBatch {
  return attempt(name, () => {
    const { done, value } = reader.next() as IteratorResult<RecordBatch>;
    if (done === true) throw new RangeError("a record batch is missing");
    checkArrowBatch(value, head.nodeLengths);
    return value;
  });
}

function attempt<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = `${name} is damaged Arrow data: ${errorMessage(error)}`;
    throw new CalibrantError("data", message, { name }, { cause: error });
  }
}
