import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What make-arrow.py notes of a file: pyarrow's type names, the JSON text of each row, rows a batch. */
export interface ExpectedArrow {
  readonly types: Readonly<Record<string, string>>;
  /** All rows, or the first two and last two of longer files. */
  readonly rows: readonly string[];
  readonly batches: readonly number[];
}

/** Files with late dictionaries, bare schemas, both framings, every type, both compressions: see make-arrow.py. */
export const EXPECTED_ARROW: Readonly<Record<string, ExpectedArrow>> = JSON.parse(
  readFileSync(goldenArrowPath("expected.json"), "utf8"),
);

export function goldenArrowPath(file: string): string {
  return fileURLToPath(new URL(`arrow/${file}`, import.meta.url));
}

export function goldenArrow(file: string): Uint8Array {
  return new Uint8Array(readFileSync(goldenArrowPath(file)));
}

/** Bytes as a source that gives them in pieces. */
export async function* inPieces(bytes: Uint8Array, size: number = 1 << 16): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The rows that {@link ExpectedArrow.rows} keeps. */
export function keptRows(rows: readonly string[], expected: ExpectedArrow): readonly string[] {
  return rows.length > expected.rows.length ? [...rows.slice(0, 2), ...rows.slice(-2)] : rows;
}
