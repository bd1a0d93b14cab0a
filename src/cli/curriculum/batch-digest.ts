import { createHash } from "node:crypto";
import { canonicalJson } from "../../data/calls/canonical-json.ts";
import type { Column, RolloutBatch } from "../../data/columns.ts";

/** Hashes rows as they are read. */
export interface BatchDigest {
  add(batch: RolloutBatch): void;
  /** SHA-256 of the rows so far, in hexadecimal digits. */
  finish(): string;
}

/**
 * Hashes the columns that were read, row by row: the same rows in the same order give the same digest whatever files and
 * batches they come in.
 */
export function batchDigest(): BatchDigest {
  const hash = createHash("sha256");
  return {
    add(batch) {
      const columns = [...batch.columns].sort(([a], [b]) => (a < b ? -1 : 1));
      for (let row = 0; row < batch.rows; row += 1) {
        const values = columns.map(([name, column]) => [name, valueAt(column, row)]);
        hash.update(canonicalJson(values)).update("\n");
      }
    },
    finish: () => hash.digest("hex"),
  };
}

function valueAt(column: Column, row: number): unknown {
  switch (column.kind) {
    case "number":
      return column.values[row];
    case "key":
      return column.keys[column.codes[row] as number];
    case "list":
      return Array.from(column.values.slice(column.offsets[row], column.offsets[row + 1]));
    default:
      return column.get(row);
  }
}
