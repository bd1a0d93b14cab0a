import { CalibrantError, errorMessage } from "../../errors.ts";
import { type ArrowMessageHead, arrowMessageHead } from "./arrow-message-head.ts";
import { checkArrowSchema } from "./check-arrow-schema.ts";
import type { ForwardReader } from "./forward-reader.ts";

/** One message of an Arrow stream with its head read. */
export interface ArrowMessage {
  readonly head: ArrowMessageHead;
  /**
   * The whole message in today's framing: continuation marker, length, flatbuffer padded to 8 bytes, body. It has a
   * buffer of its own and its body is aligned to 8 bytes, whatever the source did.
   */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What has been read so far, for the words of an error. */
export interface ArrowProgress {
  batches: number;
  rows: number;
}

const CONTINUATION = -1;
/** Marker and length in front of a message's flatbuffer. */
const PREFIX_BYTES = 8;

/**
 * The next message from a forward-only source, in either framing (before Arrow 0.15 there was no continuation marker).
 *
 * @returns `"end"` at the end-of-stream marker, `"cut"` where the source ends between two messages.
 * @throws CalibrantError `data` when the source ends inside a message or the bytes are none.
 */
export async function nextArrowMessage(
  reader: ForwardReader,
  name: string,
  progress: ArrowProgress,
): Promise<ArrowMessage | "end" | "cut"> {
  const marker = await reader.read(4);
  if (marker.length === 0) return "cut";
  const word = marker.length < 4 ? null : int32(marker);
  const length = word === CONTINUATION ? await readLength(reader) : word;
  if (length === null) throw cutOff(name, progress);
  if (length === 0) return "end";
  if (length < 0) throw damagedArrow(name, progress, `impossible message length ${length}`);
  const metadata = await reader.read(length);
  if (metadata.length < length) throw cutOff(name, progress);
  const head = readHead(metadata, name, progress);
  const bytes = await reader.read(head.bodyLength, framed(metadata));
  if (bytes.length < PREFIX_BYTES + padded(metadata.length) + head.bodyLength) throw cutOff(name, progress);
  return { head, bytes };
}

/** The flatbuffer of a message that {@link nextArrowMessage} or {@link framed} made. */
export function arrowMetadata(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + int32(bytes, 4));
}

/**
 * The heads of the messages that lie one after another in `bytes`, each as {@link nextArrowMessage} frames it.
 *
 * @throws RangeError when one is damaged.
 */
export function arrowMessageHeads(bytes: Uint8Array): ArrowMessageHead[] {
  const heads: ArrowMessageHead[] = [];
  for (let at = 0; at < bytes.length; ) {
    const metadata = arrowMetadata(bytes.subarray(at));
    const head = arrowMessageHead(metadata);
    heads.push(head);
    at += PREFIX_BYTES + metadata.length + head.bodyLength;
  }
  return heads;
}

/** A message without a body around its flatbuffer. */
export function framed(metadata: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(PREFIX_BYTES + padded(metadata.length));
  const view = new DataView(bytes.buffer);
  view.setInt32(0, CONTINUATION, true);
  view.setInt32(4, padded(metadata.length), true);
  bytes.set(metadata, PREFIX_BYTES);
  return bytes;
}

/**
 * The schema flatbuffer that polars writes into an Arrow *file* right after the magic, without marker and length. Its
 * end is where the next message's marker stands and everything the schema refers to lies before it.
 *
 * @returns null when the next bytes are no such flatbuffer.
 */
export async function bareArrowSchema(
  reader: ForwardReader,
  name: string,
  progress: ArrowProgress,
): Promise<ArrowMessage | null> {
  const start = await reader.peek(4);
  if (start.length < 4 || !isRootOffset(int32(start))) return null;
  let metadata = new Uint8Array(0);
  for (;;) {
    const next = await reader.peek(PREFIX_BYTES);
    if (next.length < PREFIX_BYTES) throw cutOff(name, progress);
    if (int32(next) === CONTINUATION && int32(next, 4) >= 0 && isWholeSchema(metadata, name)) break;
    metadata = await reader.read(PREFIX_BYTES, metadata);
    if (metadata.length > 1 << 26) throw damagedArrow(name, progress, "no message follows the schema");
  }
  return { head: readHead(metadata, name, progress), bytes: framed(metadata) };
}

/** The smallest message flatbuffer is larger than this, a root offset is not: it tells a bare flatbuffer from a length. */
function isRootOffset(word: number): boolean {
  return word >= 4 && word < 48;
}

function isWholeSchema(metadata: Uint8Array, name: string): boolean {
  try {
    if (arrowMessageHead(metadata).kind !== "schema") return false;
    checkArrowSchema(metadata, name);
    return true;
  } catch (error) {
    // A complete schema with a type that cannot be read is still a complete schema.
    return error instanceof CalibrantError;
  }
}

/** The error of a source that ends too early. */
export function cutOff(name: string, progress: ArrowProgress, where = "inside a message"): CalibrantError {
  return new CalibrantError(
    "data",
    `${name} is cut off: it ends ${where} after ${counted(progress)}; write it again and close the writer`,
    { name, ...progress },
  );
}

/** The error of bytes that are not what the Arrow format says. */
export function damagedArrow(name: string, progress: ArrowProgress, reason: string): CalibrantError {
  return new CalibrantError("data", `${name} is damaged Arrow data after ${counted(progress)}: ${reason}`, {
    name,
    ...progress,
  });
}

function counted({ batches, rows }: ArrowProgress): string {
  return `${batches} record batch${batches === 1 ? "" : "es"} (${rows} row${rows === 1 ? "" : "s"})`;
}

function readHead(metadata: Uint8Array, name: string, progress: ArrowProgress): ArrowMessageHead {
  try {
    return arrowMessageHead(metadata);
  } catch (error) {
    throw damagedArrow(name, progress, errorMessage(error));
  }
}

async function readLength(reader: ForwardReader): Promise<number | null> {
  const length = await reader.read(4);
  return length.length < 4 ? null : int32(length);
}

function int32(bytes: Uint8Array, at = 0): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(at, true);
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}
