import type { RolloutBatch } from "../../data/columns.ts";
import { createKeyIndex } from "../../data/keys/key-index.ts";
import { createSliceIndex, type SliceIndex } from "../../data/keys/slice-index.ts";
import type { EvaluationSettings } from "./evaluation-settings.ts";
import { readCorrect, readExpNll, readUncertainty, readUnitInterval, readWeights } from "./read-rows.ts";

/** The optional columns of numbers that a report shows. */
export const EXTRA_COLUMNS = ["confidence", "certainty", "margin", "reward"] as const;
export type ExtraColumn = (typeof EXTRA_COLUMNS)[number];

/** The rows of one batch as the report keeps them, `(rows)` each. */
export interface StoredRows {
  readonly rows: number;
  /** Uncertainty on the axis; NaN = missing. */
  readonly x: Float64Array;
  /** 1 correct, 0 wrong, -1 unknown. */
  readonly y: Int8Array;
  readonly slice: Int32Array;
  readonly cluster: Int32Array;
  readonly weights: Float64Array | null;
  readonly extra: Readonly<Partial<Record<ExtraColumn, Float64Array>>>;
}

/** All rows that were read, batch by batch. */
export interface RowStore {
  add(batch: RolloutBatch, input: string): void;
  /** The batches; the store forgets them. */
  take(): StoredRows[];
  readonly slices: SliceIndex;
  /** Clusters seen; without a cluster column every row is one. */
  readonly clusters: number;
  readonly rows: number;
  readonly inputs: readonly string[];
}

/** Creates an empty {@link RowStore}. */
export function createRowStore(settings: EvaluationSettings): RowStore {
  const fileIsColumn = settings.needs.required.flat().some((request) => request.name === "file");
  const slices = createSliceIndex(settings.by, fileIsColumn, settings.booleans);
  const clusterIndex = createKeyIndex();
  const inputs = new Set<string>();
  let stored: StoredRows[] = [];
  let lone = 0;
  let rows = 0;
  /** Clusters with a key are numbered from 0 on, rows without one from -1 down, until all rows are known. */
  const clustersOf = (batch: RolloutBatch): Int32Array => {
    const column = settings.cluster === null ? undefined : batch.columns.get(settings.cluster);
    const codes = clusterIndex.add(column, batch.rows);
    for (let row = 0; row < batch.rows; row += 1) {
      if ((codes[row] as number) >= 0) continue;
      lone += 1;
      codes[row] = -lone;
    }
    return codes;
  };
  return {
    add(batch, input) {
      inputs.add(input);
      stored.push({
        rows: batch.rows,
        x: readUncertainty(batch, settings),
        y: readCorrect(batch, settings),
        slice: slices.add(batch, input),
        cluster: clustersOf(batch),
        weights: readWeights(batch, settings),
        extra: readExtra(batch, settings),
      });
      rows += batch.rows;
    },
    take() {
      const taken = stored;
      stored = [];
      for (const { cluster } of taken) numberLoneRows(cluster, clusterIndex.size);
      return taken;
    },
    slices,
    get clusters() {
      return clusterIndex.size + lone;
    },
    get rows() {
      return rows;
    },
    get inputs() {
      return [...inputs];
    },
  };
}

function numberLoneRows(cluster: Int32Array, known: number): void {
  for (let row = 0; row < cluster.length; row += 1) {
    const code = cluster[row] as number;
    if (code < 0) cluster[row] = known - code - 1;
  }
}

function readExtra(
  batch: RolloutBatch,
  settings: EvaluationSettings,
): Partial<Record<ExtraColumn, Float64Array>> {
  const extra: Partial<Record<ExtraColumn, Float64Array>> = {};
  if (settings.confidence.kind === "column") {
    extra.confidence = readUnitInterval(batch, settings.confidence.name);
  } else if (settings.confidence.kind === "exp-nll") {
    extra.confidence = readExpNll(batch, settings);
  }
  for (const name of ["certainty", "margin", "reward"] as const) {
    const column = batch.columns.get(name);
    // A copy: the batch may look into a buffer of the file that would be kept alive whole.
    if (column?.kind === "number") extra[name] = column.values.slice(0, batch.rows);
  }
  return extra;
}
