import { Message, type Schema } from "apache-arrow";
import { CalibrantError, errorMessage } from "../../errors.ts";
import { arrowBody } from "./arrow-body.ts";
import { type ArrowMessage, arrowMetadata, damagedArrow } from "./arrow-framing.ts";
import { arrowMessageHead } from "./arrow-message-head.ts";
import { type ArrowStart, readArrowStart } from "./arrow-start.ts";
import { checkArrowSchema } from "./check-arrow-schema.ts";
import { createForwardReader, type ForwardReader } from "./forward-reader.ts";

/** How Arrow data is read; see `openArrow`. */
export interface ArrowReadOptions {
  /**
   * Opens the same source again from its beginning, for a file on disk; may be called several times. Without it, files
   * whose dictionaries come behind the record batches that use them (polars writes them so) are held in memory until the
   * dictionaries come, and files whose schema stands only in the footer (apache-arrow for JavaScript writes them) whole.
   */
  readonly reopen?: () => AsyncIterable<Uint8Array>;
}

/** An Arrow IPC file or stream whose schema is read and whose messages are still to come. */
export interface ArrowSource {
  readonly format: "file" | "stream";
  readonly schema: Schema;
  /** The schema message, framed. */
  readonly schemaMessage: Uint8Array;
  /** Dictionaries and record batches, each batch behind the dictionaries it needs; the end of the source is checked. */
  readonly messages: AsyncGenerator<ArrowMessage>;
  /** Lets go of the source early; the end of `messages` does it too. */
  close(): Promise<void>;
}

/**
 * Opens Arrow IPC data, file or stream format, from a source that is read forwards, so the same code serves files,
 * pipes and sockets. Memory is one message at a time, with two exceptions that `reopen` avoids: see
 * {@link ArrowReadOptions}.
 *
 * @param name - what errors call the source.
 * @throws CalibrantError `data` when the source is empty, not Arrow, Feather 1, cut off or damaged, or has a column
 *   that cannot be read (see {@link checkArrowSchema}).
 */
export async function openArrow(
  source: AsyncIterable<Uint8Array>,
  name: string,
  options: ArrowReadOptions = {},
): Promise<ArrowSource> {
  let reader = createForwardReader(source);
  try {
    const start = await readArrowStart(reader, name, options.reopen);
    reader = start.reader;
    const schema = decodeSchema(start.schemaMessage, name);
    return {
      format: start.format,
      schema,
      schemaMessage: start.schemaMessage,
      messages: closing(start.reader, inOrder(start, schema, name, options)),
      close: () => start.reader.close(),
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function decodeSchema(schemaMessage: Uint8Array, name: string): Schema {
  const metadata = arrowMetadata(schemaMessage);
  try {
    arrowMessageHead(metadata);
    checkArrowSchema(metadata, name);
    return Message.decode(metadata).header() as Schema;
  } catch (error) {
    if (error instanceof CalibrantError) throw error;
    throw damagedArrow(name, { batches: 0, rows: 0 }, errorMessage(error));
  }
}

async function* closing(
  reader: ForwardReader,
  messages: AsyncGenerator<ArrowMessage>,
): AsyncGenerator<ArrowMessage> {
  try {
    yield* messages;
  } finally {
    await reader.close();
  }
}

/** The messages of a source, dictionaries moved in front of the first batch where a file has them behind. */
async function* inOrder(
  start: ArrowStart,
  schema: Schema,
  name: string,
  options: ArrowReadOptions,
): AsyncGenerator<ArrowMessage> {
  const missing = new Set(start.format === "file" ? schema.dictionaries.keys() : []);
  const messages = arrowBody(start, name);
  for await (const message of messages) {
    if (message.head.kind === "dictionary") missing.delete(message.head.dictionaryId);
    else if (missing.size > 0) {
      yield* dictionariesFirst(message, messages, name, options);
      return;
    }
    yield message;
  }
}

async function* dictionariesFirst(
  first: ArrowMessage,
  others: AsyncGenerator<ArrowMessage>,
  name: string,
  { reopen }: ArrowReadOptions,
): AsyncGenerator<ArrowMessage> {
  const held: ArrowMessage[] = [];
  for await (const message of prepend(first, others)) {
    if (message.head.kind === "dictionary") yield message;
    else if (reopen === undefined) held.push(message);
  }
  if (reopen === undefined) yield* held;
  else yield* batchesAgain(reopen, name);
}

async function* batchesAgain(
  reopen: () => AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<ArrowMessage> {
  const reader = createForwardReader(reopen());
  const start = await readArrowStart(reader, name, reopen);
  try {
    for await (const message of arrowBody(start, name)) if (message.head.kind === "batch") yield message;
  } finally {
    await start.reader.close();
  }
}

async function* prepend<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}
