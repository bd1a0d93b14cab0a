import { Message } from "apache-arrow";
import { Footer } from "apache-arrow/ipc/metadata/file";
import { errorMessage } from "../../errors.ts";
import { type ArrowProgress, cutOff, damagedArrow, framed } from "./arrow-framing.ts";
import { rootTable, structsOf } from "./flat-table.ts";

const MAGIC = "ARROW1";
const BLOCK_BYTES = 24;

/**
 * Checks the end of an Arrow file: footer, its length, closing magic, and that the footer lists as many record batches
 * as were read.
 *
 * @param rest - everything behind the end-of-stream marker.
 * @throws CalibrantError `data` when any of it is missing or wrong.
 */
export function checkArrowFooter(rest: Uint8Array, name: string, progress: ArrowProgress): void {
  const footer = footerOf(rest, name, progress);
  let listed: number;
  try {
    listed = structsOf(rootTable(footer), 3, BLOCK_BYTES).length;
  } catch (error) {
    throw damagedArrow(name, progress, `its footer: ${errorMessage(error)}`);
  }
  if (listed !== progress.batches) {
    throw damagedArrow(name, progress, `its footer lists ${listed} record batches`);
  }
}

/**
 * The schema message of a file that has its schema in the footer only.
 *
 * @param rest - the end of the file, from anywhere before its footer.
 * @throws CalibrantError `data` when there is no footer, or it is damaged.
 */
export function schemaFromFooter(rest: Uint8Array, name: string, progress: ArrowProgress): Uint8Array {
  const footer = footerOf(rest, name, progress);
  try {
    return framed(Message.encode(Message.from(Footer.decode(footer).schema)));
  } catch (error) {
    throw damagedArrow(name, progress, `its footer: ${errorMessage(error)}`);
  }
}

/** The footer's flatbuffer: followed by its length and the magic, at the end of a file. */
function footerOf(rest: Uint8Array, name: string, progress: ArrowProgress): Uint8Array {
  const end = rest.length - MAGIC.length - 4;
  const magic = String.fromCharCode(...rest.subarray(Math.max(0, rest.length - MAGIC.length)));
  if (end < 0 || magic !== MAGIC) throw cutOff(name, progress, "without the closing footer");
  const length = new DataView(rest.buffer, rest.byteOffset, rest.byteLength).getInt32(end, true);
  if (length <= 0 || length > end) throw damagedArrow(name, progress, `impossible footer length ${length}`);
  // In a buffer of its own, so that its offsets are checked against its own end.
  return rest.slice(end - length, end);
}
