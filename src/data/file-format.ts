import { CalibrantError } from "../errors.ts";

/** The encodings that rollouts travel in; `json` is one array or object, `arrows` an Arrow IPC stream. */
export type FileFormat = "jsonl" | "json" | "arrow" | "arrows" | "parquet";

/**
 * The format of a file by its first bytes, never by its name.
 *
 * @param head - the first bytes (16 are enough for binary formats; JSON needs the first visible character).
 * @throws CalibrantError `data` when there are no bytes, or none of the formats begins so.
 */
export function detectFormat(head: Uint8Array, name: string): FileFormat {
  if (head.length === 0) throw new CalibrantError("data", `${name} is empty`, { name });
  const ascii = Buffer.from(head.subarray(0, 6)).toString("latin1");
  if (ascii.startsWith("PAR1") || ascii.startsWith("PARE")) return "parquet";
  if (ascii === "ARROW1") return "arrow";
  if (startsArrowStream(head)) return "arrows";
  if (head[0] === 0x1f && head[1] === 0x8b)
    throw unknownFormat(name, "gzip data: unpack it first (gunzip -k)");
  if (ascii.startsWith("FEA1"))
    throw unknownFormat(name, "Feather version 1: write it again as Arrow IPC (Feather 2)");
  const text = firstVisible(head);
  if (text === 0x5b) return "json";
  if (text === 0x7b || text === -1) return "jsonl";
  throw unknownFormat(name, "not JSONL, Arrow IPC or Parquet");
}

/**
 * The format to write by a file name's ending.
 *
 * @throws CalibrantError `usage` naming the endings that are known.
 */
export function formatFromName(path: string): Exclude<FileFormat, "json"> {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  if (ending === "jsonl" || ending === "ndjson") return "jsonl";
  if (ending === "arrow" || ending === "feather" || ending === "ipc") return "arrow";
  if (ending === "arrows") return "arrows";
  if (ending === "parquet" || ending === "pq") return "parquet";
  throw new CalibrantError(
    "usage",
    `output format unknown: end the name in .jsonl, .arrow, .arrows or .parquet, or pass --format; got ${path}`,
    { path },
  );
}

function startsArrowStream(head: Uint8Array): boolean {
  if (head.length < 8) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0, true) === 0xffffffff) return true;
  // Before Arrow 0.15 a stream began with the length of its schema message and a flatbuffer's root offset.
  const length = view.getUint32(0, true);
  return length > 8 && length < 1 << 24 && head[3] === 0 && view.getUint32(4, true) < length;
}

function firstVisible(head: Uint8Array): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length) {
    const byte = head[at] as number;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    at += 1;
  }
  return -1;
}

function unknownFormat(name: string, what: string): CalibrantError {
  return new CalibrantError("data", `${name}: ${what}`, { name });
}
