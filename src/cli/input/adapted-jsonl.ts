import { adaptRecords } from "../../data/adapters/adapters.ts";
import type { FileFormat } from "../../data/file-format.ts";
import { jsonText } from "../../data/jsonl/json-text.ts";

const BATCH_BYTES = 1 << 20;

/**
 * Records of a trainer's or benchmark's dump as JSONL bytes in our own columns, so that everything after it is one path.
 *
 * @param from - the adapter's name; null passes the records of a JSON array through as they are.
 */
export async function* adaptedJsonl(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  format: FileFormat,
  from: string | null,
): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  let length = 0;
  for await (const row of adaptRecords(bytes, name, format, from)) {
    const line = jsonText(row);
    lines.push(line);
    length += line.length;
    if (length < BATCH_BYTES) continue;
    yield Buffer.from(`${lines.join("\n")}\n`);
    lines = [];
    length = 0;
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join("\n")}\n`);
}
