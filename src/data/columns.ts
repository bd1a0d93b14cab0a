import type { NumericArray } from "../types.ts";

/** Numbers or booleans (1/0) of one batch; NaN = missing. */
export interface NumberColumn {
  readonly kind: "number";
  readonly values: Float64Array;
}

/** Text of one batch, read row by row; null = missing. */
export interface TextColumn {
  readonly kind: "text";
  /** The text of a row, from 0; null = missing. */
  readonly get: (row: number) => string | null;
}

/** Low-cardinality text or integer keys of one batch: `keys[codes[row]]`; code -1 = missing. Integers keep every digit. */
export interface KeyColumn {
  readonly kind: "key";
  readonly codes: Int32Array;
  readonly keys: readonly string[];
}

/**
 * Ragged numbers of one batch: row i is `values[offsets[i]] … values[offsets[i + 1] - 1]`.
 * `values` may be the shared buffer of a larger vector: offsets are absolute and need not start at 0.
 */
export interface ListColumn {
  readonly kind: "list";
  readonly values: NumericArray;
  readonly offsets: Int32Array;
  /** 0 where the whole list is missing (null); absent = none is. */
  readonly rowValid?: Uint8Array;
  /** 0 where an element is null, indexed like `values`; absent = none is. NaN elements are not nulls. */
  readonly valueValid?: Uint8Array;
}

/** Nested data of one batch (messages, tool calls, gold actions) as parsed JSON, read row by row; null = missing. */
export interface JsonColumn {
  readonly kind: "json";
  /** The parsed value of a row, from 0; null = missing. */
  readonly get: (row: number) => unknown;
}

/** A column of a batch, of any kind. */
export type Column = NumberColumn | TextColumn | KeyColumn | ListColumn | JsonColumn;
/** What a column is read as. */
export type ColumnKind = Column["kind"];

/** Some consecutive rows, by column, as the kernels read them. */
export interface RolloutBatch {
  readonly rows: number;
  /** Where a row stands in its source, for messages: `rollouts.jsonl:7`, `rollouts.parquet: row 12`. Default `row N`. */
  readonly place?: (row: number) => string;
  readonly columns: ReadonlyMap<string, Column>;
}

/** A column that a file has: its name, its type in words, and the kinds it can be read as. */
export interface FoundColumn {
  readonly name: string;
  /** As the reader would print it, for example `large_list<float>`. */
  readonly type: string;
  readonly kinds: readonly ColumnKind[];
}

/** A column that a job reads, and as what. */
export interface ColumnRequest {
  readonly name: string;
  readonly kind: ColumnKind;
  /** A requested column beside which this one only matters where that one is null: a reader may leave the other values out. */
  readonly fallbackFor?: string;
}

/** What a job needs: each inner list of `required` is a set of alternatives of which one must be there. */
export interface ColumnNeeds {
  readonly required: readonly (readonly ColumnRequest[])[];
  readonly optional: readonly ColumnRequest[];
}

/**
 * Ragged numbers that a job adds: row i is `values[offsets[i]] … values[offsets[i + 1] - 1]`, with offsets that need not start at 0. A
 * NaN element is null; int32 holds counts and ids, of which -1 is null.
 */
export type ListResult = {
  readonly name: string;
  /** `(rows + 1)`, ascending. */
  readonly offsets: Int32Array;
  /** 0 where the whole list is null; absent = none is. */
  readonly rowValid?: Uint8Array;
} & (
  | { readonly type: "list<float64>"; readonly values: Float64Array }
  | { readonly type: "list<int32>"; readonly values: Int32Array }
);

/** A column that a job adds: numbers (NaN = null), text by code, or lists of numbers. */
export type ResultColumn =
  | { readonly name: string; readonly type: "float64"; readonly values: Float64Array }
  | {
      readonly name: string;
      readonly type: "utf8";
      /** The text is JSON: in JSON Lines it stands as the value itself, in Arrow and Parquet as text. */
      readonly isJson?: boolean;
      /** `dictionary[codes[row]]`; code -1 = null. */
      readonly codes: Int32Array;
      readonly dictionary: readonly string[];
    }
  | ListResult;
