import { type KeySource, keySource } from "../../data/keys/key-source.ts";
import { createSliceIndex } from "../../data/keys/slice-index.ts";
import type { PredictionRows } from "./prediction-rows.ts";

/** Names the repeats of all batches: one column by its values, several by the combinations of theirs. */
export interface RepeatIndex {
  /** The repeats of a batch; null where there is only one. */
  source(rows: PredictionRows, file: string): KeySource | null;
}

/** Creates a {@link RepeatIndex}. */
export function createRepeatIndex(columns: readonly string[], fileIsColumn: boolean): RepeatIndex {
  const combinations = createSliceIndex(columns, fileIsColumn);
  return {
    source({ repeat, batch }, file) {
      if (repeat !== null || columns.length === 0) return repeat;
      const codes = combinations.add(batch, file);
      const keys = Array.from({ length: combinations.size }, (_, index) => String(index));
      return keySource({ kind: "key", codes, keys });
    },
  };
}
