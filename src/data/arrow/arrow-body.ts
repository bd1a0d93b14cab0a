import { checkArrowFooter } from "./arrow-footer.ts";
import {
  type ArrowMessage,
  type ArrowProgress,
  cutOff,
  damagedArrow,
  nextArrowMessage,
} from "./arrow-framing.ts";
import type { ArrowStart } from "./arrow-start.ts";

/**
 * The dictionaries and record batches behind a schema, as they come, up to the end marker, which is checked: nothing
 * follows it in a stream, and a file ends in a footer that lists as many batches.
 *
 * @throws CalibrantError `data` where the source is cut off, even between two batches, or damaged.
 */
export async function* arrowBody(start: ArrowStart, name: string): AsyncGenerator<ArrowMessage> {
  const { reader, format, first } = start;
  const progress: ArrowProgress = { batches: 0, rows: 0 };
  let message = first ?? (await nextArrowMessage(reader, name, progress));
  for (; typeof message === "object"; message = await nextArrowMessage(reader, name, progress)) {
    if (message.head.kind === "schema") throw damagedArrow(name, progress, "a second schema begins");
    if (message.head.kind === "other") throw damagedArrow(name, progress, "it holds a tensor, not a table");
    yield message;
    if (message.head.kind === "batch") {
      progress.batches += 1;
      progress.rows += message.head.rows;
    }
  }
  if (format === "file") {
    if (message === "cut") throw cutOff(name, progress, "without the closing footer");
    checkArrowFooter(await reader.rest(), name, progress);
  } else {
    if (message === "cut") throw cutOff(name, progress, "without the end-of-stream marker");
    const next = await reader.peek(1);
    if (next.length > 0) throw damagedArrow(name, progress, "more bytes follow the end-of-stream marker");
  }
}
