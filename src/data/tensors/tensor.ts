/** How a tensor's numbers are stored. */
export type TensorType =
  | "float64"
  | "float32"
  | "float16"
  | "bfloat16"
  | "int64"
  | "int32"
  | "int16"
  | "int8"
  | "uint64"
  | "uint32"
  | "uint16"
  | "uint8"
  | "bool";

/** Bytes of one number. */
export const TENSOR_TYPE_BYTES: Readonly<Record<TensorType, number>> = {
  float64: 8,
  float32: 4,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  int16: 2,
  int8: 1,
  uint64: 8,
  uint32: 4,
  uint16: 2,
  uint8: 1,
  bool: 1,
};

/** What a file says of one of its tensors. */
export interface TensorInfo {
  /** Its name in the file; that of a `.npy` file, which holds one array, is empty. */
  readonly name: string;
  /** A {@link TensorType}, or the file's own word for one that cannot be read. */
  readonly type: TensorType | { readonly unknown: string };
  readonly shape: readonly number[];
  /** Where its numbers begin in the file; they lie there row after row (C order). */
  readonly start: number;
  readonly bytes: number;
}

/** How floating-point numbers arrive: 16-bit ones as their patterns, float64 rounded to float32. */
export type FloatStorage = "float32" | "float16" | "bfloat16";

/** A tensor of an open file, read piece by piece. Positions count numbers, from 0, in C order. */
export interface Tensor {
  /** For messages: the path, with the name behind a colon where a file holds several. */
  readonly label: string;
  readonly type: TensorType;
  readonly shape: readonly number[];
  /** How {@link Tensor.readFloats} stores numbers; null when they are not floating-point. */
  readonly storage: FloatStorage | null;
  /**
   * Fills `into` with the numbers from `start` on: a `Float32Array` for storage float32, else a `Uint16Array`. float64 is rounded to
   * the nearest float32.
   *
   * @throws CalibrantError `io` when the file cannot be read or ends early, `data` for a tensor of integers.
   */
  readFloats(start: number, into: Float32Array | Uint16Array): Promise<void>;
  /**
   * Fills `into` with the integers from `start` on.
   *
   * @throws CalibrantError `io` as above, `data` for a tensor of other numbers, or an integer outside of int32 with its position.
   */
  readIntegers(start: number, into: Int32Array): Promise<void>;
}

/** A file of tensors: only its header has been read. */
export interface TensorFile {
  readonly path: string;
  /** The names of its tensors; `[""]` for a `.npy` file. */
  readonly names: readonly string[];
  /** Names, types and shapes; of a sharded file after reading the headers of all shards. */
  describe(): Promise<readonly TensorInfo[]>;
  /**
   * One of its tensors.
   *
   * @param name - null where the file holds one alone.
   * @throws CalibrantError `usage` for a name that is not there, or none where there are several; `data` for a type that cannot be read.
   */
  tensor(name: string | null): Promise<Tensor>;
  close(): Promise<void>;
}

/** The number of numbers of a shape. */
export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** A shape as people write it: `(3, 4)`. */
export function shapeWords(shape: readonly number[]): string {
  return `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
}
