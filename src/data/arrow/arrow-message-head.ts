import {
  type FlatTable,
  int8Of,
  int16Of,
  lengthAt,
  lengthOf,
  rootTable,
  structsOf,
  tableOf,
} from "./flat-table.ts";

/** What Calibrant needs to know of an Arrow IPC message before it reads the message's body. */
export interface ArrowMessageHead {
  /** `other` is a tensor, which is no table. */
  readonly kind: "schema" | "dictionary" | "batch" | "other";
  readonly bodyLength: number;
  /** Rows of a record batch, entries of a dictionary, 0 for a schema. */
  readonly rows: number;
  /** The body's compression: 0 LZ4 frames, 1 ZSTD, null none. */
  readonly codec: number | null;
  readonly dictionaryId: number;
  /** Whether a dictionary continues the earlier one of its id instead of replacing it. */
  readonly isDelta: boolean;
  /** Length of every array of the batch, parents before children. */
  readonly nodeLengths: Float64Array;
}

const KINDS = ["other", "schema", "dictionary", "batch"] as const;
/** MetadataVersion V4 (Arrow 0.8); earlier files lay their buffers out differently. */
const OLDEST_VERSION = 3;
const NO_NODES = new Float64Array(0);

/**
 * Reads the flatbuffer of a message (Message.fbs of the Arrow format), checking that it is whole and that the buffers
 * it lists lie inside the body it announces.
 *
 * @throws RangeError when the bytes are no such flatbuffer.
 */
export function arrowMessageHead(metadata: Uint8Array): ArrowMessageHead {
  const message = rootTable(metadata);
  const version = int16Of(message, 0);
  if (version < OLDEST_VERSION || version > 4)
    throw new RangeError(`unknown metadata version ${version + 1}`);
  const kind = KINDS[int8Of(message, 1)] ?? "other";
  const bodyLength = lengthOf(message, 3);
  // Of the vectors that only apache-arrow reads, the lengths are checked: it trusts them.
  structsOf(message, 4, 4);
  const header = tableOf(message, 2);
  if (header === null) throw new RangeError("the message has no header");
  const schema = {
    kind,
    bodyLength,
    rows: 0,
    codec: null,
    dictionaryId: 0,
    isDelta: false,
    nodeLengths: NO_NODES,
  };
  if (kind === "batch") return { ...schema, ...batchHead(header, bodyLength) };
  if (kind !== "dictionary") return schema;
  const batch = tableOf(header, 1);
  if (batch === null) throw new RangeError("the dictionary has no values");
  const dictionary = { dictionaryId: lengthOf(header, 0), isDelta: int8Of(header, 2) !== 0 };
  return { ...schema, ...dictionary, ...batchHead(batch, bodyLength) };
}

function batchHead(
  batch: FlatTable,
  bodyLength: number,
): Pick<ArrowMessageHead, "rows" | "codec" | "nodeLengths"> {
  const rows = lengthOf(batch, 0);
  if (rows > 0x7fffffff) throw new RangeError(`impossible row count ${rows}`);
  checkBuffers(batch, bodyLength);
  const nodes = structsOf(batch, 1, 16);
  const nodeLengths = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i += 1) nodeLengths[i] = lengthAt(nodes.view, nodes.at + 16 * i);
  const compression = tableOf(batch, 3);
  return { rows, codec: compression === null ? null : int8Of(compression, 0), nodeLengths };
}

function checkBuffers(batch: FlatTable, bodyLength: number): void {
  const buffers = structsOf(batch, 2, 16);
  for (let i = 0; i < buffers.length; i += 1) {
    const at = buffers.at + 16 * i;
    const end = lengthAt(buffers.view, at) + lengthAt(buffers.view, at + 8);
    if (end > bodyLength)
      throw new RangeError(`buffer ${i} ends at ${end}, beyond the body of ${bodyLength} bytes`);
  }
  const variadic = structsOf(batch, 4, 8);
  let count = 0;
  for (let i = 0; i < variadic.length; i += 1) count += lengthAt(variadic.view, variadic.at + 8 * i);
  if (count > buffers.length)
    throw new RangeError(`${count} buffers of views among ${buffers.length} buffers`);
}
