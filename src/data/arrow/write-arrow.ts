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
import { CalibrantError } from "../../errors.ts";
import type { ByteSink } from "../byte-sink.ts";
import { joinBytes } from "../join-bytes.ts";
import { createDictionaryKeeper } from "./dictionary-keeper.ts";
import { dataFromKeys, dictionaryKeys } from "./dictionary-keys.ts";
import { ipcWritable, ipcWritableData } from "./ipc-writable.ts";

/** Writes record batches of one schema, one in memory at a time. */
export interface ArrowWriter {
  /**
   * Resolves when the sink has taken the batch. A batch without rows is left out.
   *
   * @throws CalibrantError `data` when its schema is not the writer's, or when the file format cannot hold it because a
   *   dictionary changed and its values are nested or become too many for the column's codes.
   */
  write(batch: RecordBatch): Promise<void>;
  /** Writes the end marker (and a file's footer); without it the output counts as cut off. */
  close(): Promise<void>;
}

/** Pieces up to this size are joined before they go to the sink. */
const SMALL_BYTES = 1 << 16;

/**
 * A writer of uncompressed Arrow IPC, as a file (`.arrow`: random access) or a stream (`.arrows`: pipes). The schema is
 * written even when no batch follows. A dictionary is written once as long as batches have the same values in it. When
 * they have others, a stream gets the new dictionary, and a file one dictionary of all values.
 *
 * @param schema - of every batch, for instance from {@link appendedSchema}.
 */
export function createArrowWriter(sink: ByteSink, schema: Schema, format: "file" | "stream"): ArrowWriter {
  const queue = new PieceQueue();
  const isFile = format === "file";
  const writer: RecordBatchWriter = isFile ? new FileWriter() : new StreamWriter();
  writer.reset(queue, schema);
  const keeper = createDictionaryKeeper(isFile ? "grown" : "replaced");
  return {
    async write(batch) {
      if (!util.compareSchemas(schema, batch.schema)) throw otherSchema(schema, batch.schema);
      if (batch.numRows > 0) {
        const kept = keeper.keep(new RecordBatch(schema, batch.data, batch.metadata));
        writer.write(ipcWritable(kept));
      }
      await drain(queue, sink);
    },
    async close() {
      writer.close();
      await drain(queue, sink);
    },
  };
}

class StreamWriter extends RecordBatchStreamWriter {
  protected override _writeDictionaryBatch(dictionary: Data, id: number, isDelta?: boolean): this {
    return super._writeDictionaryBatch(ipcWritableData(dictionary), id, isDelta);
  }
}

/**
 * apache-arrow leaves the schema message out of files, readable as they are by their footer only; the format has it
 * behind the magic, and readers from front to back need it there.
 *
 * Of a dictionary that grew, those readers find the parts where they need them; but some readers of the footer refuse
 * parts, so it lists only the whole dictionary, written once more at the end.
 */
class FileWriter extends RecordBatchFileWriter {
  private readonly parts = new Map<number, unknown[]>();

  protected override _writeSchema(schema: Schema): this {
    return super._writeSchema(schema)._writeMessage(Message.from(schema));
  }

  protected override _writeDictionaryBatch(dictionary: Data, id: number, isDelta?: boolean): this {
    super._writeDictionaryBatch(ipcWritableData(dictionary), id, isDelta);
    this.parts.set(id, [...(this.parts.get(id) ?? []), this._dictionaryBlocks.at(-1)]);
    return this;
  }

  protected override _writeFooter(schema: Schema): this {
    for (const [id, dictionary] of this._seenDictionaries) {
      const keys = dictionary.data.length > 1 ? dictionaryKeys(dictionary) : null;
      if (keys === null) continue;
      const parts = this.parts.get(id) ?? [];
      this._dictionaryBlocks = this._dictionaryBlocks.filter((block) => !parts.includes(block));
      // The format's ban on a second dictionary is meant for those that the footer lists.
      this._seenDictionaries.delete(id);
      this._writeDictionaryBatch(dataFromKeys(dictionary.type, keys), id);
    }
    return super._writeFooter(schema);
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

function otherSchema(expected: Schema, found: Schema): CalibrantError {
  return new CalibrantError(
    "data",
    `all record batches of an Arrow file must have the schema ${expected}, got ${found}`,
  );
}
