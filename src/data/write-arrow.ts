import * as arrow from "apache-arrow";
import {
  AsyncByteQueue,
  type Data,
  Message,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  type RecordBatchWriter,
  type Schema,
  util,
} from "apache-arrow";
import { CalibrantError } from "../errors.ts";
import { withNullCounts } from "./arrow-null-counts.ts";
import type { ByteSink } from "./byte-sink.ts";
import { joinBytes } from "./join-bytes.ts";

/** Writes record batches of one schema, one in memory at a time. */
export interface ArrowWriter {
  /**
   * Resolves when the sink has taken the batch. A batch without rows is left out.
   *
   * @throws CalibrantError `data` when its schema is not the writer's, or when the file format cannot hold it because a
   *   dictionary changed.
   */
  write(batch: RecordBatch): Promise<void>;
  /** Writes the end marker (and a file's footer); without it the output counts as cut off. */
  close(): Promise<void>;
}

/** Pieces up to this size are joined before they go to the sink. */
const SMALL_BYTES = 1 << 16;

/**
 * A writer of uncompressed Arrow IPC, as a file (`.arrow`: random access) or a stream (`.arrows`: pipes, dictionaries
 * that change). The schema is written even when no batch follows.
 *
 * @param schema - of every batch, for instance from {@link appendedSchema}.
 */
export function createArrowWriter(sink: ByteSink, schema: Schema, format: "file" | "stream"): ArrowWriter {
  const queue = new PieceQueue();
  const writer: RecordBatchWriter = format === "file" ? new FileWriter() : new RecordBatchStreamWriter();
  writer.reset(queue, schema);
  const written = new Map<number, Data>();
  return {
    async write(batch) {
      if (!util.compareSchemas(schema, batch.schema)) throw otherSchema(schema, batch.schema);
      if (format === "file") checkDictionaries(batch, written);
      if (batch.numRows > 0) {
        writer.write(withNullCounts(arrow, new RecordBatch(schema, batch.data, batch.metadata)));
      }
      await drain(queue, sink);
    },
    async close() {
      writer.close();
      await drain(queue, sink);
    },
  };
}

/**
 * apache-arrow leaves the schema message out of files, readable as they are by their footer only; the format has it
 * behind the magic, and readers from front to back need it there.
 */
class FileWriter extends RecordBatchFileWriter {
  protected override _writeSchema(schema: Schema): this {
    return super._writeSchema(schema)._writeMessage(Message.from(schema));
  }
}

/** Collects what a writer writes: its own queue can only be read asynchronously, without knowing when it is empty. */
class PieceQueue extends AsyncByteQueue {
  pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    if (piece.length > 0) this.pieces.push(piece);
  }
}

async function drain(queue: PieceQueue, sink: ByteSink): Promise<void> {
  const pieces = queue.pieces;
  queue.pieces = [];
  let small: Uint8Array[] = [];
  for (const piece of [...pieces, null]) {
    if (piece !== null && piece.length <= SMALL_BYTES) small.push(piece);
    else {
      if (small.length > 0) await sink.write(joinBytes(small));
      if (piece !== null) await sink.write(piece);
      small = [];
    }
  }
}

/** A dictionary may grow in a file (its first chunk stays the same object), but not be replaced. */
function checkDictionaries(batch: RecordBatch, written: Map<number, Data>): void {
  for (const [id, dictionary] of batch.dictionaries) {
    const first = dictionary.data[0] as Data;
    if ((written.get(id) ?? first) !== first) {
      throw new CalibrantError(
        "data",
        "an Arrow file cannot hold a dictionary that changes between record batches: write a stream (.arrows) or Parquet",
        { dictionary: id },
      );
    }
    written.set(id, first);
  }
}

function otherSchema(expected: Schema, found: Schema): CalibrantError {
  return new CalibrantError(
    "data",
    `all record batches of an Arrow file must have the schema ${expected}, got ${found}`,
  );
}
