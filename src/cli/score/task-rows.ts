/** The scored parts of some consecutive rows. */
export interface TaskRows {
  readonly rows: number;
  readonly kept: readonly Float64Array[];
  readonly passing: readonly (readonly Float64Array[])[];
  /** Group keys: codes into `keys`, or null when the input has no group column. */
  readonly codes: Int32Array | null;
  readonly keys: readonly string[];
  /** Bare NaN and infinities met in JSONL, by column. */
  readonly nonFinite: Readonly<Record<string, number>>;
}
