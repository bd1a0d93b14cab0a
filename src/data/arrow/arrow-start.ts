import { CalibrantError } from "../../errors.ts";
import { schemaFromFooter } from "./arrow-footer.ts";
import {
  type ArrowMessage,
  type ArrowProgress,
  bareArrowSchema,
  cutOff,
  damagedArrow,
  nextArrowMessage,
} from "./arrow-framing.ts";
import { createForwardReader, type ForwardReader } from "./forward-reader.ts";

/** An Arrow source behind its schema. */
export interface ArrowStart {
  readonly format: "file" | "stream";
  /** The schema message, framed. */
  readonly schemaMessage: Uint8Array;
  /** Where the messages go on. */
  readonly reader: ForwardReader;
  /** The message that was found where the schema should be. */
  readonly first: ArrowMessage | "end" | null;
}

const FILE_MAGIC = "ARROW1";
/** The magic and what pads it. */
const MAGIC_BYTES = 8;

/**
 * Reads an Arrow source up to its first dictionary or record batch: magic and schema.
 *
 * @param reopen - opens the source again from its beginning. Without it, a file whose schema stands only in the footer
 *   is held in memory.
 * @throws CalibrantError `data` when it is empty, not Arrow, Feather 1, or cut off or damaged before the schema.
 */
export async function readArrowStart(
  reader: ForwardReader,
  name: string,
  reopen?: () => AsyncIterable<Uint8Array>,
): Promise<ArrowStart> {
  const progress: ArrowProgress = { batches: 0, rows: 0 };
  const format = await detect(reader, name);
  const bare = format === "file" ? await bareArrowSchema(reader, name, progress) : null;
  const first = bare ?? (await nextArrowMessage(reader, name, progress));
  if (first === "cut") throw cutOff(name, progress, "before the schema");
  if (first !== "end" && first.head.kind === "schema") {
    return { format, schemaMessage: first.bytes, reader, first: null };
  }
  if (format === "stream") throw damagedArrow(name, progress, "it does not begin with a schema");
  if (reopen !== undefined) {
    await reader.close();
    return reopenedStart(reopen, name);
  }
  const rest = await reader.rest();
  const schemaMessage = schemaFromFooter(rest, name, progress);
  return { format, schemaMessage, reader: createForwardReader(once(rest)), first };
}

/** The start of a file whose schema stands only in the footer, which is found without keeping what lies before it. */
async function reopenedStart(reopen: () => AsyncIterable<Uint8Array>, name: string): Promise<ArrowStart> {
  const toFooter = createForwardReader(reopen());
  let schemaMessage: Uint8Array;
  try {
    schemaMessage = await schemaBehindMessages(toFooter, name);
  } finally {
    await toFooter.close();
  }
  const reader = createForwardReader(reopen());
  await reader.read(MAGIC_BYTES);
  return { format: "file", schemaMessage, reader, first: null };
}

async function schemaBehindMessages(reader: ForwardReader, name: string): Promise<Uint8Array> {
  const progress: ArrowProgress = { batches: 0, rows: 0 };
  await reader.read(MAGIC_BYTES);
  let message = await nextArrowMessage(reader, name, progress);
  for (; typeof message === "object"; message = await nextArrowMessage(reader, name, progress)) {
    if (message.head.kind !== "batch") continue;
    progress.batches += 1;
    progress.rows += message.head.rows;
  }
  if (message === "cut") throw cutOff(name, progress, "without the closing footer");
  return schemaFromFooter(await reader.rest(), name, progress);
}

/** Passes the magic of a file; a stream has none. */
async function detect(reader: ForwardReader, name: string): Promise<"file" | "stream"> {
  const head = await reader.peek(8);
  const ascii = String.fromCharCode(...head);
  if (head.length === 0) throw new CalibrantError("data", `${name} is empty`, { name });
  if (ascii.startsWith("FEA1")) {
    throw notArrow(name, "Feather version 1, write it again as Arrow IPC (Feather version 2)");
  }
  if (ascii.startsWith("PAR1")) throw notArrow(name, "Parquet");
  if (ascii.startsWith(FILE_MAGIC) || (head.length < 6 && FILE_MAGIC.startsWith(ascii))) {
    await reader.read(MAGIC_BYTES);
    return "file";
  }
  if (!beginsStream(head)) throw notArrow(name, `it begins with ${JSON.stringify(ascii)}`);
  return "stream";
}

/** A continuation marker, or (before Arrow 0.15) a message length followed by the root offset of its flatbuffer. */
function beginsStream(head: Uint8Array): boolean {
  if (head.every((byte, i) => i >= 4 || byte === 0xff)) return true;
  if (head.length < 8) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const length = view.getInt32(0, true);
  const root = view.getInt32(4, true);
  return length >= 16 && length < 1 << 28 && root >= 4 && root < length;
}

function notArrow(name: string, what: string): CalibrantError {
  return new CalibrantError("data", `${name} is not Arrow IPC data: ${what}`, { name });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
