import type { ColumnRequest } from "../../data/columns.ts";

/** A piece of one input that can be read alone, in any thread. Buffers may be transferred. */
export type InputTask =
  | {
      readonly kind: "jsonl";
      readonly bytes: Uint8Array;
      readonly firstLine: number;
      readonly source: TaskSource;
    }
  | {
      readonly kind: "arrow";
      readonly prefix: Uint8Array;
      readonly batch: Uint8Array;
      readonly firstRow: number;
      readonly source: TaskSource;
    }
  | {
      readonly kind: "parquet";
      readonly path: string;
      readonly rowStart: number;
      readonly rowEnd: number;
      readonly source: TaskSource;
    };

/** What a task must know of its input. */
export interface TaskSource {
  readonly name: string;
  /** The columns to read, under the job's names. */
  readonly requests: readonly ColumnRequest[];
  /** Job's name → the file's name, where they differ. */
  readonly renames: readonly (readonly [string, string])[];
  /** Names that the output adds and no row may have already; empty where the schema was checked. */
  readonly added: readonly string[];
}
